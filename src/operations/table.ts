import type { Context } from '../context.ts';
import type { Input, OperationId, Reply } from '../contract/types.ts';
import { createJob } from './create-job.ts';
import { getAccount } from './get-account.ts';
import { getJob } from './get-job.ts';
import { listCategories } from './list-categories.ts';
import { listDistricts } from './list-districts.ts';
import { listJobs } from './list-jobs.ts';
import { listOptions } from './list-options.ts';
import { listRegions } from './list-regions.ts';
import { updateJob } from './update-job.ts';
import { withdrawJob } from './withdraw-job.ts';

/** The function of each operationId: an operation of the contract without one does not compile. */
export const table: { readonly [O in OperationId]: (ctx: Context, input: Input<O>) => Promise<Reply<O>> } = {
  getAccount,
  listCategories,
  listRegions,
  listDistricts,
  listOptions,
  listJobs,
  createJob,
  getJob,
  updateJob,
  withdrawJob,
};
