import type { ApiContext } from '../context.ts';
import type { Input, OperationId, PlainRequest, Reply } from '../contract/types.ts';
import type { FieldError } from '../domain/job-rules.ts';
import { getAccount } from './account/get-account.ts';
import { checkNewJob, createJob } from './jobs/create-job.ts';
import { getJob } from './jobs/get-job.ts';
import { listJobs } from './jobs/list-jobs.ts';
import { checkJobChange, updateJob } from './jobs/update-job.ts';
import { withdrawJob } from './jobs/withdraw-job.ts';
import { listCategories, listDistricts, listOptions, listRegions } from './reference/list-reference.ts';

export interface Operation<O extends OperationId> {
  readonly run: (ctx: ApiContext, input: Input<O>) => Promise<Reply<O>>;
  /** Finds what else is wrong with a request that already breaks the contract, so that one 422 lists it all. */
  readonly check?: (ctx: ApiContext, request: PlainRequest, known: readonly FieldError[]) => Promise<FieldError[]>;
}

/** The operation of each operationId. A contract operation that is missing here does not compile. */
export const table: { readonly [O in OperationId]: Operation<O> } = {
  getAccount: { run: getAccount },
  listCategories: { run: listCategories },
  listRegions: { run: listRegions },
  listDistricts: { run: listDistricts },
  listOptions: { run: listOptions },
  listJobs: { run: listJobs },
  createJob: { run: createJob, check: checkNewJob },
  getJob: { run: getJob },
  updateJob: { run: updateJob, check: checkJobChange },
  withdrawJob: { run: withdrawJob },
};
