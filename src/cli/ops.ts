import { failIfEndedEarly } from '../ended-early.ts';
import { runOps } from './run-ops.ts';

// A reader that stops early, such as `head`, is no failure, unless a change was to be printed (run-ops.ts). A full disk is one, and nothing
// can be said if it holds standard error.
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode) return;
  process.exitCode = 1;
  process.stderr.write(`error: standard output cannot be written (${code})\n`);
});

const finish = failIfEndedEarly();
const exitCode = await runOps(process.argv.slice(2), process);
finish();
process.exitCode ||= exitCode;
