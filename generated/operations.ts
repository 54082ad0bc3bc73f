// Written by `npm run generate` from openapi.yaml and src/operations; not to be edited.
import { getAccount } from '../src/operations/companies/api/get-account.ts';
import { listCategories } from '../src/operations/reference/api/list-reference.ts';
import { listRegions } from '../src/operations/reference/api/list-reference.ts';
import { listDistricts } from '../src/operations/reference/api/list-reference.ts';
import { listOptions } from '../src/operations/reference/api/list-reference.ts';
import { listJobs, refuseListJobs } from '../src/operations/jobs/api/list-jobs.ts';
import { createJob, refuseCreateJob } from '../src/operations/jobs/api/create-job.ts';
import { getJob } from '../src/operations/jobs/api/get-job.ts';
import { updateJob, refuseUpdateJob } from '../src/operations/jobs/api/update-job.ts';
import { withdrawJob } from '../src/operations/jobs/api/withdraw-job.ts';

/** The operations of the contract by operationId. */
export const operations = {
  getAccount: { run: getAccount },
  listCategories: { run: listCategories },
  listRegions: { run: listRegions },
  listDistricts: { run: listDistricts },
  listOptions: { run: listOptions },
  listJobs: { run: listJobs, refuse: refuseListJobs },
  createJob: { run: createJob, refuse: refuseCreateJob },
  getJob: { run: getJob },
  updateJob: { run: updateJob, refuse: refuseUpdateJob },
  withdrawJob: { run: withdrawJob },
};
