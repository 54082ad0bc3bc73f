import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { listMigrations, migrationsFolder, prismaFolder, readMigration } from '../../src/database/prisma-folder.ts';

export const noFilters = { externalTables: [], externalEnums: [] };

/** What the package's JavaScript half offers once its WebAssembly half is set; its own types leave these two out. */
interface Bindings {
  SchemaEngine: typeof SchemaEngine;
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
}

let loading: Promise<Bindings> | undefined;

/** Loaded by hand because Node 20 cannot import a WebAssembly file. */
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

/** The system catalogue's one-byte type "char"; the schema engine reads such columns, and the adapter does not know the type. */
const characterOid = 18;

/** An adapter as the schema engine needs it: one connection, because its own lock belongs to a session, and whole scripts. */
export async function connectForEngine(config: pg.PoolConfig): Promise<SqlDriverAdapter> {
  const pool = new pg.Pool({ ...config, max: 1 });
  // A pending query already reports a broken connection; an unhandled event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapter = await new PrismaPg(pool, { disposeExternalPool: true }).connect();
  // The adapter cuts a script at every semicolon, also within a string; whole, a migration is all or nothing.
  adapter.executeScript = async (script) => {
    await pool.query(script);
  };
  /** Of the result that was read last: the engine asks one thing after the other. */
  let isCharacter: boolean[] = [];
  const query = pool.query.bind(pool);
  const asText = async (asked: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await query(asked);
    // Of a script with several results, none is read.
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

/** The engine over a database that may be its shadow database too; nothing of it is left open. */
export async function withEngine<T>(config: pg.PoolConfig, use: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  loading ??= load();
  const { SchemaEngine: Engine } = await loading;
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

/** The project's migrations, as the engine takes them. */
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

/** SQL that leads from the migrations to a schema, empty where they agree. The shadow database must be empty. */
export async function diffToSchema(shadow: pg.PoolConfig, schema: string): Promise<string> {
  const path = join(prismaFolder, 'schema.prisma');
  const from = { tag: 'migrations' as const, ...(await migrationList()) };
  const to = { tag: 'schemaDatamodel' as const, files: [{ path, content: schema }] };
  const { stdout } = await withEngine(shadow, (engine) =>
    engine.diff({ from, to, script: true, exitCode: null, filters: noFilters }),
  );
  const sql = stdout ?? '';
  return /^\s*(-- This is an empty migration\.\s*)?$/.test(sql) ? '' : sql;
}
