import type { AdministratorPerson } from '../../../auth/person.ts';
import type { Route } from '../../page.ts';
import { companyJobs } from './company-jobs.tsx';
import { jobPattern } from './job-name.ts';
import { jobPage } from './job-page.tsx';
import { remove, showRemove } from './remove.tsx';
import { approve, deny } from './review-job.ts';
import { reviewQueue } from './review-queue.tsx';

export const jobRoutes: readonly Route<AdministratorPerson>[] = [
  { method: 'get', path: '/review', run: reviewQueue },
  { method: 'get', path: '/companies/:company/:environment/jobs', run: companyJobs },
  { method: 'get', path: jobPattern, run: jobPage },
  { method: 'post', path: `${jobPattern}/approve`, run: approve },
  { method: 'post', path: `${jobPattern}/deny`, run: deny },
  { method: 'get', path: `${jobPattern}/remove`, run: showRemove },
  { method: 'post', path: `${jobPattern}/remove`, run: remove },
];
