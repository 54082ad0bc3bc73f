import { type Config, ConfigError, readConfig } from './config.ts';
import { beginStore, StoreError } from './database/open.ts';
import { readTlsFiles } from './server/tls-files.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const tlsFiles = config.tls && readTlsFiles(config.tls);
  const { databaseUrl, dataDir, database } = config;
  // The embedded database starts in a thread of its own; the rest of the program is loaded meanwhile.
  const begun = await beginStore({ databaseUrl, dataDir, ...database }).catch(ofStore(config));
  const [store, { serve }] = await Promise.all([begun.open().catch(ofStore(config)), import('./serve.ts')]);
  await serve(config, store, tlsFiles);
}

/** Names the setting by which the database was found. */
const ofStore =
  ({ databaseUrl }: Config) =>
  (error: unknown): never => {
    if (!(error instanceof StoreError || isOfSystem(error))) throw error;
    throw new ConfigError(`${databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'}: ${error.message}`);
  };

/** What the operating system refuses, such as a folder that is a file. */
const isOfSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? `vaga: ${error.message}` : error);
  process.exit(1);
});
