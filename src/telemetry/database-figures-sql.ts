import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../database/open.ts';

/** The figures are NaN while the database does not answer. */
export interface DatabaseFigures {
  readonly bytes: number;
  readonly reviewsWaiting: number;
}

const keptMs = 1000;

/** Returns a function that reads the figures at most once a second, so that all metrics of a scrape share one read. */
export function databaseFigures({ pages }: Pick<Database, 'pages'>): () => Promise<DatabaseFigures> {
  let latest: { readonly at: number; readonly figures: Promise<DatabaseFigures> } | undefined;
  return () => {
    const at = performance.now();
    if (!latest || at - latest.at > keptMs) latest = { at, figures: read(pages) };
    return latest.figures;
  };
}

const unknown: DatabaseFigures = { bytes: Number.NaN, reviewsWaiting: Number.NaN };

const read = (db: Database['pages']): Promise<DatabaseFigures> =>
  db
    .$queryRaw<DatabaseFigures[]>(
      Prisma.sql`
        SELECT pg_database_size(current_database())::float8 AS bytes, count(*)::int AS "reviewsWaiting"
          FROM (SELECT id FROM jobs WHERE environment = 'production' AND status = 'pending' LIMIT 1000) AS waiting`,
    )
    .then(
      ([figures = unknown]) => figures,
      () => unknown,
    );
