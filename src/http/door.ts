import type { Services } from '../context.ts';
import type { Gate } from '../gate/admit.ts';
import type { Log } from '../log.ts';
import type { Listener } from './arrival.ts';

/** What an adapter is built from. */
export interface Door {
  readonly services: Services;
  readonly gate: Gate;
  readonly listener: Listener;
  readonly clock: () => Date;
  readonly timeZone: string;
  readonly log: Log;
}
