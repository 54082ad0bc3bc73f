import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Reads a password from standard input: a terminal prompts and hides it; otherwise all of the input, without its final line break. */
export async function readPassword(): Promise<string> {
  return process.stdin.isTTY ? askHidden() : (await text(process.stdin)).replace(/\r?\n$/, '');
}

async function askHidden(): Promise<string> {
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: discarded, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  process.stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
