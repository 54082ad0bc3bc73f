import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import type { PoolConfig } from 'pg';
import { listMigrations, migrationsFolder, prismaFolder, readMigration } from '../../src/database/prisma-folder.ts';
import { connectForEngine } from './schema-engine-adapter.ts';

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

/** The engine over a database that may be its shadow database too; nothing of it is left open. */
export async function withEngine<T>(config: PoolConfig, use: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  loading ??= load();
  const { SchemaEngine: Engine } = await loading;
  const adapters: SqlDriverAdapter[] = [];
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await connectForEngine(config);
    adapters.push(adapter);
    return adapter;
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect,
    connectToShadowDb: connect,
  };
  const engine = await Engine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
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
  const names = await listMigrations();
  const content = await readFile(join(migrationsFolder, lockFile), 'utf8').catch(() => null);
  return {
    baseDir: migrationsFolder,
    lockfile: { path: lockFile, content },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: await readMigration(name) } },
      })),
    ),
  };
}

/** SQL that leads from the migrations to a schema, empty where they agree. The shadow database must be empty. */
export async function diffToSchema(shadow: PoolConfig, schema: string): Promise<string> {
  const path = join(prismaFolder, 'schema.prisma');
  const from = { tag: 'migrations' as const, ...(await migrationList()) };
  const to = { tag: 'schemaDatamodel' as const, files: [{ path, content: schema }] };
  const { stdout } = await withEngine(shadow, (engine) =>
    engine.diff({ from, to, script: true, exitCode: null, filters: noFilters }),
  );
  const sql = stdout ?? '';
  return /^\s*(-- This is an empty migration\.\s*)?$/.test(sql) ? '' : sql;
}
