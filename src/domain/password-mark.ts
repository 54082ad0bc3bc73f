import { createHash } from 'node:crypto';

/** Tells the passwords of an account apart without a hint of them: a session ends when the password that opened it is replaced. */
export const passwordMark = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url');
