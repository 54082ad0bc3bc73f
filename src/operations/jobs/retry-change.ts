import { unavailable } from '../../domain/errors.ts';

/** An attempt to change loses only if another change of the same job wins. */
const attemptsMax = 10;

/** Repeats an attempt to change a job until the job is read as wanted; undefined asks for another. Throws 503 `database`. */
export async function retryChange<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw unavailable('database', 'The job is being changed by others; try again.', 1);
}
