import type { CompanyPerson } from '../../../auth/person.ts';
import type { Route } from '../../page.ts';
import { reset } from './reset.tsx';
import { sandbox } from './sandbox.tsx';

export const sandboxRoutes: readonly Route<CompanyPerson>[] = [
  { method: 'get', path: '/sandbox', run: sandbox },
  { method: 'post', path: '/sandbox/reset', run: reset },
];
