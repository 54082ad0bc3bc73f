import { inspect } from 'node:util';

/** What was thrown, as text. Not everything is an Error: Emscripten's file system throws `{ name: 'ErrnoError', errno: 51 }`. */
export const textOf = (thrown: unknown): string =>
  thrown instanceof Error || typeof thrown !== 'object' ? String(thrown) : inspect(thrown, { breakLength: Infinity });
