import { unavailable } from '../../../domain/errors.ts';

const attemptsMax = 10;

/**
 * Tries a change until an attempt returns a result. An attempt returns undefined if another change of the same row was written first. Throws
 * 503 `database` after ten such attempts. `number` counts the attempts from 0.
 */
export async function retryChange<T>(noun: string, attempt: (number: number) => Promise<T | undefined>): Promise<T> {
  for (let number = 0; number < attemptsMax; number++) {
    const result = await attempt(number);
    if (result !== undefined) return result;
  }
  throw unavailable('database', `The ${noun} is being changed by others; try again.`, 1);
}
