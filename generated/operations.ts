// Written by `npm run generate` from openapi.yaml and src/operations; not to be edited.
import { getAccount } from '../src/operations/account/get-account.ts';
import { listCategories } from '../src/operations/reference/list-reference.ts';
import { listRegions } from '../src/operations/reference/list-reference.ts';
import { listDistricts } from '../src/operations/reference/list-reference.ts';
import { listOptions } from '../src/operations/reference/list-reference.ts';
import { checkListJobs, listJobs } from '../src/operations/jobs/list-jobs.ts';
import { checkCreateJob, createJob } from '../src/operations/jobs/create-job.ts';
import { getJob } from '../src/operations/jobs/get-job.ts';
import { checkUpdateJob, updateJob } from '../src/operations/jobs/update-job.ts';
import { withdrawJob } from '../src/operations/jobs/withdraw-job.ts';

/** The operations of the contract by operationId. */
export const operations = {
  getAccount: { run: getAccount },
  listCategories: { run: listCategories },
  listRegions: { run: listRegions },
  listDistricts: { run: listDistricts },
  listOptions: { run: listOptions },
  listJobs: { run: listJobs, check: checkListJobs },
  createJob: { run: createJob, check: checkCreateJob },
  getJob: { run: getJob },
  updateJob: { run: updateJob, check: checkUpdateJob },
  withdrawJob: { run: withdrawJob },
};
