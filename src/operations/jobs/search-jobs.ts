import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Schemas } from '../../contract/types.ts';
import { declareList } from '../declare.ts';
import { choice, companyId, environment, page, searchText, sort } from '../fields.ts';
import { listed, listedRows, perPage } from '../paging.ts';
import { findReferenceNames } from '../reference/reference-sql.ts';
import { type JobStatus, presentJob } from './job.ts';
import { countPendingJobs, type FoundJob, searchJobs as find, searchPendingJobs } from './job-search-sql.ts';
import { listJobs } from './jobs-sql.ts';
import { jobStatuses } from './transitions.ts';

/** How many of a company's latest jobs a search or another order looks through. */
const searchedJobsMax = 5000;
/** The same of the review queue. */
const searchedQueueMax = 1000;

export interface ListedJob extends Omit<FoundJob, 'total' | 'categoryId' | 'districtId'> {
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

/** Lists jobs of one company and environment. Without a text and newest first these are all, otherwise the latest 5,000. */
export const searchJobs = declareList({
  command: 'job list',
  title: "List a company's jobs in one environment",
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    companyId: companyId(),
    environment: environment().default('production'),
    text: searchText()
      .optional()
      .meta({
        hint: {
          text: 'Part of a title, or an ID. Searches and orders the latest {{max}} jobs.',
          params: { max: searchedJobsMax },
        },
      }),
    status: choice(jobStatuses).optional().meta({ label: 'Status', valueLabels: statusLabels }),
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
    const range = { perPage, jobsMax: searchedJobsMax, today: ctx.today };
    const found = await listedRows(page, (page) => find(ctx.db, tenant, { text, status, sort }, { ...range, page }));
    return { ...found, items: await withNames(ctx, found.items) };
  },
});

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

async function withNames({ db }: Context, jobs: readonly Omit<FoundJob, 'total'>[]): Promise<ListedJob[]> {
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

/** Lists the review queue; a text is searched in the first 1,000 jobs of its order. */
export const searchQueue = declareList({
  command: 'job queue',
  title: 'List the production jobs that wait for review, of all companies',
  by: ['operator', 'administrator'],
  input: z.object({
    text: searchText()
      .optional()
      .meta({
        hint: {
          text: "Part of a title or of a company's name, in the first {{max}} jobs.",
          params: { max: searchedQueueMax },
        },
      }),
    sort: sort(['oldest', 'newest']),
    page: page(),
  }),
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
    const range = { perPage, jobsMax: searchedQueueMax };
    const found = await listedRows(page, (page) => searchPendingJobs(ctx.db, { text, sort }, { ...range, page }));
    const all = text === undefined ? await countPendingJobs(ctx.db) : undefined;
    return listed(found.items, page, all?.jobs ?? found.total);
  },
});
