import type { Db } from '../../src/database/open.ts';
import { db } from './fixtures.ts';

type Query = (own: () => Promise<unknown>) => Promise<unknown>;

/** The tests' database, with every query but credential lookups sent elsewhere. */
export function afterTheGate(query: Query, rows: Db['rows']): Db {
  const extended = db().$extends({
    query: {
      $allOperations: ({ args, query: own, model }) => (model === 'Credential' ? own(args) : query(() => own(args))),
    },
  });
  const chosen: Db['rows'] = (statement) =>
    /\bcredentials\b/.test(statement.text) ? db().rows(statement) : rows(statement);
  // Prisma's extended client has another type, though it can do everything that the client does.
  return Object.assign(extended as unknown as Db, { rows: chosen });
}

/** The tests' database, where everything except credential lookups waits until it is released: work keeps its place meanwhile. */
export function heldDatabase(): { db: Db; release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const own = afterTheGate(
    async (query) => {
      await released;
      return query();
    },
    async (statement) => {
      await released;
      return db().rows(statement);
    },
  );
  return { db: own, release };
}
