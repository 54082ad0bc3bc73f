import { type Config, ConfigError, readConfig } from './config.ts';
import { findForbidden } from './database/migrations.ts';
import { type Database, DatabaseError, startDatabase } from './database/open.ts';
import { failIfEndedEarly } from './ended-early.ts';
import { Sanitizer } from './sanitizer/sanitizer.ts';
import { readTlsFiles } from './server/tls-files.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const tlsFiles = config.tls && readTlsFiles(config.tls);
  const { databaseUrl, dataDir, database: poolSettings } = config;
  // The embedded database and the sanitizer start in their threads while the rest of the program loads.
  const started = await startDatabase({ databaseUrl, dataDir, ...poolSettings }).catch(asConfigError(config));
  const sanitizer = new Sanitizer();
  const parts = [openWritable(started).catch(asConfigError(config)), import('./serve.ts'), sanitizer.warm()] as const;
  // Waits for all parts even if one fails: a thread that still loads when the process ends may print an error of its own.
  await Promise.allSettled(parts);
  const [database, { serve }] = await Promise.all(parts);
  await serve(config, database, sanitizer, tlsFiles);
}

/** Throws a DatabaseError if the role lacks a right: a command may be run by a role that only reads, but not the service. */
async function openWritable(started: { open: () => Promise<Database> }): Promise<Database> {
  const database = await started.open();
  const forbidden = await findForbidden(database.pools.operations);
  if (forbidden === undefined) return database;
  throw new DatabaseError(`the role may not ${forbidden}`);
}

/** Turns an expected failure to open the database into a ConfigError that names the setting. Rethrows other errors. */
const asConfigError =
  ({ databaseUrl }: Config) =>
  (error: unknown): never => {
    if (!(error instanceof DatabaseError || isSystemError(error))) throw error;
    throw new ConfigError(`${databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'}: ${error.message}`);
  };

/** Whether the operating system reported the error, for example because DATA_DIR is a file. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

// The service ends by a signal or a failure, never by itself.
failIfEndedEarly();
main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? `vaga: ${error.message}` : error);
  process.exit(1);
});
