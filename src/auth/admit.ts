import type { Rows } from '../database/open.ts';
import type { Caller } from '../domain/actor.ts';
import type { Environment } from '../domain/environment.ts';
import { ApiError, refusal } from '../domain/errors.ts';
import type { RequestTime } from '../domain/request-time.ts';
import { addressKey } from '../rate-limit/address.ts';
import type { Limits } from '../rate-limit/limits.ts';
import { authenticate, eligible } from './authenticate.ts';
import type { LastUse } from './last-use.ts';
import type { MaintenanceSwitch } from './maintenance-switch.ts';

/** What the gate must know of a request, whichever protocol brought it. */
export interface ClientInfo {
  readonly environment: Environment;
  /** Whether it came by https, or by plain http where that is allowed. */
  readonly secure: boolean;
  /** The client's IP address. */
  readonly address: string;
  /** Every Authorization header of the request. */
  readonly authorization: readonly string[];
}

export interface AuthDeps {
  /** Connections that no list and no page uses. */
  readonly db: Rows;
  readonly limits: Limits;
  readonly lastUse: LastUse;
  readonly maintenance: MaintenanceSwitch;
}

/** What holds before anything is known of the caller: 400 `https`, 429 `address`. Gives the key of the address. */
export async function admitAddress(auth: AuthDeps, client: ClientInfo): Promise<string> {
  if (!client.secure) throw refusal(400, 'https', 'HTTPS is required.');
  const address = addressKey(client.address);
  await auth.limits.consumeAddress(address);
  return address;
}

/** Finds out who calls, or refuses, in this order: 400 `https`, 429 `address`, 503 `maintenance`, 401, 403 `permission` `plan` `approval`. */
export async function authenticateRequest(auth: AuthDeps, client: ClientInfo, time: RequestTime): Promise<Caller> {
  const address = await admitAddress(auth, client);
  await auth.maintenance.check(time.now);
  const authenticated = await authenticate(auth.db, client.environment, client.authorization, time.now).catch(
    async (error: unknown) => {
      if (error instanceof ApiError && error.status === 401) await auth.limits.penalizeAddress(address);
      throw error;
    },
  );
  const caller = eligible(authenticated, time);
  auth.lastUse.note(authenticated, time.now);
  return caller;
}
