import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prismaFolder } from './migrations-folder.ts';

const read = (file: string): Promise<string> => readFile(join(prismaFolder, 'reference', file), 'utf8');

/** The JSON of the plans, the districts and the categories. */
export const referenceTexts = (): Promise<string[]> =>
  Promise.all(['plans.json', 'districts.json', 'categories.json'].map(read));

/**
 * The statement that inserts the missing reference data and returns `inserted`, the number of rows, with its parameters.
 * Inserts nothing if the same data was seeded before, unless `again` is true.
 */
export async function referenceSeed({ again }: { readonly again: boolean }): Promise<[sql: string, values: unknown[]]> {
  const [sql, texts] = await Promise.all([read('seed.sql'), referenceTexts()]);
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  return [sql, [...texts, digest, again]];
}
