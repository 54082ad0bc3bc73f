import type { JobName } from '../../../operations/jobs/review-job.ts';
import { environmentIn, idIn } from '../../params.ts';
import type { AdminContext } from '../context.ts';

export const jobPattern = '/companies/:company/:environment/jobs/:job';

/** The page of a job in the console. */
export const jobPath = ({ companyId, environment, jobId }: JobName): string =>
  `/admin/companies/${companyId}/${environment}/jobs/${jobId}`;

/** The job that a path names. Refuses with 404 what names none. */
export const jobIn = ({ params }: AdminContext): JobName => ({
  companyId: idIn(params, 'company'),
  environment: environmentIn(params),
  jobId: idIn(params, 'job'),
});
