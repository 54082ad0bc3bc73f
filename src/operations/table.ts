import type { Context } from '../context.ts';
import type { Input, OperationId, Reply } from '../contract/types.ts';
import { getAccount } from './account/get-account.ts';
import { createJob } from './jobs/create-job.ts';
import { getJob } from './jobs/get-job.ts';
import { listJobs } from './jobs/list-jobs.ts';
import { updateJob } from './jobs/update-job.ts';
import { withdrawJob } from './jobs/withdraw-job.ts';
import { listCategories, listDistricts, listOptions, listRegions } from './reference/list-reference.ts';

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
