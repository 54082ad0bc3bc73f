import { inspect } from 'node:util';

/** A thrown value as text. Not every one is an Error: Emscripten's file system throws `{ name: 'ErrnoError', errno: 51 }`. */
export const textOf = (thrown: unknown): string =>
  thrown instanceof Error || typeof thrown !== 'object' ? String(thrown) : inspect(thrown, { breakLength: Infinity });
