import type { ComponentChildren } from 'preact';
import type { AuditAction } from '../../domain/audit-actions.ts';
import type { listAudit } from '../../operations/audit/list-audit.ts';
import type { Options } from '../params.ts';
import { Table } from './table.tsx';
import { Instant } from './text.tsx';

const actionNames: Readonly<Record<AuditAction, string>> = {
  'administrator.created': 'Administrator created',
  'administrator.password_set': 'Administrator password set',
  'administrator.removed': 'Administrator removed',
  'administrator.unlocked': 'Administrator unlocked',
  'category.activated': 'Category activated',
  'category.deactivated': 'Category deactivated',
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
export const auditActionOptions: Options<AuditAction> = (Object.entries(actionNames) as [AuditAction, string][]).sort(
  ([, a], [, b]) => a.localeCompare(b),
);

type AuditEntry = Awaited<ReturnType<typeof listAudit>>['entries'][number];

interface AuditTableProps {
  readonly label: string;
  readonly entries: readonly AuditEntry[];
  /** What the reader may know of an entry's actor. */
  readonly actorOf: (entry: AuditEntry) => string;
  readonly showsCompany?: boolean;
}

/** Who did what, newest first. */
export const AuditTable = ({ label, entries, actorOf, showsCompany = false }: AuditTableProps) => (
  <Table
    label={label}
    rows={entries}
    rowHead="Action"
    columns={[
      ['Time', ({ at }) => <Instant at={at} />],
      ['Action', ({ action }) => actionNames[action as AuditAction] ?? action],
      ...(showsCompany ? [companyColumn] : []),
      ['Environment', ({ environment }) => environment ?? ''],
      ['Actor', actorOf],
      ['Details', ({ details }) => detailsText(details)],
    ]}
  />
);

const companyColumn: readonly [string, (entry: AuditEntry) => ComponentChildren] = [
  'Company',
  ({ companyId, companyName }) =>
    companyId !== null && <a href={`/admin/companies/${companyId}`}>{companyName ?? `Company ${companyId}`}</a>,
];

/** credential id: 12, access: read */
const detailsText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`)
    .join(', ');

function valueText(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return Array.isArray(value) ? value.join(' ') || 'all' : String(value);
}
