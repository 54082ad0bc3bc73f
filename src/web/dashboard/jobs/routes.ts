import type { CompanyPerson } from '../../../auth/person.ts';
import type { Route } from '../../page.ts';
import { jobPage } from './job-page.tsx';
import { jobs } from './list.tsx';

export const jobRoutes: readonly Route<CompanyPerson>[] = [
  { method: 'get', path: '/jobs', run: jobs },
  { method: 'get', path: '/jobs/:environment/:id', run: jobPage },
];
