import type { ComponentChildren } from 'preact';
import type { AuditAction } from '../../domain/audit-actions.ts';
import type { listAudit } from '../../operations/audit/list-audit.ts';
import { environmentLabels } from '../labels.ts';
import { type Options, optionsOf } from '../params.ts';
import { type Translate, useT } from '../texts/t.ts';
import { Table } from './table.tsx';
import { Instant } from './text.tsx';

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

type AuditEntry = Awaited<ReturnType<typeof listAudit>>['items'][number];

interface AuditTableProps {
  readonly label: string;
  readonly entries: readonly AuditEntry[];
  /** What the reader may know of an entry's actor. */
  readonly actorOf: (entry: AuditEntry) => string;
  readonly showsCompany?: boolean;
}

/** Who did what, newest first. */
export function AuditTable({ label, entries, actorOf, showsCompany = false }: AuditTableProps) {
  const t = useT();
  return (
    <Table
      label={label}
      rows={entries}
      rowHead={t('Action')}
      columns={[
        [t('Time'), ({ at }) => <Instant at={at} />],
        [t('Action'), ({ action }) => t(actionLabels[action as AuditAction] ?? action)],
        ...(showsCompany ? [companyColumn(t)] : []),
        [t('Environment'), ({ environment }) => environment && t(environmentLabels[environment]).toLowerCase()],
        [t('Actor'), actorOf],
        [t('Details'), ({ details }) => detailsText(details, t)],
      ]}
    />
  );
}

const companyColumn = (t: Translate): readonly [string, (entry: AuditEntry) => ComponentChildren] => [
  t('Company'),
  ({ companyId, companyName }) =>
    companyId !== null && (
      <a href={`/admin/companies/${companyId}`}>{companyName ?? t('Company {{id}}', { id: String(companyId) })}</a>
    ),
];

/** credential id: 12, access: read */
const detailsText = (details: Readonly<Record<string, unknown>>, t: Translate): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${t(name.replaceAll('_', ' '))}: ${valueText(value, t)}`)
    .join(', ');

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
