import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { PoolConfig } from 'pg';
import { connectionTo } from '../../src/database/embedded.ts';
import { socketPathIn } from '../../src/database/embedded-lock.ts';
import { serveSocket } from '../../src/database/embedded-socket.ts';
import { prismaFolder } from '../../src/database/prisma-folder.ts';
import { diffToSchema } from './schema-engine.ts';

const schemaFile = join(prismaFolder, 'schema.prisma');

export interface Migration {
  /** Below prisma/migrations. */
  readonly folder: string;
  readonly sql: string;
  /** The statements that lose data. */
  readonly losses: readonly string[];
}

/** The migration that leads from prisma/migrations to a schema; undefined where they agree. `now` names it. */
export async function migrationTo(schema: string, name: string, now: Date): Promise<Migration | undefined> {
  const sql = await onEmptyDatabase((connection) => diffToSchema(connection, schema));
  if (sql === '') return undefined;
  const losses = sql.match(/^.*\b(DROP (COLUMN|TABLE)|SET DATA TYPE|SET NOT NULL)\b.*$/gm) ?? [];
  const warning = losses.length > 0 ? '-- This migration loses data.\n' : '';
  const time = now.toISOString().replace(/\D/g, '').slice(0, 14);
  return { folder: `${time}_${name}`, sql: warning + sql, losses: losses.map((line) => line.trim()) };
}

/**
 * The parts of a migration that creates tables: their foreign keys are in a migration of their own, because Citus adds them to
 * distributed tables only and `npm run migrate` distributes new tables after each migration.
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

/** An empty embedded database in this process, for the schema engine to try the migrations on. */
async function onEmptyDatabase<T>(use: (connection: PoolConfig) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vaga-migration-'));
  const db = await PGlite.create();
  const stop = await serveSocket(db, socketPathIn(folder));
  try {
    return await use(connectionTo(folder));
  } finally {
    await stop();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}
