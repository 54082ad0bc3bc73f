import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../src/database/open.ts';
import { db } from './fixtures.ts';

/** Answers a query. `text` is the SQL of a raw one, otherwise empty. */
type Query = (own: () => Promise<unknown>, text: string) => Promise<unknown>;

/** The tests' database, with every query but credential lookups sent through `query`. */
export function afterTheGate(query: Query): Db {
  const extended = db().$extends({
    query: {
      $allOperations: ({ args, query: own, model }) => {
        const text = model ? '' : textOf(args);
        const isLookup = model === 'Credential' || /\bcredentials\b/.test(text);
        return isLookup ? own(args) : query(() => own(args), text);
      },
    },
  });
  // Prisma's extended client has another type, though it can do everything that the client does.
  return Object.assign(extended as unknown as Db, { batchMax: db().batchMax });
}

const textOf = (args: Prisma.Sql | readonly [string, ...unknown[]]): string => ('text' in args ? args.text : args[0]);

/** The tests' database, where everything except credential lookups waits until it is released: work keeps its place meanwhile. */
export function heldDatabase(): { db: Db; release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const own = afterTheGate(async (query) => {
    await released;
    return query();
  });
  return { db: own, release };
}
