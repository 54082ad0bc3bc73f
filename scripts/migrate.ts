import { requireDatabase } from '../src/cli/require-database.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { isDatabaseIn } from '../src/database/embedded.ts';
import { migrateServer } from '../src/database/migrations.ts';
import { DatabaseError, openDatabase } from '../src/database/open.ts';
import { placeOf } from '../src/database/place.ts';
import { failIfEndedEarly } from '../src/ended-early.ts';

async function migrate(): Promise<string> {
  const config = readConfig(process.env);
  const { databaseUrl, dataDir } = config;
  if (!databaseUrl) {
    if (!process.env.DATA_DIR) await requireDatabase(config);
    else if (!(await isDatabaseIn(dataDir)))
      return `There is no database in ${dataDir}; the service makes it at its first start`;
    const database = await openDatabase({ dataDir, join: true });
    await database.close();
    return `${placeOf(config)} is up to date`;
  }
  const { applied, distributed } = await migrateServer(databaseUrl);
  const lines = [
    ...(applied.length > 0 ? [`applied ${applied.join(', ')}`] : []),
    ...distributed.map(({ name, column }) =>
      column === null ? `copied ${name} to every node` : `distributed ${name} by ${column}`,
    ),
  ];
  return [...lines, `${placeOf(config)} is up to date`].join('\n');
}

const finish = failIfEndedEarly();
try {
  console.log(await migrate());
} catch (error) {
  const isExpected = error instanceof DatabaseError || error instanceof ConfigError;
  // PostgreSQL's own refusals need no stack trace either.
  if (!isExpected && !(error instanceof Error && 'severity' in error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
finish();
