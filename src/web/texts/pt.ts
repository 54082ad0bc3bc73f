import * as admin from './pt/admin.ts';
import * as audit from './pt/audit.ts';
import * as company from './pt/company.ts';
import * as dashboard from './pt/dashboard.ts';
import * as errors from './pt/errors.ts';
import * as jobs from './pt/jobs.ts';
import * as shared from './pt/shared.ts';
import type { Texts } from './texts.ts';

export const pt: Texts = {
  tag: 'pt-PT',
  locale: 'pt-PT',
  ...shared,
  ...errors,
  ...jobs,
  ...audit,
  ...dashboard,
  ...admin,
  ...company,
};
