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

/** Names of what this version uses in the database; a column is `table.column`. */
interface UsedNames {
  readonly tables: string[];
  readonly types: string[];
  readonly columns: string[];
  readonly sequences: string[];
}

/** Reads them from schema.prisma. */
export async function listUsedNames(): Promise<UsedNames> {
  const schema = await readFile(join(prismaFolder, 'schema.prisma'), 'utf8');
  const blocks = schema.split(/^\}/m).flatMap((body) => {
    const [, kind, name = ''] = /^(model|enum) (\w+) \{/m.exec(body) ?? [];
    return kind ? [{ kind, name, body, stored: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name }] : [];
  });
  const models = blocks.filter(({ kind }) => kind === 'model');
  const used = { tables: [], types: [], columns: [], sequences: [] } as UsedNames;
  for (const { kind, stored } of blocks) (kind === 'model' ? used.tables : used.types).push(stored);
  for (const { body, stored: table } of models)
    for (const [, field, type, rest = ''] of body.matchAll(/^ {2}(\w+) +(\w+)(.*)$/gm)) {
      // The field of a relation is no column.
      if (models.some(({ name }) => name === type)) continue;
      const column = /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field;
      used.columns.push(`${table}.${column}`);
      if (rest.includes('@default(autoincrement())')) used.sequences.push(`${table}_${column}_seq`);
    }
  return used;
}

export const functionsFile = 'functions.sql';

/** The database's functions, in one script that may be applied repeatedly. */
export const readFunctions = (): Promise<string> => readFile(join(prismaFolder, functionsFile), 'utf8');

/** Names of the functions in that script. */
export const functionsIn = (script: string): string[] =>
  [...script.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, name]) => name ?? '');

/** Reads a query for faults that show an incomplete copy of a database (restored*.sql), or what it needs (latest-ids.sql). */
export const readRestoredCheck = (file = 'restored.sql'): Promise<string> => readFile(join(prismaFolder, file), 'utf8');

const readReference = (file: string): Promise<string> => readFile(join(prismaFolder, 'reference', file), 'utf8');

/** The tables with reference data. prisma/reference has their rows, and seed.sql inserts them in this order. */
export const referenceTables = ['plans', 'districts', 'categories'];

/** The JSON of each of these tables. */
export const referenceTexts = (): Promise<string[]> =>
  Promise.all(referenceTables.map((table) => readReference(`${table}.json`)));

/**
 * Returns the statement that inserts the missing reference data, and its parameters. The statement returns `inserted`, the number of rows.
 * It inserts nothing if the same data was seeded before, unless `again` is true.
 */
export async function referenceSeed({ again }: { readonly again: boolean }): Promise<[sql: string, values: unknown[]]> {
  const [sql, texts] = await Promise.all([readReference('seed.sql'), referenceTexts()]);
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  return [sql, [...texts, digest, again]];
}
