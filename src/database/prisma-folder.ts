import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderWith } from '../files.ts';

/** The folder of package.json. */
export const packageRoot = folderWith('package.json');

export const prismaFolder = join(packageRoot, 'prisma');
export const migrationsFolder = join(prismaFolder, 'migrations');

/** Names of this version's migrations, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export const readMigration = (name: string): Promise<string> =>
  readFile(join(migrationsFolder, name, 'migration.sql'), 'utf8');

/** Names of this version's tables, and of some types. */
export async function listTables(): Promise<string[]> {
  const schema = await readFile(join(prismaFolder, 'schema.prisma'), 'utf8');
  return [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name ?? '');
}

export const functionsFile = 'functions.sql';

/** The database's functions, in one script that may be applied repeatedly. */
export const readFunctions = (): Promise<string> => readFile(join(prismaFolder, functionsFile), 'utf8');

/** Reads the query for faults that show an incomplete copy of a database (restored.sql) or of its nodes (restored-workers.sql). */
export const readRestoredCheck = (file = 'restored.sql'): Promise<string> => readFile(join(prismaFolder, file), 'utf8');

const readReference = (file: string): Promise<string> => readFile(join(prismaFolder, 'reference', file), 'utf8');

/** The JSON of the plans, the districts and the categories. */
export const referenceTexts = (): Promise<string[]> =>
  Promise.all(['plans.json', 'districts.json', 'categories.json'].map(readReference));

/**
 * Returns the statement that inserts the missing reference data, and its parameters. The statement returns `inserted`, the number of rows.
 * It inserts nothing if the same data was seeded before, unless `again` is true.
 */
export async function referenceSeed({ again }: { readonly again: boolean }): Promise<[sql: string, values: unknown[]]> {
  const [sql, texts] = await Promise.all([readReference('seed.sql'), referenceTexts()]);
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  return [sql, [...texts, digest, again]];
}
