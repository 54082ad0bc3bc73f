import type { ActorNames } from '../../domain/actor.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { type listAudit, namedDetails } from '../../operations/audit/list-audit.ts';
import { environmentLabels } from '../labels.ts';
import type { Cells } from '../list.tsx';
import { type Options, optionsOf } from '../params.ts';
import type { Translate } from '../texts/t.ts';

const actionLabels: Readonly<Record<AuditAction, string>> = {
  'administrator.created': 'Administrator created',
  'administrator.password_set': 'Administrator password set',
  'administrator.removed': 'Administrator removed',
  'administrator.unlocked': 'Administrator unlocked',
  'category.activated': 'Category activated',
  'category.created': 'Category created',
  'category.deactivated': 'Category deactivated',
  'category.renamed': 'Category renamed',
  'company.approved': 'Company approved for production',
  'company.changed': 'Company changed',
  'company.created': 'Company created',
  'company.districts_set': 'Company regions set',
  'company.reinstated': 'Company reinstated',
  'company.suspended': 'Company suspended',
  'credential.issued': 'Credential issued',
  'credential.replaced': 'Credential replaced',
  'credential.revoked': 'Credential revoked',
  'grant.ended': 'Complimentary access ended',
  'grant.given': 'Complimentary access granted',
  'job.approved': 'Job approved',
  'job.denied': 'Job denied',
  'job.removed': 'Job permanently removed',
  'job.resubmitted': 'Job sent to review again',
  'job.withdrawn': 'Job withdrawn',
  'maintenance.ended': 'Maintenance ended',
  'maintenance.started': 'Maintenance started',
  'plan.set': 'Plan saved',
  'reference.seeded': 'Reference data added',
  'sandbox.reset': 'Sandbox reset',
  'subscription.ended': 'Subscription ended',
  'subscription.set': 'Subscription set',
  'user.created': 'Account created',
  'user.password_set': 'Account password set',
  'user.removed': 'Account removed',
  'user.unlocked': 'Account unlocked',
};

/** Every audit action, sorted by its text. */
export const auditActionOptions = (t: Translate): Options<AuditAction> =>
  optionsOf(actionLabels, t).toSorted(([, a], [, b]) => a.localeCompare(b, t.locale));

type AuditPage = Awaited<ReturnType<typeof listAudit>>;

/** The columns of an audit trail besides its actor; `names` are what the reader may know. */
export const auditCells = (names: ActorNames, t: Translate) =>
  ({
    id: null,
    action: ({ action }) => t(actionLabels[action as AuditAction] ?? action),
    environment: ({ environment }) => environment && t(environmentLabels[environment]).toLowerCase(),
    actorEmail: null,
    details: ({ details }) => detailsText(details, names, t),
  }) satisfies Cells<AuditPage>;

/** credential: website, access: read */
const detailsText = (details: Readonly<Record<string, unknown>>, names: ActorNames, t: Translate): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([detail, value]) => {
      const name = isNamed(detail) && names.get(`${namedDetails[detail]}:${value}`);
      return name
        ? `${t(nameLabels[detail]).toLowerCase()}: ${name}`
        : `${t(detail.replaceAll('_', ' '))}: ${valueText(value, t)}`;
    })
    .join(', ');

const nameLabels = { credential_id: 'Credential', replaced_id: 'Replaces', user_id: 'Account' };

const isNamed = (detail: string): detail is keyof typeof namedDetails => Object.hasOwn(namedDetails, detail);

/** Any other text may be what a person wrote. */
const valueLabels: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  read: 'Read',
  write: 'Read and write',
  main: 'Main account',
  sub: 'Sub-account',
};

function valueText(value: unknown, t: Translate): string {
  if (Array.isArray(value)) return value.join(' ') || t('all');
  const text = String(value);
  return Object.hasOwn(valueLabels, text) ? t(valueLabels[text] ?? text).toLowerCase() : text;
}
