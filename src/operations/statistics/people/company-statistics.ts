import * as z from 'zod';
import { addDays, type Day, minuteMs, startOfDay } from '../../../domain/dates.ts';
import { requestLogDays } from '../../../telemetry/logged-request.ts';
import { declareList } from '../../kit/declare.ts';
import { companyId, day, environment } from '../../kit/fields.ts';
import * as queries from '../statistics-sql.ts';

const minutes = 60;
/** If a day has more requests, only the latest are counted. At 60 requests a minute, a day has 86,400. */
export const requestsPerDayMax = 10_000;
const postingsMax = 2000;

const by = ['operator', 'administrator', 'person'] as const;
const tenant = { companyId: companyId(), environment: environment().default('production') };

/** The labels of the classes of status by which requests are counted. */
export const statusClasses = {
  succeeded: 'Succeeded (2xx, 3xx)',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx, no answer)',
} as const;

type ByClass = Readonly<Record<keyof typeof statusClasses, number>>;

const sumOf = ({ succeeded, refused, failed }: ByClass): number => succeeded + refused + failed;

/** Lists 60 minutes, oldest first, up to the current one. */
export const requestsPerMinute = declareList({
  command: 'request minutes',
  title: "Count a company's requests of the last hour by minute",
  by,
  input: z.object(tenant),
  items: 'minutes',
  columns: { minute: 'Time', requests: 'Requests', ...statusClasses },
  read: async (ctx, tenant) => {
    const from = new Date(ctx.now.getTime() - (minutes - 1) * minuteMs);
    const counted = await queries.countByMinute(ctx.db, tenant, from, ctx.now);
    return { items: counted.map(({ minute, ...count }) => ({ minute, requests: sumOf(count), ...count })) };
  },
});

/** Counts each day's requests by class of status, with their latency. Lists the oldest day first, and days without requests, too. */
export const requestsPerDay = declareList({
  command: 'request days',
  title: `Count a company's requests of the last ${requestLogDays} days by day`,
  by,
  input: z.object(tenant),
  items: 'days',
  columns: {
    day: 'Day',
    ...statusClasses,
    medianMs: 'Median',
    slowMs: '95th percentile',
  },
  read: async (ctx, tenant) => {
    const days = Array.from({ length: requestLogDays }, (_, index) => addDays(ctx.today, index + 1 - requestLogDays));
    const start = (day: Day): Date => startOfDay(ctx.timeZone, day);
    const spans = days.map((day) => ({ start: start(day), end: start(addDays(day, 1)) }));
    const found = await queries.countRequests(ctx.db, tenant, spans, requestsPerDayMax);
    const counts = new Map(found.map(({ index, ...rest }) => [index, rest]));
    return { items: days.map((day, index) => ({ day, ...(counts.get(index) ?? noRequests) })) };
  },
});

const noRequests = { succeeded: 0, refused: 0, failed: 0, medianMs: 0, slowMs: 0 };

/** Counts the postings of each day until today, including days without postings. Counts at most the latest 2,000 jobs. */
export const postingsPerDay = declareList({
  command: 'job days',
  title: 'Count the jobs that a company has posted since a day, by day',
  by,
  input: z.object({ ...tenant, firstDay: day().meta({ label: 'First day', example: '2026-11-01' }) }),
  items: 'days',
  columns: { day: 'Day', jobs: 'Jobs' },
  read: async (ctx, { firstDay, ...tenant }) => {
    const since = startOfDay(ctx.timeZone, firstDay);
    const found = await queries.countPostings(ctx.db, tenant, since, ctx.timeZone, postingsMax);
    const counts = new Map(found.map(({ day, jobs }) => [day, jobs]));
    const items: queries.PostedJobs[] = [];
    for (let day = firstDay; day <= ctx.today; day = addDays(day, 1)) items.push({ day, jobs: counts.get(day) ?? 0 });
    return { items };
  },
});
