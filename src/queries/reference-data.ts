import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { prismaFolder } from '../database/migrations-folder.ts';
import type { Tx } from '../database/transaction.ts';

/** What the seed and the checks need of a pg pool or client. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Main areas come before their children in the file, as the foreign key wants them. */
const tables = [
  {
    file: 'plans.json',
    insert: `INSERT INTO plans (id, name, posting_limit, api_eligible)
             SELECT id, name, posting_limit, api_eligible FROM jsonb_to_recordset($1::jsonb)
                 AS r(id int, name text, posting_limit int, api_eligible boolean)
             ON CONFLICT DO NOTHING`,
  },
  {
    file: 'districts.json',
    insert: `INSERT INTO districts (id, name, slug)
             SELECT id, name, slug FROM jsonb_to_recordset($1::jsonb) AS r(id int, name text, slug text)
             ON CONFLICT DO NOTHING`,
  },
  {
    file: 'categories.json',
    insert: `INSERT INTO categories (id, name, slug, parent_id, active)
             SELECT id, name, slug, parent_id, active FROM jsonb_to_recordset($1::jsonb)
                 AS r(id int, name text, slug text, parent_id int, active boolean)
             ON CONFLICT DO NOTHING`,
  },
];

/** The reference data as text, in the order in which it is inserted. */
export const referenceTexts = (): Promise<string[]> =>
  Promise.all(tables.map(({ file }) => readFile(join(prismaFolder, 'reference', file), 'utf8')));

/** Inserts the rows that are missing and leaves the others as an administrator may have changed them. */
export async function seedReferenceData(db: Queryable): Promise<void> {
  const texts = await referenceTexts();
  for (const [index, { insert }] of tables.entries()) await db.query(insert, [texts[index]]);
}

const seeded = 'reference';

/** The same, unless these very data have been seeded before. */
export async function seedOnce(db: Queryable): Promise<void> {
  const digest = createHash('sha256')
    .update(JSON.stringify(await referenceTexts()))
    .digest('hex');
  const known = await db.query('SELECT FROM service_state WHERE name = $1 AND value = to_jsonb($2::text)', [
    seeded,
    digest,
  ]);
  if (known.rows.length > 0) return;
  await seedReferenceData(db);
  await db.query(
    `INSERT INTO service_state (name, value) VALUES ($1, to_jsonb($2::text)) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [seeded, digest],
  );
}

/** Seeds through Prisma what seedReferenceData sends to a pg client; answers how many rows were missing. */
export async function seedMissing(tx: Tx): Promise<number> {
  let inserted = 0;
  const query = async (sql: string, values: readonly unknown[] = []) => {
    inserted += await tx.$executeRawUnsafe(sql, ...values);
  };
  // pg overloads `query` a dozen times; the seed uses this form alone and no result of it.
  await seedReferenceData({ query } as unknown as Queryable);
  return inserted;
}
