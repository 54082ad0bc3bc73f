import { type Config, ConfigError } from '../config.ts';

/** Throws ConfigError if no setting names a database and DATA_DIR has none: a command would create a database that no service uses. */
export async function requireDatabase({ namesDatabase, dataDir }: Config): Promise<void> {
  if (namesDatabase || (await (await import('../database/embedded.ts')).isDatabaseIn(dataDir))) return;
  throw new ConfigError(
    `There is no database in ${dataDir}: set DATABASE_URL or DATA_DIR as for the service. On a server, the command vaga does (scripts/deploy/install.md).`,
  );
}
