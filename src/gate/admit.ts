import type { Caller } from '../domain/caller.ts';
import type { Environment } from '../domain/environment.ts';
import { ApiError, refusal } from '../domain/errors.ts';
import type { Moment } from '../domain/moment.ts';
import type { Rows } from '../store/open.ts';
import { addressKey } from './address.ts';
import { authenticate, eligible } from './authenticate.ts';
import type { LastUse } from './last-use.ts';
import type { Limits } from './limits.ts';
import type { MaintenanceSwitch } from './maintenance-switch.ts';

/** What the gate must know of a request, whichever protocol brought it. */
export interface Arrival {
  readonly environment: Environment;
  /** Whether it came by https, or by plain http where that is allowed. */
  readonly secure: boolean;
  /** The client's IP address. */
  readonly address: string;
  /** Every Authorization header of the request. */
  readonly authorization: readonly string[];
}

export interface Gate {
  /** Connections that no list and no page uses. */
  readonly db: Rows;
  readonly limits: Limits;
  readonly lastUse: LastUse;
  readonly maintenance: MaintenanceSwitch;
}

/** What holds before anything is known of the caller: 400 `https`, 429 `address`. Gives the key of the address. */
export async function enter(gate: Gate, arrival: Arrival): Promise<string> {
  if (!arrival.secure) throw refusal(400, 'https', 'HTTPS is required.');
  const address = addressKey(arrival.address);
  await gate.limits.consumeAddress(address);
  return address;
}

/** Finds out who calls, or refuses, in this order: 400 `https`, 429 `address`, 503 `maintenance`, 401, 403 `permission` `plan` `approval`. */
export async function identify(gate: Gate, arrival: Arrival, moment: Moment): Promise<Caller> {
  const address = await enter(gate, arrival);
  await gate.maintenance.check(moment.now);
  const authenticated = await authenticate(gate.db, arrival.environment, arrival.authorization, moment.now).catch(
    async (error: unknown) => {
      if (error instanceof ApiError && error.status === 401) await gate.limits.penalizeAddress(address);
      throw error;
    },
  );
  const caller = eligible(authenticated, moment);
  gate.lastUse.note(authenticated, moment.now);
  return caller;
}
