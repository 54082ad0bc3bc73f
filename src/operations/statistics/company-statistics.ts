import type { Context } from '../../context.ts';
import { accessLogDays } from '../../domain/access-entry.ts';
import { addDays, type Day, startOfDay } from '../../domain/dates.ts';
import type { Period } from '../../domain/eligibility.ts';
import type { Tenant } from '../../domain/environment.ts';
import * as queries from '../../queries/statistics.ts';

/** Of a busier day the latest requests are counted: a minute with 60 requests all day makes 86,400. */
export const requestsPerDayMax = 10_000;
const postingsMax = 2000;

export type RequestDay = Omit<queries.RequestCounts, 'index'> & { readonly day: Day };

/** Counts a company's requests of the last days by class of status, with their latency; oldest first, also days without requests. */
export async function requestsPerDay(ctx: Context, tenant: Tenant): Promise<RequestDay[]> {
  const days = Array.from({ length: accessLogDays }, (_, index) => addDays(ctx.today, index + 1 - accessLogDays));
  const start = (day: Day): Date => startOfDay(ctx.timeZone, day);
  const spans = days.map((day) => ({ start: start(day), end: start(addDays(day, 1)) }));
  const found = await queries.countRequests(ctx.db, tenant, spans, requestsPerDayMax);
  const counts = new Map(found.map(({ index, ...rest }) => [index, rest]));
  return days.map((day, index) => ({ day, ...(counts.get(index) ?? noRequests) }));
}

const noRequests = { succeeded: 0, refused: 0, failed: 0, medianMs: 0, slowMs: 0 };

/** Counts a company's postings of a period day by day until today, each with those before it; of at most the latest 2,000 jobs. */
export async function postingsPerDay(
  ctx: Context,
  { period, ...tenant }: Tenant & { readonly period: Period },
): Promise<queries.PostedJobs[]> {
  const since = startOfDay(ctx.timeZone, period.start);
  const found = await queries.countPostings(ctx.db, tenant, since, ctx.timeZone, postingsMax);
  const counts = new Map(found.map(({ day, jobs }) => [day, jobs]));
  const days: queries.PostedJobs[] = [];
  for (let day = period.start, jobs = 0; day <= ctx.today && day <= period.end; day = addDays(day, 1)) {
    jobs += counts.get(day) ?? 0;
    days.push({ day, jobs });
  }
  return days;
}
