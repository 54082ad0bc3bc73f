import type { Rows } from '../database/open.ts';

/** The points counted in a window, and the seconds until the window ends, at least 1. */
interface Counted {
  readonly points: number;
  readonly seconds: number;
}

/**
 * Counts points per key in windows. A key's window begins with the key's first point. Points are never taken back, so a count may exceed a
 * limit; this only means that the window is full.
 */
export interface LimitStore {
  readonly kind: 'memory' | 'postgresql';
  /** Adds points and returns the new count. */
  add(key: string, points: number): Promise<Counted>;
  /** Returns the counts of these keys; a key without a window has 0 points. Changes nothing. */
  read(...keys: readonly string[]): Promise<Counted[]>;
  /** Adds points if the count stays within `max`. Otherwise counts nothing and returns undefined. */
  addWithin(key: string, points: number, max: number): Promise<Counted | undefined>;
}

export interface SharedLimitStore extends LimitStore {
  clear(...keys: readonly string[]): Promise<unknown>;
}

/** Counts in this process. */
export function memoryStore(windowSeconds: number): LimitStore {
  // Windows in the order in which they end.
  const windows = new Map<string, { points: number; readonly endsAt: number }>();
  const addWithin: LimitStore['addWithin'] = async (key, points, max) => {
    const now = Date.now();
    for (const [ended, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(ended);
    }
    const window = windows.get(key) ?? { points: 0, endsAt: now + windowSeconds * 1000 };
    if (window.points + points > max) return undefined;
    windows.set(key, window);
    window.points += points;
    return { points: window.points, seconds: secondsOf(window.endsAt - now) };
  };
  return {
    kind: 'memory',
    add: async (key, points) => required(await addWithin(key, points, Number.POSITIVE_INFINITY)),
    addWithin,
    read: async (...keys) =>
      keys.map((key) => {
        const { points, endsAt } = windows.get(key) ?? noWindow;
        const ms = endsAt - Date.now();
        return ms > 0 ? { points, seconds: secondsOf(ms) } : { points: 0, seconds: windowSeconds };
      }),
  };
}

const noWindow = { points: 0, endsAt: 0 };

const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const hasEnded = 'counted.expire <= excluded.expire - $3';
const pointsAfter = `excluded.points + CASE WHEN ${hasEnded} THEN 0 ELSE counted.points END`;
// Locks rows in the order of keys, so that two processes cannot deadlock. Does not return keys whose points would exceed $4.
const addAll = `
  INSERT INTO rate_limits AS counted
  SELECT key, points, ${nowMs} + $3 FROM unnest($1::text[], $2::int[]) AS added (key, points)
   WHERE points <= $4::int ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
         points = ${pointsAfter},
         expire = CASE WHEN ${hasEnded} THEN excluded.expire ELSE counted.expire END
   WHERE ${pointsAfter} <= $4
  RETURNING key, points, (expire - ${nowMs})::float8 AS ms`;
const readAll = `
  SELECT key, points, (expire - ${nowMs})::float8 AS ms FROM rate_limits WHERE key = ANY ($1::text[]) AND expire > ${nowMs}`;
const unbounded = 2_147_483_647;

interface Row {
  readonly key: string;
  readonly points: number;
  readonly ms: number;
}

interface Batch {
  /** The points that this tick's calls have added to each key so far. */
  readonly added: Map<string, number>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}

/**
 * Counts in the table rate_limits, which all processes share, and measures windows with the database's clock. `add` sends the additions
 * of one tick as one statement; each `addWithin` sends its own.
 */
export function databaseStore(db: Rows, windowSeconds: number): SharedLimitStore {
  const addTo = (keys: Iterable<string>, points: Iterable<number>, max: number): Promise<Row[]> =>
    db.rows<Row>({ text: addAll, values: [[...keys], [...points], windowSeconds * 1000, max] });
  let open: Batch | undefined;
  const begin = (): Batch => {
    const added = new Map<string, number>();
    const rows = new Promise<ReadonlyMap<string, Row>>((resolve) => {
      setImmediate(() => {
        open = undefined;
        const found = addTo(added.keys(), added.values(), unbounded);
        resolve(found.then((counted) => new Map(counted.map((row) => [row.key, row]))));
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
      const row = required((await rows).get(key));
      return { points: row.points - (added.get(key) ?? 0) + upToThese, seconds: secondsOf(row.ms) };
    },
    addWithin: async (key, points, max) => {
      const [row] = await addTo([key], [points], max);
      return row && { points: row.points, seconds: secondsOf(row.ms) };
    },
    read: async (...keys) => {
      const rows = await db.rows<Row>({ text: readAll, values: [keys] });
      const found = new Map(rows.map((row) => [row.key, row]));
      return keys.map((key) => {
        const { points, ms } = found.get(key) ?? { points: 0, ms: windowSeconds * 1000 };
        return { points, seconds: secondsOf(ms) };
      });
    },
    clear: (...keys) => db.rows({ text: 'DELETE FROM rate_limits WHERE key = ANY ($1::text[])', values: [keys] }),
  };
}

const secondsOf = (ms: number): number => Math.max(Math.ceil(ms / 1000), 1);

export const readOne = async (store: LimitStore, key: string): Promise<Counted> => required((await store.read(key))[0]);

/** Counts one point and returns 0. If it does not fit, counts nothing and returns the seconds to wait. */
export const countOne = async (store: LimitStore, key: string, limit: number): Promise<number> =>
  (await store.addWithin(key, 1, limit)) ? 0 : (await readOne(store, key)).seconds;

function required<T>(counted: T | undefined): T {
  if (counted === undefined) throw new Error('a count was not returned');
  return counted;
}
