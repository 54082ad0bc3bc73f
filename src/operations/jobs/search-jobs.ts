import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Schemas } from '../../contract/types.ts';
import { unknownJob } from '../../domain/errors.ts';
import { declareList, declareShow } from '../declare.ts';
import { choice, companyId, environment, page, searchText, sort } from '../fields.ts';
import { listed, listedRows, perPage } from '../paging.ts';
import { findReferenceNames } from '../reference/reference-sql.ts';
import { type JobStatus, presentJob } from './job.ts';
import * as queries from './job-search-sql.ts';
import { findJob, listJobs } from './jobs-sql.ts';
import { jobFields, locateJob } from './show-job.ts';
import { jobStatuses } from './transitions.ts';

/** How many of the latest jobs a search or another order looks through: a tenth of a second in PostgreSQL. The list says if there are more. */
const searchedJobsMax = 50_000;

export interface ListedJob extends Omit<queries.FoundJob, 'total' | 'categoryId' | 'districtId'> {
  readonly category: string | null;
  readonly district: string | null;
}

export const statusLabels: Readonly<Record<JobStatus, string>> = {
  pending: 'Pending',
  active: 'Active',
  inactive: 'Inactive',
  expired: 'Expired',
  denied: 'Denied',
};

const status = () => choice(jobStatuses).optional().meta({ label: 'Status', valueLabels: statusLabels });

/** Lists jobs of one company and environment. Without a text and newest first these are all, otherwise the latest 50,000. */
export const searchJobs = declareList({
  command: 'job list',
  title: "List a company's jobs in one environment",
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    companyId: companyId(),
    environment: environment().default('production'),
    text: searchText().optional().meta({ hint: 'Words of a title, or an ID.' }),
    status: status(),
    sort: sort(['newest', 'oldest', 'changed', 'title']),
    page: page(),
  }),
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
  read: async (ctx, { companyId, environment, page, text, status, sort }) => {
    const tenant = { companyId, environment };
    if (text === undefined && sort === 'newest') {
      const { jobs, total } = await listJobs(ctx.db, tenant, { page, perPage }, status, ctx.today);
      const items = jobs.map((job) => asFound(presentJob(job, null, ctx.today)));
      return listed(await withNames(ctx, items), page, total);
    }
    const search = { text, status, sort };
    const found = await searched(ctx, tenant, page, (range) => queries.searchJobs(ctx.db, tenant, search, range));
    return { ...found, items: await withNames(ctx, found.items) };
  },
});

/** Lists the latest 50,000 jobs of all companies. */
export const searchAllJobs = declareList({
  command: 'job search',
  title: 'Search the jobs of all companies',
  by: ['operator', 'administrator'],
  input: z.object({
    text: searchText().optional().meta({ hint: "Words of a title or of a company's name, or an ID." }),
    companyId: companyId().optional().meta({ hint: '' }),
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
  read: (ctx, { companyId, environment, page, ...search }) => {
    const scope = { companyId, environment };
    return searched(ctx, scope, page, (range) => queries.searchAllJobs(ctx.db, scope, search, range));
  },
});

async function searched<Job extends queries.FoundJob>(
  ctx: Context,
  scope: queries.Scope,
  page: number,
  find: (range: queries.Range) => Promise<readonly Job[]>,
) {
  const range = { perPage, jobsMax: searchedJobsMax, today: ctx.today };
  const found = await listedRows(page, (page) => find({ ...range, page }));
  const hasMore = await queries.hasMoreJobs(ctx.db, scope, searchedJobsMax);
  return { ...found, ...(hasMore && { searched: searchedJobsMax }) };
}

const asFound = ({ valid_until, created_at, updated_at, category_id, district_id, ...job }: Schemas['Job']) => ({
  id: job.id,
  title: job.title,
  status: job.status,
  categoryId: category_id,
  districtId: district_id,
  validUntil: valid_until,
  createdAt: new Date(created_at ?? 0),
  updatedAt: new Date(updated_at ?? 0),
});

async function withNames({ db }: Context, jobs: readonly Omit<queries.FoundJob, 'total'>[]): Promise<ListedJob[]> {
  const { categories, districts } = await findReferenceNames(
    db,
    jobs.map(({ categoryId }) => categoryId),
    jobs.map(({ districtId }) => districtId),
  );
  return jobs.map(({ categoryId, districtId, ...job }) => ({
    ...job,
    category: categories.get(categoryId ?? 0) ?? null,
    district: districts.get(districtId ?? 0) ?? null,
  }));
}

const queueFilter = {
  text: searchText().optional().meta({ hint: "Words of a title or of a company's name." }),
  sort: sort(['oldest', 'newest']),
};

/** Lists the review queue; a text is searched in the first 50,000 jobs of its order. */
export const searchQueue = declareList({
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
  read: async (ctx, { page, text, sort }) => {
    const range = { perPage, jobsMax: searchedJobsMax };
    const found = await listedRows(page, (page) =>
      queries.searchPendingJobs(ctx.db, { text, sort }, { ...range, page }),
    );
    const { jobs } = await queries.countPendingJobs(ctx.db);
    if (text === undefined) return listed(found.items, page, jobs);
    return { ...found, ...(jobs > searchedJobsMax && { searched: searchedJobsMax }) };
  },
});

/** Counts the jobs that wait for review after a job, waiting or not, in the queue's order, and finds the first of them. Throws `unknown_job`. */
export const showNextInQueue = declareShow({
  command: 'job next',
  title: 'Show what waits for review after a job',
  by: ['operator', 'administrator'],
  input: z.object({ ...jobFields, ...queueFilter }),
  read: async (ctx, { text, sort, ...ref }) => {
    const { jobId: id, ...tenant } = await locateJob(ctx, ref);
    const job = await findJob(ctx.db, tenant, id);
    if (!job) throw unknownJob(id);
    const order = { sort, after: { createdAt: job.created_at, id } };
    const range = { page: 1, perPage: 1, jobsMax: searchedJobsMax };
    const [next] = await queries.searchPendingJobs(ctx.db, { ...order, text }, range);
    const waiting = text === undefined ? (await queries.countPendingJobs(ctx.db, order)).jobs : (next?.total ?? 0);
    return { waiting, next };
  },
  shows: ({ waiting, next }) => ({ waiting, company_id: next?.companyId ?? null, job_id: next?.jobId ?? null }),
});
