import { ConfigError, readConfig } from '../src/config.ts';
import { migrateServer } from '../src/database/migrations.ts';
import { DatabaseError, openDatabase } from '../src/database/open.ts';

async function migrate(): Promise<string> {
  const { databaseUrl, dataDir } = readConfig(process.env);
  if (!databaseUrl) {
    const database = await openDatabase({ dataDir });
    await database.close();
    return `the embedded database in ${dataDir} is up to date`;
  }
  const { applied, distributed } = await migrateServer(databaseUrl);
  const lines = [
    ...(applied.length > 0 ? [`applied ${applied.join(', ')}`] : []),
    ...distributed.map(({ name, column }) =>
      column === null ? `copied ${name} to every node` : `distributed ${name} by ${column}`,
    ),
  ];
  return lines.join('\n') || 'the database is up to date';
}

try {
  console.log(await migrate());
} catch (error) {
  if (!(error instanceof DatabaseError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
