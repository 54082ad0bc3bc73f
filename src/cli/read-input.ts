import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Input that cannot be read. The message is one line and names the input. */
export class InputError extends Error {}

/** What a decoder puts in place of bytes that are not UTF-8, also Node.js in arguments and a terminal's input. */
const replaced = '\ufffd';

/** Throws an InputError if a text was not typed in UTF-8. */
export function inUtf8(texts: readonly string[], name: string): readonly string[] {
  if (texts.some((text) => text.includes(replaced))) throw new InputError(`${name} is not in UTF-8`);
  return texts;
}

/** Reads a file, or standard input if the path is `-`. Throws an InputError. */
export async function readText(path: string, stdin: Readable): Promise<string> {
  const name = path === '-' ? 'standard input' : path;
  const bytes = await buffer(path === '-' ? stdin : createReadStream(path)).catch((error: Error) => {
    throw new InputError(`${name} cannot be read: ${error.message}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${name} is not in UTF-8`);
  }
}

/**
 * Reads a password from standard input. On a terminal, prompts for it and hides what is typed. Otherwise reads the whole input, without
 * its final line break. Throws an InputError.
 */
export async function readPassword(stdin: Readable & { isTTY?: boolean }, stderr: Writable): Promise<string> {
  if (!stdin.isTTY) return (await readText('-', stdin)).replace(/\r?\n$/, '');
  const typed = await askHidden(stdin, stderr);
  inUtf8([typed], 'the password');
  return typed;
}

async function askHidden(stdin: Readable, stderr: Writable): Promise<string> {
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: discarded, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
