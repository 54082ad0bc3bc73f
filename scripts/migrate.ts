import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ConfigError, readConfig } from '../src/config.ts';
import { openEmpty } from '../src/store/embedded.ts';
import { templateFolder, templatePath } from '../src/store/embedded-template.ts';
import { migrateEmbedded, migrateServer } from '../src/store/migrations.ts';
import { openStore, StoreError } from '../src/store/open.ts';

/** `--template` makes the cluster that a first start on the embedded database begins with; the build calls it. */
const { values } = parseArgs({ options: { template: { type: 'boolean', default: false } } });

try {
  console.log(values.template ? await makeTemplate() : await migrate());
} catch (error) {
  if (!(error instanceof StoreError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

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

async function makeTemplate(): Promise<string> {
  const path = await templatePath();
  if (existsSync(path)) return `${path} is up to date`;
  const { connection, start } = await openEmpty();
  const embedded = await start();
  const pool = new pg.Pool({ ...connection, max: 1 });
  await migrateEmbedded(connection);
  await pool.query('CHECKPOINT');
  await pool.end();
  await rm(templateFolder, { recursive: true, force: true });
  await mkdir(templateFolder, { recursive: true });
  // Whole or not at all: a start may look for it at any time.
  await embedded.dump(`${path}.new`);
  await rename(`${path}.new`, path);
  await embedded.close();
  return `wrote ${path}`;
}
