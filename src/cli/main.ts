import { CommanderError } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import { isUnavailable } from '../database/errors.ts';
import { DatabaseError, openDatabase } from '../database/open.ts';
import { ApiError } from '../domain/errors.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { withoutSecrets } from '../log.ts';
import type { Perform } from './command.ts';
import { makeProgram } from './program.ts';

const json = process.argv.includes('--json');

/** Opens the database for one command, also beside a running service, and always closes it. */
const perform: Perform = async (work) => {
  const { databaseUrl, dataDir, timeZone, limitsNamespace } = readConfig(process.env);
  const database = await openDatabase({ databaseUrl, dataDir, join: true });
  try {
    const time = requestTimeAt(new Date(), timeZone);
    const { data, text } = await work({ db: database.db, ...time, actor: { kind: 'operator' }, limitsNamespace });
    process.stdout.write(`${json ? JSON.stringify(data) : text}\n`);
  } finally {
    await database.close();
  }
};

/** Why a command failed, as a code and one line. Exit code 1: refused or failed; 2: wrong usage. */
interface Failure {
  readonly exitCode: 1 | 2;
  readonly code: string;
  readonly message: string;
}

/** Undefined after printing help. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof CommanderError) return usageFailure(error);
  if (error instanceof ApiError) return { exitCode: 1, code: error.code, message: error.message };
  if (error instanceof ConfigError) return { exitCode: 1, code: 'setting', message: error.message };
  if (error instanceof DatabaseError) return { exitCode: 1, code: 'database', message: error.message };
  if (isUnavailable(error))
    return { exitCode: 1, code: 'database', message: 'The database does not answer; try again.' };
  return { exitCode: 1, code: 'internal', message: withoutSecrets(String(error)) };
}

function usageFailure({ exitCode, code, message }: CommanderError): Failure | undefined {
  if (exitCode === 0) return undefined;
  const isNoun = code === 'commander.help';
  const text = isNoun ? 'A noun and a verb are needed; see --help.' : message.replace(/^error: /, '');
  return { exitCode: 2, code: 'usage', message: text };
}

/** Prints one line on standard error, and with --json an object on standard output. Commander has already printed usage errors. */
function printFailure({ exitCode, code, message }: Failure): void {
  const line = message.replace(/\s+/g, ' ').trim();
  if (exitCode === 1) process.stderr.write(`error: ${line}\n`);
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message: line } })}\n`);
  process.exitCode = exitCode;
}

makeProgram(perform)
  .parseAsync()
  .catch((error: unknown) => {
    const failure = failureOf(error);
    if (failure) printFailure(failure);
  });
