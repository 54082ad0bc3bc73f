import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { connectionTo } from '../../src/database/embedded.ts';
import { socketPathIn } from '../../src/database/embedded-lock.ts';
import { serveSocket } from '../../src/database/embedded-socket.ts';
import { findTemplate } from '../../src/database/embedded-template.ts';
import { migrateEmbedded } from '../../src/database/migrations.ts';
import {
  listMigrations,
  migrationsFolder,
  prismaFolder,
  readFunctions,
  readMigration,
} from '../../src/database/prisma-folder.ts';
import { newCluster, openCluster } from '../new-cluster.ts';
import { clausesOf, generatedMark, type Named, type Replaced } from './replaced.ts';

const schemaFile = join(prismaFolder, 'schema.prisma');

export interface Migration {
  /** Its name below prisma/migrations. */
  readonly folder: string;
  readonly sql: string;
  /** The statements that lose data. */
  readonly losses: readonly string[];
}

type Remade = Migration & Pick<Replaced, 'from' | 'onward'>;

/** The schema that a migration should lead to, and how to make the migration. */
export interface Target {
  readonly schema: string;
  /** The migration's folder is named by the time and this name. */
  readonly name: string;
  readonly now: Date;
  /** The SQL of the functions that must work with the schema. Defaults to that of the project. */
  readonly functions?: string;
  /** Keeps the database open: the next call is faster, and the process needs more memory. */
  readonly keep?: boolean;
}

/**
 * Makes the migration from prisma/migrations to a target. Returns undefined if none is needed. Throws if the migration fails on a database
 * that has applied all others, or if the functions fail after it.
 */
export async function migrationTo({ schema, name, now, functions, keep = false }: Target) {
  const names = await listMigrations();
  const { sql, losses } = await onMigratedDatabase(keep, names, (opened) => triedDiff(opened, schema, functions));
  return sql === '' ? undefined : { folder: folderOf(name, now), sql, losses };
}

const folderOf = (name: string, now: Date) => `${now.toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`;

/**
 * Makes a migration to a target, to replace the migrations `earlier`, which led to the schema `before`, or if somebody has edited the first of
 * them, those after it (`from`). The new SQL is empty if the other migrations already lead to the target. `onward` is the SQL for a database
 * that has applied `from`. Returns undefined if somebody has edited the last of `earlier`, or `before`.
 */
export async function remadeMigration(
  earlier: readonly Named[],
  before: string,
  target: Target,
): Promise<Remade | undefined> {
  if (earlier.length === 0) return undefined;
  const { schema, name, now, functions, keep = false } = target;
  const names = (await listMigrations()).filter((one) => !earlier.some(({ folder }) => folder === one));
  const remade = await onMigratedDatabase(keep, names, async (opened) => {
    const was = await triedDiff(opened, before);
    if (earlier.map(({ sql }) => sql.replace(generatedMark, '')).join('') !== was.sql) return undefined;
    const { sql, losses } = await triedDiff(opened, schema, functions);
    const onward = await diffToSchema(opened.connection, schema, before);
    // The losses of `earlier` were allowed when it was made.
    const further = losses.filter((one) => !was.losses.includes(one));
    return { folder: folderOf(name, now), sql, losses: further, onward, from: earlier };
  });
  return remade ?? remadeMigration(earlier.slice(1), before, target);
}

/** Returns the SQL from the database to a schema, and the statements in it that lose data. Throws if the SQL or the functions after it fail. */
async function triedDiff({ connection, db }: Opened, schema: string, functions?: string) {
  const diff = await diffToSchema(connection, schema);
  const losses = lossesIn(diff, await columnsOf(db));
  const script = `${diff};${functions ?? (await readFunctions())}`;
  await db
    .transaction(async (transaction) => {
      await transaction.exec(script);
      await transaction.rollback();
    })
    .catch(({ message }: Error) => {
      throw new Error(`the migration would fail: ${message}\n${diff}`);
    });
  return { sql: losses.length > 0 ? `-- This migration loses data.\n${diff}` : diff, losses };
}

/** By `table.column`, how many digits a numeric column has before and after the point. */
type Columns = ReadonlyMap<string, readonly [whole: number, fraction: number]>;

async function columnsOf(db: PGlite): Promise<Columns> {
  const { rows } = await db.query<{ name: string; type: string; digits: number; scale: number }>(`
    SELECT table_name || '.' || column_name AS name, data_type AS type, numeric_precision AS digits, numeric_scale AS scale
      FROM information_schema.columns WHERE table_schema = 'public' AND numeric_scale IS NOT NULL`);
  const whole: Readonly<Record<string, number>> = { smallint: 5, integer: 10, bigint: 19 };
  return new Map(rows.map(({ name, type, digits, scale }) => [name, [whole[type] ?? digits - scale, scale]]));
}

/** Returns the statements that lose data. Making a numeric column wider loses none. */
function lossesIn(sql: string, columns: Columns): string[] {
  let table = '';
  return sql.split('\n').flatMap((line) => {
    table = /ALTER TABLE "(\w+)"/.exec(line)?.[1] ?? table;
    if (!/\b(DROP (COLUMN|TABLE)|SET DATA TYPE|SET NOT NULL)\b/.test(line)) return [];
    const [, column, type, digits, scale] = /"(\w+)" SET DATA TYPE (BIGINT|DECIMAL\((\d+),\s*(\d+)\))/.exec(line) ?? [];
    const [whole, fraction] = columns.get(`${table}.${column}`) ?? [Number.POSITIVE_INFINITY, 0];
    const isWider =
      type === 'BIGINT'
        ? fraction === 0 && whole < 19
        : Number(digits) - Number(scale) >= whole && Number(scale) >= fraction;
    const change = line.trim().replace(/^ALTER TABLE "\w+" |[,;]$/g, '');
    return isWider ? [] : [change.startsWith('DROP TABLE') ? change : `ALTER TABLE "${table}" ${change}`];
  });
}

/**
 * Splits a migration that creates tables: foreign keys get a migration of their own, because Citus allows them only on distributed tables,
 * and `npm run migrate` distributes new tables after each migration.
 */
export function separateKeys({ folder, sql }: Pick<Migration, 'folder' | 'sql'>): Pick<Migration, 'folder' | 'sql'>[] {
  const keys = sql.indexOf('-- AddForeignKey');
  if (keys < 0 || !sql.includes('CREATE TABLE')) return [{ folder, sql }];
  return [
    { folder, sql: sql.slice(0, keys) },
    { folder: `${folder}_keys`, sql: sql.slice(keys) },
  ];
}

export const currentSchema = (): Promise<string> => readFile(schemaFile, 'utf8');

interface Opened {
  /** A temporary folder, removed by `close`. */
  readonly folder: string;
  readonly connection: pg.PoolConfig;
  readonly db: PGlite;
  close(): Promise<void>;
}

/** The database of the last call with `keep`, and the texts of its migrations. */
let kept: { readonly opened: Opened; readonly migrations: readonly string[] } | undefined;

process.once('exit', () => {
  if (kept) rmSync(kept.opened.folder, { recursive: true, force: true });
});

/** Calls `use` with an embedded database in this process that has applied these migrations. */
async function onMigratedDatabase<T>(
  keep: boolean,
  names: readonly string[],
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const migrations = await Promise.all(names.map(async (name) => `${name}\n${await readMigration(name)}`));
  const last = kept;
  kept = undefined;
  // The kept database can apply further migrations, but cannot undo one.
  const isBefore = last?.migrations.every((text, at) => text === migrations[at]);
  if (!isBefore) await last?.opened.close();
  const opened = (isBefore && last?.opened) || (await open(names));
  try {
    await migrateEmbedded(opened.connection, names);
    const result = await use(opened);
    if (keep) kept = { opened, migrations };
    return result;
  } finally {
    if (!kept) await opened.close();
  }
}

async function open(names: readonly string[]): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'vaga-migration-'));
  const template = await findTemplate(names);
  const db = await (template ? openCluster(template) : newCluster());
  const stop = await serveSocket(db, socketPathIn(folder));
  const close = async () => {
    await stop();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, connection: connectionTo(folder), db, close };
}

/** The SQL from a database, or from the schema `before`, to a schema. Empty if they agree. Rows without a value get the default of a column that refuses null. */
export async function diffToSchema(connection: pg.PoolConfig, schema: string, before?: string): Promise<string> {
  const model = (content: string) => ({ tag: 'schemaDatamodel' as const, files: [{ path: schemaFile, content }] });
  const to = model(schema);
  const database = { ...to, tag: 'schemaDatasource' as const, configDir: prismaFolder };
  const from = before === undefined ? database : model(before);
  const { stdout } = await withEngine(connection, (engine) =>
    engine.diff({ from, to, script: true, exitCode: null, filters: noFilters }),
  );
  const sql = stdout ?? '';
  return /^\s*(-- This is an empty migration\.\s*)?$/.test(sql) ? '' : defaultsFor(sql) + sql;
}

/** The statements that give rows without a value the default of each column that `sql` makes NOT NULL. */
function defaultsFor(sql: string): string {
  const changes = clausesOf(sql);
  const updates = changes.flatMap(({ table, clause }) => {
    const [, column] = /^ALTER COLUMN ("\w+") SET NOT NULL$/.exec(clause) ?? [];
    const begin = `ALTER COLUMN ${column} SET DEFAULT `;
    const setting = changes.find((one) => one.table === table && one.clause.startsWith(begin));
    return setting
      ? [`UPDATE ${table} SET ${column} = ${setting.clause.slice(begin.length)} WHERE ${column} IS NULL;\n\n`]
      : [];
  });
  return updates.join('');
}

export const noFilters = { externalTables: [], externalEnums: [] };

/** Two exports of the package's JavaScript part, which need its WebAssembly part. The package's own types omit both. */
interface Bindings {
  SchemaEngine: typeof SchemaEngine;
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
}

const loaded = Symbol.for('vaga: schema engine');
/**
 * One for the whole process: the JavaScript part, of which a process has one, frees what JavaScript's garbage collector finds in the
 * WebAssembly part that was set last. With two copies of this file, as for an edited project, that would be the other copy's.
 */
const shared: { [loaded]?: Promise<Bindings> } = Object(globalThis);

/** Loads the schema engine by hand, because Node 20 cannot import a WebAssembly file. */
async function load(): Promise<Bindings> {
  const name = '@prisma/schema-engine-wasm/schema_engine_bg';
  const bindings: Bindings & WebAssembly.ModuleImports = await import(name);
  const folder = dirname(fileURLToPath(import.meta.resolve(name)));
  const wasm = await readFile(join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === 'function') start();
  return bindings;
}

/** The OID of the system catalogue's one-byte type "char". The schema engine reads such columns; the adapter does not know the type. */
const characterOid = 18;

/** Opens an adapter for the engine. It has one connection, because the engine's lock belongs to a session, and runs scripts unsplit. */
export async function connectForEngine(config: pg.PoolConfig): Promise<SqlDriverAdapter> {
  const pool = new pg.Pool({ ...config, max: 1 });
  // A pending query already reports a broken connection; an unhandled event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapter = await new PrismaPg(pool, { disposeExternalPool: true }).connect();
  // The adapter splits a script at every semicolon, even inside a string. As one script, a migration applies completely or not at all.
  adapter.executeScript = async (script) => {
    await pool.query(script);
  };
  /** Which columns of the last result have the type "char". The engine sends one query at a time. */
  let isCharacter: boolean[] = [];
  const query = pool.query.bind(pool);
  const asText = async (asked: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await query(asked);
    // A script with several results has no `fields` here, and nothing reads its results.
    const fields = result.fields ?? [];
    isCharacter = fields.map(({ dataTypeID }) => dataTypeID === characterOid);
    for (const field of fields) if (field.dataTypeID === characterOid) field.dataTypeID = pg.types.builtins.TEXT;
    return result;
  };
  // The cast: pg declares a dozen overloads of `query`; the adapter calls the one that takes an object and returns a promise.
  pool.query = asText as pg.Pool['query'];
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (asked) => {
    const { columnTypes, ...result } = await queryRaw(asked);
    const types = columnTypes.map((type, column) => (isCharacter[column] ? ColumnTypeEnum.Character : type));
    return { ...result, columnTypes: types };
  };
  return adapter;
}

/** Runs the engine on a database, which it may also use as its shadow database. Closes everything afterwards. */
export async function withEngine<T>(config: pg.PoolConfig, use: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  shared[loaded] ??= load();
  const { SchemaEngine: Engine } = await shared[loaded];
  const adapters: SqlDriverAdapter[] = [];
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await connectForEngine(config);
    adapters.push(adapter);
    return adapter;
  };
  const factory = bindMigrationAwareSqlAdapterFactory({
    ...{ provider: 'postgres', adapterName: '@prisma/adapter-pg', connect, connectToShadowDb: connect },
  });
  const engine = await Engine.new({ datamodels: undefined }, () => undefined, factory);
  try {
    return await use(engine);
  } finally {
    engine.free();
    await Promise.allSettled(adapters.map((adapter) => adapter.dispose()));
  }
}

/** Returns the project's migrations in the engine's format. */
export async function migrationList(): Promise<MigrationList> {
  const lockFile = 'migration_lock.toml';
  const migrations = (await listMigrations()).map(async (path) => {
    const content = { tag: 'ok' as const, value: await readMigration(path) };
    return { path, migrationFile: { path: 'migration.sql', content } };
  });
  return {
    baseDir: migrationsFolder,
    lockfile: { path: lockFile, content: await readFile(join(migrationsFolder, lockFile), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(migrations),
  };
}
