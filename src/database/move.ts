import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { refuseNodes } from './citus/citus.ts';
import { DatabaseError, firstLine } from './database-errors.ts';
import { openAlone } from './embedded.ts';
import { type Move, markMoved, markMoving, readMove, readMoved, whyNotServed } from './embedded-folder.ts';
import { addKeys, dropKeys, listKeys } from './foreign-keys.ts';
import { missingIn } from './inspect.ts';
import { migrateEmbedded, migrateServer, readApplied } from './migrations.ts';
import { placeOf } from './place.ts';
import { referenceTables } from './prisma-folder.ts';
import { correctSettings, forLongWork } from './server-settings.ts';
import { allOrNone } from './transaction.ts';
import { unusable } from './unusable.ts';

const { escapeIdentifier: quoted } = pg;

/** A row takes at most about 100 KB, so a batch takes at most about 20 MB. */
const batchRows = 200;

/** Tables that `migrateServer` fills. */
const filledAtFirst = [...referenceTables, 'service_state'];

type Moved = ({ readonly kind: 'moved' } & Move) | { readonly kind: 'already moved'; readonly place: string };

/**
 * Copies the embedded database of a folder that is not in use to an empty PostgreSQL database, after migrating both. Copies in one
 * transaction: a failed or killed copy leaves no row. A move that ends between commit and mark is finished by the next one. After the copy,
 * the folder cannot be opened again, and moving it there again does nothing. Throws a DatabaseError, perhaps after migrating one or both databases.
 */
export async function moveToServer(dataDir: string, databaseUrl: string): Promise<Moved> {
  const place = placeOf({ databaseUrl, dataDir });
  const target = await connected({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  let outcome = 'nothing was moved';
  try {
    await refuseNodes(target);
    if ((await readMoved(dataDir)) === place && (await findRows(target)) !== undefined) {
      await markMoved(dataDir, place);
      return { kind: 'already moved', place };
    }
    if (!(await hasCopy(target, await readMove(dataDir)))) await requireEmpty(target);
    const opened = await openAlone(dataDir);
    const embedded = await opened.start();
    try {
      await migrateEmbedded(opened.connection);
      await migrateServer(databaseUrl);
      const source = await connected(opened.connection);
      await requireSameMigrations(source, target);
      const beforeCommit = async (move: Move): Promise<void> => {
        outcome = `the move to ${move.place} is not finished, run it again`;
        await markMoving(dataDir, move);
      };
      const move = (await begunMove(dataDir, target, place)) ?? (await copy(source, target, place, beforeCommit));
      await markMoved(dataDir, move.place);
      // Left behind, the row does no harm, and the move is complete.
      await target.query('DELETE FROM service_state WHERE name = $1', [movedFrom]).catch(() => undefined);
      await source.end();
      return { kind: 'moved', ...move };
    } finally {
      await embedded.close();
    }
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(`${outcome}: ${firstLine(error)}`);
  } finally {
    await target.end();
  }
}

/** The name of the row with the move's id. */
const movedFrom = 'moved_from';

/** Whether the move was committed. Waits for a move that was killed while it committed, because that holds its locks. */
async function hasCopy(target: pg.Client, move: Move | undefined): Promise<boolean> {
  if (!move || !(await listTables(target)).includes('service_state')) return false;
  const copies = 'SELECT FROM service_state WHERE name = $1 AND value = to_jsonb($2::text)';
  return (await target.query(copies, [movedFrom, move.id])).rows.length > 0;
}

/** Returns the folder's earlier move if it was committed. Throws a DatabaseError if it may have been, to another database. */
async function begunMove(dataDir: string, target: pg.Client, place: string): Promise<Move | undefined> {
  const move = await readMove(dataDir);
  if (await hasCopy(target, move)) return move;
  if (move && move.place !== place) throw new DatabaseError((await whyNotServed(dataDir)) ?? place);
  return undefined;
}

const copy = (
  source: pg.Client,
  target: pg.Client,
  place: string,
  beforeCommit: (move: Move) => Promise<void>,
): Promise<Move> =>
  allOrNone(target, async () => {
    const move = { id: randomUUID(), place, ...(await copyAll(source, target)) };
    await target.query('INSERT INTO service_state (name, value) VALUES ($1, to_jsonb($2::text))', [movedFrom, move.id]);
    await beforeCommit(move);
    return move;
  });

async function connected(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'vaga move' });
  // The next statement reports a lost connection.
  client.on('error', () => undefined);
  await client.connect().catch((error) => Promise.reject(unusable(error)));
  await client.query(forLongWork());
  await correctSettings(client);
  return client;
}

async function requireEmpty(target: pg.Client): Promise<void> {
  const name = await findRows(target);
  if (name !== undefined)
    throw new DatabaseError(`the database is not empty, its table ${name} has rows: use an empty one`);
}

/** Returns the name of a table that has rows although nobody has used the database. */
async function findRows(target: pg.Client): Promise<string | undefined> {
  for (const name of await listTables(target)) {
    if (filledAtFirst.includes(name)) continue;
    const { rows } = await target.query(`SELECT FROM ${quoted(name)} LIMIT 1`);
    if (rows.length > 0) return name;
  }
  return undefined;
}

async function requireSameMigrations(source: pg.Client, target: pg.Client): Promise<void> {
  const [ours, theirs] = [await readApplied(source), await readApplied(target)];
  const [other] = [...ours, ...theirs].filter((name) => !ours.includes(name) || !theirs.includes(name));
  if (other !== undefined)
    throw new DatabaseError(`only one of the databases has the migration ${other}: use the version of both`);
}

/**
 * Copies without the foreign keys, so that the order of the tables does not matter. PostgreSQL checks all rows when the keys are added
 * again.
 */
async function copyAll(source: pg.Client, target: pg.Client): Promise<Pick<Move, 'tables' | 'rows'>> {
  const tables = await listTables(source);
  const all = tables.map(quoted).join();
  await target.query(`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(target);
  const keys = await listKeys(target, tables);
  await dropKeys(target, keys);
  await target.query(`TRUNCATE ${all}`);
  let rows = 0;
  for (const name of tables) rows += await copyRows(source, target, name);
  await addKeys(target, keys);
  await copySequences(source, target);
  const known = await missingIn(source);
  const [lost] = (await missingIn(target)).filter((problem) => !known.includes(problem));
  if (lost !== undefined) throw new DatabaseError(`the copy is not whole, ${lost}; nothing was moved`);
  return { tables: tables.length, rows };
}

/** Copies rows as composite values, so that PostgreSQL itself writes and reads every type. Generated columns are computed again. */
async function copyRows(source: pg.Client, target: pg.Client, name: string): Promise<number> {
  const { rows: columns } = await target.query<{ name: string; generated: string; type: string }>(
    `SELECT quote_ident(attname) AS name, attgenerated AS generated, reltype::regtype::text AS type
       FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [quoted(name)],
  );
  // Qualified, where PostgreSQL has a type of the table's name.
  const type = columns[0]?.type;
  const written = columns
    .filter(({ generated }) => generated === '')
    .map((column) => column.name)
    .join();
  // A database that had a migration made anew has its columns in another order.
  const read = columns.map((column) => column.name).join();
  await source.query(`DECLARE copied CURSOR WITH HOLD FOR SELECT ROW(${read})::text AS row FROM ${quoted(name)}`);
  for (let copied = 0; ; ) {
    const { rows } = await source.query<{ row: string }>(`FETCH ${batchRows} FROM copied`);
    await target.query(`INSERT INTO ${quoted(name)} (${written}) SELECT ${written} FROM unnest($1::${type}[])`, [
      rows.map(({ row }) => row),
    ]);
    copied += rows.length;
    if (rows.length < batchRows) {
      await source.query('CLOSE copied');
      return copied;
    }
  }
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value AS last FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  for (const { name, last } of rows) await target.query('SELECT setval($1, $2)', [name, last]);
}

/** Lists the tables to copy: all but Prisma's own. */
async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'`,
  );
  return rows.map(({ name }) => name);
}
