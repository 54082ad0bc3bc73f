import type { Db } from './open.ts';

interface Asked<V> {
  readonly found: Promise<V | undefined>;
  readonly settle: (found: Promise<V | undefined>) => void;
}

/**
 * A look-up by key whose calls of one turn of the event loop travel as one statement, and equal keys as one key: under load a
 * round trip serves many requests, and alone a request waits for nothing. It is sent after all of them have asked, so that each
 * sees what was committed before it came. `find` answers by the places of its keys, and looks each up in a LATERAL with a LIMIT: the
 * planner would else join whole tables where it expects many.
 */
export function inOneTurn<K, V>(
  nameOf: (key: K) => string,
  find: (db: Db, keys: readonly K[]) => Promise<ReadonlyMap<number, V>>,
): (db: Db, key: K) => Promise<V | undefined> {
  const turns = new WeakMap<Db, Map<string, Asked<V> & { readonly key: K }>>();

  const send = (db: Db): void => {
    const asked = [...(turns.get(db)?.values() ?? [])];
    turns.delete(db);
    const all = find(
      db,
      asked.map(({ key }) => key),
    );
    for (const [place, { settle }] of asked.entries()) settle(all.then((found) => found.get(place)));
  };

  return (db, key) => {
    let turn = turns.get(db);
    if (!turn) {
      turn = new Map();
      turns.set(db, turn);
      setImmediate(send, db);
    }
    const name = nameOf(key);
    let asked = turn.get(name);
    if (!asked) {
      let settle: Asked<V>['settle'] = () => undefined;
      const found = new Promise<V | undefined>((resolve) => {
        settle = resolve;
      });
      asked = { key, found, settle };
      turn.set(name, asked);
    }
    return asked.found;
  };
}
