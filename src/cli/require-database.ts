import { type Config, ConfigError } from '../config.ts';

/** A command never makes a database that no setting names: its changes would be in none that a service uses. Throws ConfigError. */
export async function requireDatabase({ namesDatabase, dataDir }: Config): Promise<void> {
  if (namesDatabase || (await (await import('../database/embedded.ts')).isDatabaseIn(dataDir))) return;
  throw new ConfigError(
    `There is no database in ${dataDir}: set DATABASE_URL or DATA_DIR as for the service. On a server, the command vaga does (scripts/deploy/install.md).`,
  );
}
