import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationsFolder } from '../src/database/prisma-folder.ts';
import { currentSchema, migrationTo, separateKeys } from './generate/migration.ts';

// npm run new-migration -- NAME: writes the difference between prisma/migrations and prisma/schema.prisma as a new migration.
const [name = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('usage: npm run new-migration -- NAME, in lower case with underscores: add_shift_pattern');
  process.exit(2);
}
const migration = await migrationTo({ schema: await currentSchema(), name, now: new Date() });
if (!migration) console.log('prisma/migrations already lead to prisma/schema.prisma: nothing to do');
for (const { folder, sql } of migration ? separateKeys(migration) : []) {
  await mkdir(join(migrationsFolder, folder));
  await writeFile(join(migrationsFolder, folder, 'migration.sql'), sql);
  console.log(`wrote prisma/migrations/${folder}/migration.sql`);
}
if (migration && migration.losses.length > 0) console.log(`It loses data:\n${migration.losses.join('\n')}`);
