import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Rows } from '../database/open.ts';

/** What a window has counted; it ends in `seconds`, at least 1. */
interface Counted {
  readonly points: number;
  readonly seconds: number;
}

/** Counts the points of keys in windows, which begin with a key's first point. */
export interface LimitStore {
  readonly kind: 'memory' | 'postgresql';
  /** Adds points, which may be negative, and returns the count up to these. */
  add(key: string, points: number): Promise<Counted>;
  clear(key: string): Promise<unknown>;
}

/** Counts in this process. */
export function memoryStore(windowSeconds: number): LimitStore {
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds });
  return {
    kind: 'memory',
    add: async (key, points) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      return { points: consumedPoints, seconds: secondsOf(msBeforeNext) };
    },
    clear: (key) => limiter.delete(key),
  };
}

const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const hasEnded = 'counted.expire <= excluded.expire - $3';
// In the order of keys, so that two processes never wait for each other.
const addAll = `
  INSERT INTO rate_limits AS counted
  SELECT key, points, ${nowMs} + $3 FROM unnest($1::text[], $2::int[]) AS added (key, points) ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
         points = excluded.points + CASE WHEN ${hasEnded} THEN 0 ELSE counted.points END,
         expire = CASE WHEN ${hasEnded} THEN excluded.expire ELSE counted.expire END
  RETURNING key, points, (expire - ${nowMs})::float8 AS ms`;

interface Row {
  readonly key: string;
  readonly points: number;
  readonly ms: number;
}

interface Batch {
  /** What the calls of this tick have added to each key so far. */
  readonly added: Map<string, number>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}

/**
 * Counts in the table rate_limits, together with other processes; windows go by the database's clock. What comes in one tick is one
 * statement.
 */
export function databaseStore(db: Rows, windowSeconds: number): LimitStore {
  let open: Batch | undefined;
  const begin = (): Batch => {
    const added = new Map<string, number>();
    const rows = new Promise<ReadonlyMap<string, Row>>((resolve) => {
      setImmediate(() => {
        open = undefined;
        const values = [[...added.keys()], [...added.values()], windowSeconds * 1000];
        resolve(db.rows<Row>({ text: addAll, values }).then((found) => new Map(found.map((row) => [row.key, row]))));
      });
    });
    return { added, rows };
  };
  return {
    kind: 'postgresql',
    add: async (key, points) => {
      open ??= begin();
      const { added, rows } = open;
      const upToThese = (added.get(key) ?? 0) + points;
      added.set(key, upToThese);
      const row = (await rows).get(key);
      if (!row) throw new Error('a count was not returned');
      return { points: row.points - (added.get(key) ?? 0) + upToThese, seconds: secondsOf(row.ms) };
    },
    clear: (key) => db.rows({ text: 'DELETE FROM rate_limits WHERE key = $1', values: [key] }),
  };
}

const secondsOf = (ms: number): number => Math.max(Math.ceil(ms / 1000), 1);
