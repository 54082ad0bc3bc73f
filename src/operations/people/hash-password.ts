import { hash } from '@node-rs/argon2';
import { invalidInput } from '../errors.ts';

export const passwordCharactersMin = 12;
const passwordCharactersMax = 1000;

/** Argon2id with OWASP's parameters (19 MiB, 2 passes), some 30 ms off the event loop. Refuses with `invalid_input`. */
export async function hashPassword(password: string): Promise<string> {
  const characters = [...password].length;
  if (characters < passwordCharactersMin || characters > passwordCharactersMax)
    throw invalidInput('password', `must be ${passwordCharactersMin} to ${passwordCharactersMax} characters`);
  if (!password.isWellFormed()) throw invalidInput('password', 'must be well-formed text');
  // Argon2id is the package's default; its enum is a const enum, which isolated modules cannot import.
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}
