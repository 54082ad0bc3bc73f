import * as admin from './en/admin.ts';
import * as audit from './en/audit.ts';
import * as company from './en/company.ts';
import * as dashboard from './en/dashboard.ts';
import * as errors from './en/errors.ts';
import * as jobs from './en/jobs.ts';
import * as shared from './en/shared.ts';

export const en = {
  tag: 'en',
  locale: 'en-GB',
  ...shared,
  ...errors,
  ...jobs,
  ...audit,
  ...dashboard,
  ...admin,
  ...company,
};
