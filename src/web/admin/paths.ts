import type { LoggedRequest } from '../../domain/logged-request.ts';
import type { JobRef } from '../../operations/jobs/show-job.ts';
import { type AdminContext, environmentIn, idIn } from '../page.ts';

export const companyPath = (companyId: bigint): string => `/admin/companies/${companyId}`;

export const companyJobsPath = ({ companyId, environment }: Omit<JobRef, 'jobId'>): string =>
  `/admin/jobs?companyId=${companyId}&environment=${environment}`;

export const jobPath = ({ companyId, environment, jobId }: JobRef): string =>
  `${companyPath(companyId)}/${environment}/jobs/${jobId}`;

export const requestPath = ({ companyId, environment, requestId }: LoggedRequest): string =>
  `/admin/requests/${companyId}/${environment}/${requestId}`;

/** The job that a path names. Throws 404 for a malformed path. */
export const jobIn = ({ params }: AdminContext): JobRef => ({
  companyId: idIn(params, 'company'),
  environment: environmentIn(params),
  jobId: idIn(params, 'job'),
});
