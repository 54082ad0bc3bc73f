import * as z from 'zod';
import type { Context } from '../../../context.ts';
import type { OwnedKey } from '../../../database/by-keys.ts';
import type { PartialTenant } from '../../../domain/environment.ts';
import { unknownJob } from '../../../domain/errors.ts';
import { asSent } from '../../../domain/field-rules.ts';
import { ofCompany } from '../../companies/people/change-company.ts';
import { companyNamed } from '../../companies/people/list-companies.ts';
import { declareList, declareShow, shownName } from '../../kit/declare.ts';
import { declareExport } from '../../kit/declare-export.ts';
import {
  choice,
  companyId,
  companyIdOrName,
  environment,
  minutes,
  page,
  searchText,
  separator,
  sort,
  spanOf,
} from '../../kit/fields.ts';
import { listed, listedRows, perPage } from '../../kit/paging.ts';
import { type JobStatus, jobRules } from '../job.ts';
import * as queries from '../job-search-sql.ts';
import { findJob, findTitles, findWholeJobs } from '../jobs-sql.ts';
import { jobStatuses } from '../transitions.ts';
import { reviewsOfOthers } from './open-review.ts';
import { jobFields, locateJob } from './show-job.ts';

export const statusLabels: Readonly<Record<JobStatus, string>> = {
  pending: 'Pending',
  active: 'Active',
  inactive: 'Inactive',
  expired: 'Expired',
  denied: 'Denied',
};

const status = () => choice(jobStatuses).optional().meta({ label: 'Status', valueLabels: statusLabels });

const ofOne = z.object({
  companyId: companyId(),
  environment: environment().default('production'),
  text: searchText().optional().meta({ hint: 'Words of a title, or an ID.' }),
  status: status(),
  sort: sort(['newest', 'oldest', 'changed', 'title']),
  ...minutes({ from: 'Created from', to: 'Created to' }),
  page: page(),
});

/**
 * Lists jobs of one company and environment. Covers all jobs if the order is newest first and there is no text or time; otherwise covers the
 * latest 50,000 or fewer.
 */
export const searchJobs = declareList({
  command: 'job list',
  title: "List a company's jobs in one environment",
  by: ['operator', 'administrator', 'person'],
  input: ofOne,
  items: 'jobs',
  columns: {
    id: 'ID',
    title: 'Title',
    status: 'Status',
    category: 'Category',
    district: 'Region',
    validUntil: 'Last day',
    createdAt: 'Created',
    updatedAt: 'Changed',
  },
  read: async (ctx, { companyId, environment, page, from, to, ...asked }) => {
    const tenant = { companyId, environment };
    const search = { ...asked, ...spanOf(ctx, from, to) };
    const find: Find<queries.ListedJob> = (range) => queries.searchJobs(ctx.db, tenant, search, range);
    return queries.isWhole(search)
      ? readPage(ctx, page, undefined, find)
      : searched(ctx, tenant, { ...search, byCompany: false }, page, find);
  },
});

const listedFields: readonly string[] = Object.keys(searchJobs.columns).map((name) => shownName(searchJobs, name));
const fieldsNotListed = ['is_anonymous', ...jobRules.keys()].filter((field) => !listedFields.includes(field));

export const exportJobs = declareExport({
  command: 'job export',
  title: "Export a company's jobs in one environment, as CSV",
  label: 'Export as CSV',
  by: ['operator', 'administrator', 'person'],
  input: ofOne.omit({ sort: true, page: true }).extend({ separator: separator() }),
  subject: ofCompany,
  list: searchJobs,
  more: fieldsNotListed,
  read: async (ctx, { companyId, environment, before, from, to, ...asked }, rowsMax) => {
    const search = { ...asked, ...spanOf(ctx, from, to) };
    const range = { before, rowsMax, today: ctx.today };
    const tenant = { companyId, environment };
    const jobs = await queries.readJobs(ctx.db, tenant, search, range);
    const next = jobs.length === rowsMax ? BigInt(jobs.at(-1)?.id ?? 0) : null;
    return { items: jobs.filter(({ matches }) => matches), next };
  },
  complete: async (ctx, tenant, jobs) => {
    const whole = new Map((await findWholeJobs(ctx.db, tenant, jobs)).map((job) => [job.id, job]));
    return jobs.flatMap((job) => {
      const stored = whole.get(job.id);
      return stored ? [{ ...stored, ...asSent(jobRules, stored), ...job }] : [];
    });
  },
});

/** Searches the latest 50,000 jobs of all companies (fewer for a text). Lists production's jobs first. */
export const searchAllJobs = declareList({
  acrossCompanies: true,
  command: 'job search',
  title: 'Search the jobs of all companies',
  by: ['operator', 'administrator'],
  input: z.object({
    text: searchText().optional().meta({ hint: "Words of a title or of a company's name, or an ID." }),
    companyId: companyIdOrName().optional(),
    status: status(),
    environment: environment().optional(),
    sort: sort(['newest', 'oldest', 'changed', 'title']),
    page: page(),
  }),
  items: 'jobs',
  columns: {
    id: 'ID',
    title: 'Title',
    companyId: 'Company ID',
    companyName: 'Company',
    environment: 'Environment',
    status: 'Status',
    validUntil: 'Last day',
    createdAt: 'Created',
    updatedAt: 'Changed',
  },
  read: async (ctx, { companyId, environment, page, ...search }) => {
    const scope = { companyId: await companyNamed(ctx, companyId), environment };
    return searched(ctx, scope, search, page, (range) => queries.searchAllJobs(ctx.db, scope, search, range));
  },
});

/** Finds the first page of the newest jobs of all companies that match a text. */
export const findJobs = (ctx: Context, text: string, by: { readonly byCompany: boolean }) =>
  searched(ctx, {}, { text, ...by }, 1, (range) =>
    queries.searchAllJobs(ctx.db, {}, { text, ...by, sort: 'newest' }, range),
  );

/** Finds the titles of the jobs with these keys. With a text, finds only titles that contain each of its words. */
export const jobTitles = async ({ db }: Context, keys: readonly OwnedKey[], text?: string) =>
  keys.length > 0 ? findTitles(db, keys, text) : [];

type Find<Job> = (range: queries.Range) => Promise<readonly Job[]>;

const readPage = <Job extends { readonly total: number }>(
  { today }: Context,
  page: number,
  unread: bigint | undefined,
  find: Find<Job>,
) => listedRows(page, (page) => find({ page, perPage, today, unread }));

async function searched<Job extends { readonly total: number }>(
  ctx: Context,
  scope: PartialTenant,
  search: Pick<queries.JobSearch, 'text' | 'byCompany'>,
  page: number,
  find: Find<Job>,
) {
  const searched = await queries.jobsToSearch(ctx.db, scope, search);
  const unread = await queries.findUnread(ctx.db, scope, searched);
  const found = await readPage(ctx, page, unread, find);
  return { ...found, ...(unread !== undefined && { searched }) };
}

const queueFilter = {
  text: searchText().optional().meta({ hint: "Words of a title or of a company's name." }),
  sort: sort(['oldest', 'newest']),
  ...minutes({ from: 'Created from', to: 'Created to' }),
};

/** Lists the review queue. Jobs that other reviewers have open come last. A text is searched only in the first jobs of the queue. */
export const searchQueue = declareList({
  acrossCompanies: true,
  command: 'job queue',
  title: 'List the production jobs that wait for review, of all companies',
  by: ['operator', 'administrator'],
  input: z.object({ ...queueFilter, page: page() }),
  items: 'jobs',
  columns: {
    jobId: 'ID',
    title: 'Title',
    companyId: 'Company ID',
    companyName: 'Company',
    category: 'Category',
    district: 'Region',
    validUntil: 'Last day',
    createdAt: 'Created',
  },
  read: async (ctx, { page, text, from, to, sort }) => {
    const ofOthers = await reviewsOfOthers(ctx);
    const order = { sort, ...spanOf(ctx, from, to) };
    const jobsMax = await queries.queueToSearch(ctx.db, { text, ...order });
    const range = { perPage, jobsMax, last: ofOthers.map(({ jobId }) => jobId) };
    const found = await listedRows(page, (page) =>
      queries.searchPendingJobs(ctx.db, { text, ...order }, { ...range, page }),
    );
    const { jobs } = await queries.countPendingJobs(ctx.db, order);
    if (text === undefined) return { ...listed(found.items, page, jobs), ofOthers };
    const isOldest = sort === 'oldest' && { searchedFrom: sort };
    return { ...found, ofOthers, ...(jobs > jobsMax && { searched: jobsMax, ...isOldest }) };
  },
});

/**
 * Counts the pending jobs that come after a given job (pending or not) in the queue's order, and finds the first of them. Leaves out jobs that
 * other reviewers have open. Throws `unknown_job`.
 */
export const showNextInQueue = declareShow({
  acrossCompanies: true,
  command: 'job next',
  title: 'Show what waits for review after a job',
  by: ['operator', 'administrator'],
  input: z.object({ ...jobFields, ...queueFilter }),
  read: async (ctx, { text, sort, from, to, ...ref }) => {
    const { jobId: id, ...tenant } = await locateJob(ctx, ref);
    const job = await findJob(ctx.db, tenant, id);
    if (!job) throw unknownJob(id);
    const all = { sort, ...spanOf(ctx, from, to), without: (await reviewsOfOthers(ctx)).map(({ jobId }) => jobId) };
    const after = { createdAt: job.created_at, id };
    if (text !== undefined) {
      const search = { ...all, text };
      return queries.findNextJob(ctx.db, search, after, await queries.queueToSearch(ctx.db, search));
    }
    const [next] = await queries.searchPendingJobs(ctx.db, { ...all, after }, { page: 1, perPage: 1, jobsMax: 1 });
    const countOf = async (order: queries.QueueOrder) => (await queries.countPendingJobs(ctx.db, order)).jobs;
    return { total: await countOf(all), waiting: next ? await countOf({ ...all, after }) : 0, next };
  },
  shows: ({ total, waiting, next }) => ({
    total,
    waiting,
    company_id: next?.companyId ?? null,
    job_id: next?.jobId ?? null,
  }),
});
