import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runOps } from '../../src/cli/run-ops.ts';

const compiled = import.meta.url.endsWith('.js');
const program = fileURLToPath(new URL(`../../src/cli/ops.${compiled ? 'js' : 'ts'}`, import.meta.url));
export const programArguments = compiled ? [program] : ['--import', 'tsx', program];

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string | Buffer;
  /** The limit of open files of a process. */
  readonly openFilesMax?: number;
  /** Closes standard output before anything is written to it, as `| true` does. */
  readonly readsNothing?: boolean;
  /** The file that standard output goes to. */
  readonly output?: string;
  /** Kills the process. */
  readonly signal?: AbortSignal;
}

/** Runs the operator's command line on the database that the settings name, as a process of its own. */
export async function runProcess(
  args: readonly string[],
  { settings, input = '', openFilesMax, readsNothing = false, output, signal }: RunOptions,
): Promise<Ran> {
  const limit = openFilesMax === undefined ? '' : `ulimit -n ${openFilesMax} && `;
  const redirection = output === undefined ? '' : ` > '${output}'`;
  const command = [`${limit}exec "$0" "$@"${redirection}`, process.execPath, ...programArguments, ...args];
  const child = spawn('sh', ['-c', ...command], { env: environment(settings) });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  // A command that reads no input may end before the input is written.
  child.stdin.on('error', () => undefined).end(input);
  if (readsNothing) child.stdout.destroy();
  const read = readsNothing ? '' : text(child.stdout);
  const [stdout, stderr] = await Promise.all([read, text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout, stderr };
}

/** The same in the process of the tests, where a command takes a tenth of the time. */
export async function runInProcess(args: readonly string[], { settings, input = '' }: RunOptions): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = Readable.from([input]);
  const texts = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await runOps(args, { env: environment(settings), stdin, stdout, stderr });
  for (const output of [stdout, stderr]) output.end();
  const [printed, errors] = await texts;
  return { exitCode, stdout: printed, stderr: errors };
}

function environment(settings: RunOptions['settings']): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  return { ...inherited, ...settings };
}
