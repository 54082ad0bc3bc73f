import type { Rows } from './open.ts';

interface Turn<K, V> {
  readonly keys: K[];
  /** Where in `keys` a key is, by its name. */
  readonly places: Map<string, number>;
  readonly found: Promise<ReadonlyMap<number, V>>;
}

/**
 * A look-up by key whose calls of one turn of the event loop travel as one statement, and equal keys as one key: under load a
 * round trip serves many requests, and alone a request waits for nothing. It is sent after all of them have asked, so that each
 * sees what was committed before it came. `find` answers by the places of its keys, and looks each up in a LATERAL with a LIMIT: the
 * planner would else join whole tables where it expects many.
 */
export function inOneTurn<K, V>(
  nameOf: (key: K) => string,
  find: (db: Rows, keys: readonly K[]) => Promise<ReadonlyMap<number, V>>,
): (db: Rows, key: K) => Promise<V | undefined> {
  const turns = new WeakMap<Rows, Turn<K, V>>();

  const begin = (db: Rows): Turn<K, V> => {
    const keys: K[] = [];
    const found = new Promise<ReadonlyMap<number, V>>((resolve) => {
      setImmediate(() => {
        turns.delete(db);
        resolve(find(db, keys));
      });
    });
    const turn = { keys, places: new Map(), found };
    turns.set(db, turn);
    return turn;
  };

  return async (db, key) => {
    const { keys, places, found } = turns.get(db) ?? begin(db);
    const name = nameOf(key);
    const place = places.get(name) ?? keys.push(key) - 1;
    places.set(name, place);
    return (await found).get(place);
  };
}
