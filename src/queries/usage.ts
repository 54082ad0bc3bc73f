import { Prisma } from '../../generated/prisma/client.ts';
import { batchLoader } from '../database/batch-loader.ts';
import type { Db } from '../database/open.ts';
import { dayToDate } from '../domain/dates.ts';
import type { Entitlement } from '../domain/eligibility.ts';

/** The key of a count that runs until a reset. */
const noPeriod = '1970-01-01';

export const periodKey = (entitlement: Entitlement): Date => dayToDate(entitlement.period?.start ?? noPeriod);

/** Postings counted against this entitlement so far. */
export const readUsage = async (db: Db, companyId: bigint, entitlement: Entitlement): Promise<number> =>
  (await look(db, { companyId, allowance: entitlement.allowance, start: periodKey(entitlement) })) ?? 0;

interface Count {
  readonly companyId: bigint;
  readonly allowance: Entitlement['allowance'];
  readonly start: Date;
}

const look = batchLoader<Count, number>(
  ({ companyId, allowance, start }) => `${companyId} ${allowance} ${start.getTime()}`,
  async (db, counts) => {
    const rows = await db.rows<{ place: number; used: number }>(Prisma.sql`
      SELECT asked.place::float8, found.used
        FROM unnest(${counts.map(({ companyId }) => companyId)}::bigint[],
                    ${counts.map(({ allowance }) => allowance)}::allowance[],
                    ${counts.map(({ start }) => start.toISOString())}::date[])
               WITH ORDINALITY AS asked (company_id, allowance, period_start, place),
             LATERAL (SELECT used FROM posting_usage u
                       WHERE u.company_id = asked.company_id AND u.allowance = asked.allowance
                         AND u.period_start = asked.period_start LIMIT 1) AS found`);
    return new Map(rows.map(({ place: route, used }) => [route - 1, used]));
  },
);
