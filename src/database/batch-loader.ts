import type { Rows } from './open.ts';

interface Batch<K, V> {
  readonly keys: K[];
  /** Index in `keys`, by the key's name. */
  readonly indexes: Map<string, number>;
  readonly found: Promise<ReadonlyMap<number, V>>;
}

/**
 * Batches lookups made in the same tick into one query, and equal keys into one. Without it a request costs a third more CPU in the
 * mixed benchmark. The query is sent after the lookups, so each sees what was committed before. `find` returns results by index of the
 * key; its SQL needs a LATERAL subquery with a LIMIT per key, or the planner joins whole tables.
 */
export function batchLoader<K, V>(
  nameOf: (key: K) => string,
  find: (db: Rows, keys: readonly K[]) => Promise<ReadonlyMap<number, V>>,
): (db: Rows, key: K) => Promise<V | undefined> {
  const batches = new WeakMap<Rows, Batch<K, V>>();

  const begin = (db: Rows): Batch<K, V> => {
    const keys: K[] = [];
    const found = new Promise<ReadonlyMap<number, V>>((resolve) => {
      setImmediate(() => {
        batches.delete(db);
        resolve(find(db, keys));
      });
    });
    const batch = { keys, indexes: new Map(), found };
    batches.set(db, batch);
    return batch;
  };

  return async (db, key) => {
    const { keys, indexes, found } = batches.get(db) ?? begin(db);
    const name = nameOf(key);
    const index = indexes.get(name) ?? keys.push(key) - 1;
    indexes.set(name, index);
    return (await found).get(index);
  };
}
