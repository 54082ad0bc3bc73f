import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** From standard input: at a terminal asked for and not shown, otherwise all of it without the line end after it. */
export async function readPassword(): Promise<string> {
  return process.stdin.isTTY ? askHidden() : (await text(process.stdin)).replace(/\r?\n$/, '');
}

async function askHidden(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  process.stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
