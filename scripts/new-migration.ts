import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmpty } from '../src/database/embedded.ts';
import { migrationsFolder } from '../src/database/migrations-folder.ts';
import { diffToSchema } from './schema-engine.ts';

const usage = `usage: npm run new-migration -- NAME
NAME in lower case with underscores, optionally after fourteen digits of time: 20260101000000_init`;

const given = process.argv[2] ?? '';
const [, time, name] = /^(?:(\d{14})_)?([a-z][a-z0-9_]*)$/.exec(given) ?? [];
if (!name) {
  console.error(usage);
  process.exit(2);
}

await mkdir(migrationsFolder, { recursive: true });
const lockFile = join(migrationsFolder, 'migration_lock.toml');
if (!existsSync(lockFile)) {
  await writeFile(
    lockFile,
    '# Prisma reads this to refuse migrations of another kind of database.\nprovider = "postgresql"\n',
  );
}

const { connection, start } = await openEmpty();
const empty = await start();
const sql = await diffToSchema(connection).finally(() => empty.close());
if (sql === '') {
  console.log('prisma/migrations already lead to prisma/schema.prisma: nothing to do');
} else {
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(migrationsFolder, `${time ?? now}_${name}`);
  await mkdir(folder);
  await writeFile(join(folder, 'migration.sql'), sql);
  console.log(`wrote prisma/migrations/${time ?? now}_${name}/migration.sql`);
}
