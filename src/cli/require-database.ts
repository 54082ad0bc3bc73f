import { type Config, ConfigError } from '../config.ts';

/**
 * Throws a ConfigError if DATA_DIR has no database, and a DatabaseError if the folder cannot be used. Only the service makes a database: a
 * command would make one that no service uses, where the name of a folder is mistyped.
 */
export async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await (await import('../database/embedded.ts')).isDatabaseIn(dataDir))) return;
  throw new ConfigError(
    `There is no database in ${dataDir}, which the service makes at its first start: set DATABASE_URL or DATA_DIR as for the service. On a server, the command vaga does (scripts/deploy/install.md).`,
  );
}
