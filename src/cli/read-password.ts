import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Reads a password from standard input. On a terminal, prompts for it and hides what is typed. Otherwise reads the whole input, without
 * its final line break.
 */
export async function readPassword(stdin: Readable & { isTTY?: boolean }, stderr: Writable): Promise<string> {
  return stdin.isTTY ? askHidden(stdin, stderr) : (await text(stdin)).replace(/\r?\n$/, '');
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
