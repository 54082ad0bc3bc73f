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
import { listMigrations, migrationsFolder, prismaFolder, readMigration } from './migrations-folder.ts';
import { connectForEngine } from './schema-engine-adapter.ts';

const noFilters = { externalTables: [], externalEnums: [] };

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

async function withEngine<T>(
  config: PoolConfig,
  connectToShadowDb: () => Promise<SqlDriverAdapter>,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= load();
  const { SchemaEngine: Engine } = await loading;
  const adapters: SqlDriverAdapter[] = [];
  const track = async (adapter: Promise<SqlDriverAdapter>): Promise<SqlDriverAdapter> => {
    adapters.push(await adapter);
    return adapter;
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => track(connectForEngine(config)),
    connectToShadowDb: () => track(connectToShadowDb()),
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

async function migrationList(folder: string): Promise<MigrationList> {
  const names = await listMigrations(folder);
  const lockfile = await readFile(join(folder, 'migration_lock.toml'), 'utf8').catch(() => null);
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readMigration(name, folder) },
        },
      })),
    ),
  };
}

const noShadow = (): Promise<SqlDriverAdapter> =>
  Promise.reject(new Error('applying migrations needs no shadow database'));

/** Applies what is missing and returns its names; keeps `_prisma_migrations` as `prisma migrate deploy` would. */
export async function applyMigrations(config: PoolConfig, folder = migrationsFolder): Promise<string[]> {
  const migrationsList = await migrationList(folder);
  return withEngine(config, noShadow, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: noFilters });
    return appliedMigrationNames;
  });
}

/** Forgets an attempt that was cut off, so that it is made again. */
export const forgetFailedMigration = (config: PoolConfig, migrationName: string): Promise<void> =>
  withEngine(config, noShadow, async (engine) => {
    await engine.markMigrationRolledBack({ migrationName });
  });

/** SQL that leads from the migrations to the schema, empty where they agree. The shadow database must be empty. */
export async function diffToSchema(
  shadow: PoolConfig,
  paths: { schema?: string; migrations?: string } = {},
): Promise<string> {
  const schema = paths.schema ?? join(prismaFolder, 'schema.prisma');
  const from = { tag: 'migrations' as const, ...(await migrationList(paths.migrations ?? migrationsFolder)) };
  const files = [{ path: schema, content: await readFile(schema, 'utf8') }];
  return withEngine(
    shadow,
    () => connectForEngine(shadow),
    async (engine) => {
      const to = { tag: 'schemaDatamodel' as const, files };
      const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters: noFilters });
      const sql = stdout ?? '';
      return /^\s*(-- This is an empty migration\.\s*)?$/.test(sql) ? '' : sql;
    },
  );
}
