import type pg from 'pg';
import type { Db, PoolSettings, QueryOptions, Rows } from './pool.ts';

/** The sizes of two pools. `poolSize` is only the size of the third, `operations`. */
const admissionPoolSize = 4;
const pagesPoolSize = 4;

/** The most connections that one process opens to the database's server (with nodes, the coordinator, to which every `pages` pool connects). */
export const connectionsToServer = (poolSize: number, nodes: number): number =>
  poolSize + admissionPoolSize + pagesPoolSize * (1 + nodes);

/** One pool per kind of work, so that a slow or exhausted pool delays no other. */
export interface Pools {
  /** For the checks of every request: credential, request limits, maintenance. */
  readonly admission: pg.Pool;
  /** For the API's operations and background writes. */
  readonly operations: pg.Pool;
  readonly pages: pg.Pool;
}

export interface Connections {
  /** Prisma over `pools.operations`. */
  readonly db: Db;
  readonly admission: Rows;
  readonly pages: Db;
  readonly pools: Pools;
}

/** Opens a pool of at most `poolSize` connections. */
export type OpenPool = (poolSize: number) => pg.Pool;

/** Opens the pools. A pool connects with its first query, so an unused pool costs nothing. */
export async function connect(
  openPool: OpenPool,
  { poolSize }: PoolSettings,
  options: QueryOptions,
  openPagesPool: OpenPool = openPool,
): Promise<Connections> {
  const { prismaOver, rowsOver } = await import('./pool.ts');
  const pools = {
    admission: openPool(admissionPoolSize),
    operations: openPool(poolSize),
    pages: openPagesPool(pagesPoolSize),
  };
  return {
    db: prismaOver(pools.operations, options),
    admission: rowsOver(pools.admission, options),
    pages: prismaOver(pools.pages, options),
    pools,
  };
}

export async function disconnect({ db, pages, pools }: Connections): Promise<void> {
  await Promise.all([db.$disconnect(), pages.$disconnect()]);
  await endPools(pools);
}

export async function endPools({ admission, operations, pages }: Pools): Promise<void> {
  await Promise.all([admission.end(), operations.end(), pages.end()]);
}
