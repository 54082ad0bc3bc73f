import type { VNode } from 'preact';
import type { ActorNames } from '../../domain/actor.ts';
import { type AuditAction, auditActions } from '../../domain/audit-actions.ts';
import { unlimited } from '../../domain/eligibility.ts';
import { type listAudit, namedDetails } from '../../operations/audit/people/list-audit.ts';
import { accessLabels } from '../../operations/credentials/people/issue-credential.ts';
import { roleLabels } from '../../operations/users/people/create-account.ts';
import { environmentLabels } from '../labels.ts';
import type { Cells } from '../list.tsx';
import type { Options } from '../page.ts';
import { type Translate, valueText } from '../texts/language.ts';

/** Labels of actions whose name is not clear enough. */
const actionLabels: { readonly [A in AuditAction]?: string } = {
  'company.approved': 'Company approved for production',
  'company.districts_set': 'Company regions set',
  'grant.ended': 'Complimentary access ended',
  'grant.given': 'Complimentary access granted',
  'job.purged': 'Ended jobs permanently removed',
  'job.removed': 'Job permanently removed',
  'job.resubmitted': 'Job sent to review again',
  'reference.seeded': 'Reference data added',
  'session.ended': 'Sessions ended',
};

/** An action in English words: 'credential.issued' becomes "Credential issued". */
export function actionLabel(action: string): string {
  const words = action.replace(/[._]/g, ' ');
  return actionLabels[action as AuditAction] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Every audit action, sorted by its text. */
export const auditActionOptions = (t: Translate): Options<AuditAction> =>
  auditActions
    .map((action) => [action, t(actionLabel(action))] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, t.locale));

type Audit = Awaited<ReturnType<typeof listAudit>>;
type AuditRow = Audit['items'][number];

/** The columns of an audit trail, except the actor. `jobLink` makes the link to a row's job. */
export const auditCells = (t: Translate, jobLink: (row: AuditRow, jobId: number) => VNode): Cells<AuditRow, Audit> => ({
  id: null,
  action: ({ action }) => t(actionLabel(action)),
  environment: ({ environment }) => environment && t(environmentLabels[environment]).toLowerCase(),
  actorEmail: null,
  details: (row, { names }) => {
    const { job_id: jobId, ...details } = row.details;
    const text = detailsText(details, names, t);
    if (jobId === undefined) return text;
    return [
      `${t('job id')}: `,
      row.action === 'job.removed' ? jobId : jobLink(row, Number(jobId)),
      text && `, ${text}`,
    ];
  },
});

/** The actor of an audit entry or a job's event, for administrators: `administrator:5` becomes "Administrator 5". */
export function actorText(actor: string, names: ActorNames, t: Translate): string {
  const [, kind, id = ''] = /^(\w+):?(.*)$/s.exec(actor) ?? [];
  const name = names.get(actor);
  if (name !== undefined) return name;
  if (kind === 'credential') return t('Credential {{id}}', { id });
  if (kind === 'user') return t('Account {{id}}', { id });
  return kind === 'administrator' ? t('Administrator {{id}}', { id }) : `${t('operator')} ${id}`.trim();
}

/** The same for a company: shows names of its own credentials and people, but not of administrators and operators. */
export function actorTextForCompany(actor: string, names: ActorNames, t: Translate): string {
  if (actor.startsWith('credential:')) return names.get(actor) ?? t('Removed credential');
  return actor.startsWith('user:') ? (names.get(actor) ?? t('Removed account')) : t('Administrator');
}

/** These come first, and speak for themselves: "website", read and write, 365 days */
const plainDetails = ['credential_id', 'access', 'days'];

const detailsText = (details: Readonly<Record<string, unknown>>, names: ActorNames, t: Translate): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
    .map(([detail, value]) => {
      const name = isNamed(detail) && names.get(`${namedDetails[detail]}:${value}`);
      if (name && detail === 'credential_id') return `"${name}"`;
      if (detail === 'access') return detailText(value, t);
      if (detail === 'days') return t('{{count}} days', { count: Number(value), one: '{{count}} day' });
      return name
        ? `${t(nameLabels[detail]).toLowerCase()}: ${name}`
        : `${t(detail.replaceAll('_', ' '))}: ${detailText(value, t)}`;
    })
    .join(', ');

const placeOf = (detail: string): number =>
  plainDetails.includes(detail) ? plainDetails.indexOf(detail) : plainDetails.length;

const nameLabels = { credential_id: 'Credential', replaced_id: 'Replaces', user_id: 'Account' };

const isNamed = (detail: string): detail is keyof typeof namedDetails => Object.hasOwn(namedDetails, detail);

/** Any other text may be a person's own words. */
const valueLabels: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  ...accessLabels,
  ...roleLabels,
};

function detailText(value: unknown, t: Translate): string {
  if (Array.isArray(value)) return value.join(' ') || t('all');
  if (value === unlimited) return t('Unlimited').toLowerCase();
  const text = valueText(value, t.locale);
  return Object.hasOwn(valueLabels, text) ? t(valueLabels[text] ?? text).toLowerCase() : text;
}
