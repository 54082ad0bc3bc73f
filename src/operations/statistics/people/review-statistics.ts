import * as z from 'zod';
import { dayMs } from '../../../domain/dates.ts';
import { requestLogDays } from '../../../telemetry/logged-request.ts';
import { countWaitingCompanies } from '../../companies/people/list-companies.ts';
import { declareShow } from '../../kit/declare.ts';
import { countDenials, countRefusals, countWaitingJobs } from '../statistics-sql.ts';

/** The ages, in days, that divide waiting jobs into four groups. */
export const ageLimits = [1, 3, 7] as const;
const auditEntriesMax = 5000;
/** If there are more refused requests, only the latest are counted. */
export const refusalsMax = 10_000;
const reasonsMax = 8;

/**
 * Counts the production jobs pending review, in total and by age; the companies that asked for
 * production; and the most frequent reasons of the latest denials and refused requests.
 */
export const reviewStatistics = declareShow({
  acrossCompanies: true,
  command: 'job review',
  title: 'Count what waits for an administrator, and the latest refusals by reason',
  by: ['operator', 'administrator'],
  input: z.object({}),
  read: async (ctx) => {
    const before = (days: number): Date => new Date(ctx.now.getTime() - days * dayMs);
    const [day, days, week] = ageLimits;
    const { byAge, oldest } = await countWaitingJobs(ctx.db, [before(day), before(days), before(week)]);
    const requests = await countWaitingCompanies(ctx.db);
    return {
      pending: { jobs: byAge.reduce((jobs, more) => jobs + more, 0), oldest },
      companies: requests.total,
      oldestRequest: requests.oldest,
      pendingByAge: byAge,
      denials: await countDenials(ctx.db, auditEntriesMax, reasonsMax),
      refusals: await countRefusals(ctx.db, before(requestLogDays), refusalsMax, reasonsMax),
    };
  },
});
