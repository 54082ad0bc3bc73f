import { once } from 'node:events';
import { userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { DatabaseError, openDatabase } from '../database/open.ts';
import { placeOf } from '../database/place.ts';
import { isUnusable, unusable } from '../database/unusable.ts';
import { requestTimeAt } from '../domain/dates.ts';
import { ApiError } from '../domain/errors.ts';
import { textOf } from '../domain/thrown.ts';
import { holdsSecret, withoutSecrets } from '../domain/token.ts';
import { releaseName } from '../release.ts';
import { Sanitizer } from '../sanitizer/sanitizer.ts';
import type { Env, Host, Outcome } from './command-of.ts';
import { jsonOf, printable } from './print.ts';
import { makeProgram } from './program.ts';
import { InputError, inUtf8, readPassword, readText } from './read-input.ts';
import { requireDatabase } from './require-database.ts';

/** The parts of the process that a command uses. */
export interface ProcessParts {
  readonly env: Env;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/**
 * Runs one command line, without the leading `ops`, and returns its exit code: 0 for success or help, 1 if refused or failed, 2 for wrong
 * usage.
 */
export async function runOps(
  args: readonly string[],
  { env, stdin, stdout, stderr }: ProcessParts,
): Promise<0 | 1 | 2> {
  const json = args.includes('--json');
  const writeOut = (text: string) => stdout.write(printable(text));
  // Handled before Commander, because some commands have a --version of their own: the version of a job.
  if (args.find((arg) => arg !== '--json') === '--version') {
    writeOut(`${json ? jsonOf({ release: releaseName }) : releaseName}\n`);
    return 0;
  }
  // Commander's error messages repeat arguments, which may contain secrets.
  const writeErr = (text: string) => stderr.write(printable(withoutSecrets(text)));
  let isWell: boolean | undefined;
  const print = async (outcome: Outcome) => {
    isWell = outcome.isWell;
    await printOutcome(outcome, stdout, json);
  };
  const perform: Host['perform'] = async (work) => {
    const config = readConfig(env);
    const { databaseUrl, dataDir, database: poolSettings, timeZone, operator = accountName() } = config;
    const name: string = program.opts().as ?? operator;
    if (!operatorName.test(name) || holdsSecret(name))
      throw new ConfigError('--as and VAGA_OPERATOR must be a name of at most 80 characters');
    await requireDatabase(config);
    if (stderr.isTTY) writeErr(`${placeOf(config)}\n`);
    // With `join`, the command can run beside a running service.
    const rethrow = asDatabaseError(config);
    const database = await openDatabase({ databaseUrl, dataDir, join: true, ...poolSettings }).catch(rethrow);
    const sanitizer = new Sanitizer();
    try {
      const clock = () => new Date();
      const known = { clock, ...requestTimeAt(clock(), timeZone), actor: { kind: 'operator', name } } as const;
      await work({ db: database.db, sanitizer, ...known }, config.publicUrl)
        .then(print)
        .catch(rethrow);
    } finally {
      await Promise.all([sanitizer.close(), database.close()]);
    }
  };
  const examine: Host['examine'] = async (work) => print(await work(env));
  const host: Host = {
    perform,
    examine,
    readFile: (path) => readText(path, stdin),
    readPassword: () => readPassword(stdin, stderr),
  };
  const program = makeProgram(host, { writeOut, writeErr });
  try {
    await program.parseAsync(inUtf8(args, 'an argument'), { from: 'user' });
    return isWell === false ? 1 : 0;
  } catch (error) {
    const failed = failureOf(error);
    if (!failed) return 0;
    const line = withoutSecrets(failed.message).replace(/\s+/g, ' ').trim();
    // Commander has already printed usage errors.
    if (failed.exitCode === 1) writeErr(`error: ${line}\n`);
    if (json) writeOut(`${jsonOf({ error: { code: failed.code, message: line } })}\n`);
    return failed.exitCode;
  }
}

/** Throws OutputLost after a change whose outcome cannot be printed. */
async function printOutcome(
  { data, text, lines, done }: Outcome,
  stdout: ProcessParts['stdout'],
  json: boolean,
): Promise<void> {
  const fileText = stdout.isTTY ? printable : String;
  if (!lines) {
    const printed = await isWritten(stdout, printable(`${json ? jsonOf(data) : text}\n`));
    if (!printed && done !== undefined) throw new OutputLost(`this was done, but its output is lost: ${done}`);
  } else
    for await (const line of lines)
      if (!stdout.write(typeof line === 'string' ? fileText(line) : `${jsonOf(line)}\n`) && !(await drains(stdout)))
        return;
}

/** A change was made, and its outcome could not be printed. */
class OutputLost extends Error {}

/** Resolves to false if the text could not be written. */
const isWritten = (output: Writable, text: string): Promise<boolean> =>
  new Promise((resolve) => {
    output.write(text, (error) => resolve(!error));
  });

/** Resolves to false if nobody reads any more. ops.ts decides which errors of an output are failures. */
const drains = (output: Writable): Promise<boolean> =>
  once(output, 'drain').then(
    () => true,
    () => false,
  );

/** Without a server, the database is that of the service. */
const asDatabaseError =
  ({ databaseUrl }: Config) =>
  (error: unknown): never => {
    const fix = databaseUrl === undefined ? 'try again, or restart the service' : undefined;
    throw isUnusable(error) ? unusable(error, fix) : error;
  };

/** An operator's name must fit on one line, because people type `operator:` and the name into the filter of the audit trail. */
const operatorName = /^(?=.*\S)\P{C}{1,80}$/u;

/** The machine's user. In a container, the user may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** Exit code 1: refused or failed; 2: wrong usage. */
const failure = (exitCode: 1 | 2, code: string, message: string) => ({ exitCode, code, message });

/** Returns why a command failed: the exit code, an error code and a message. Undefined if the command only printed help. */
function failureOf(error: unknown) {
  if (error instanceof CommanderError) return usageFailure(error);
  if (error instanceof ApiError) return failure(1, error.code, error.message);
  if (error instanceof ConfigError) return failure(1, 'setting', error.message);
  if (error instanceof DatabaseError) return failure(1, 'database', error.message);
  if (error instanceof OutputLost) return failure(1, 'output', error.message);
  if (error instanceof InputError) return failure(1, 'input', error.message);
  return failure(1, 'internal', textOf(error));
}

function usageFailure({ exitCode, code, message }: CommanderError) {
  if (exitCode === 0) return undefined;
  const isNoun = code === 'commander.help';
  return failure(2, 'usage', isNoun ? 'A noun and a verb are needed; see --help.' : message.replace(/^error: /, ''));
}
