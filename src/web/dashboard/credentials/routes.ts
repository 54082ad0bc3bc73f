import type { CompanyPerson } from '../../../auth/person.ts';
import type { Route } from '../../page.ts';
import { issue, showIssueForm } from './issue.tsx';
import { credentials } from './list.tsx';
import { replace, showReplaceForm } from './replace.tsx';
import { revoke, showRevoke } from './revoke.tsx';

export const credentialRoutes: readonly Route<CompanyPerson>[] = [
  { method: 'get', path: '/credentials', run: credentials },
  { method: 'get', path: '/credentials/issue', run: showIssueForm },
  { method: 'post', path: '/credentials/issue', run: issue },
  { method: 'get', path: '/credentials/:id/replace', run: showReplaceForm },
  { method: 'post', path: '/credentials/:id/replace', run: replace },
  { method: 'get', path: '/credentials/:id/revoke', run: showRevoke },
  { method: 'post', path: '/credentials/:id/revoke', run: revoke },
];
