import { ConfigError, readConfig } from '../src/config.ts';
import { migrateServer } from '../src/database/migrations.ts';
import { openStore, StoreError } from '../src/database/open.ts';

async function migrate(): Promise<string> {
  const { databaseUrl, dataDir } = readConfig(process.env);
  if (!databaseUrl) {
    const store = await openStore({ dataDir });
    await store.close();
    return `the embedded database in ${dataDir} is up to date`;
  }
  const applied = await migrateServer(databaseUrl);
  return applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date';
}

try {
  console.log(await migrate());
} catch (error) {
  if (!(error instanceof StoreError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
