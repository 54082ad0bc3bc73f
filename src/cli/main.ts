import { CommanderError } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import { isUnavailable } from '../database/errors.ts';
import { DatabaseError, openDatabase } from '../database/open.ts';
import { ApiError } from '../domain/errors.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { withoutSecrets } from '../log.ts';
import { type Failure, type OpsContext, type Outcome, printFailure, printOutcome } from './outcome.ts';
import { makeProgram } from './program.ts';

const json = process.argv.includes('--json');

/** Opens the database for one command, beside the service that runs on it if there is one, and closes it whatever happens. */
async function perform(work: (ctx: OpsContext) => Promise<Outcome>): Promise<void> {
  const { databaseUrl, dataDir, timeZone, limitsNamespace } = readConfig(process.env);
  const database = await openDatabase({ databaseUrl, dataDir, join: true });
  try {
    const outcome = await work({
      db: database.db,
      ...requestTimeAt(new Date(), timeZone),
      actor: { kind: 'operator' },
      limitsNamespace,
    });
    printOutcome(outcome, json);
  } finally {
    await database.close();
  }
}

/** Undefined where help was asked for and printed. */
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
  const said =
    code === 'commander.help' ? 'A noun and a verb are needed; see --help.' : message.replace(/^error: /, '');
  return { exitCode: 2, code: 'usage', message: said };
}

makeProgram(perform)
  .parseAsync()
  .catch((error: unknown) => {
    const failure = failureOf(error);
    if (failure) printFailure(failure, json);
  });
