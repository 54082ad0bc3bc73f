import type { ComponentChildren } from 'preact';
import type { ActorNames } from '../../domain/actor.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { type listAudit, namedDetails, readAuditMax } from '../../operations/audit/list-audit.ts';
import { environmentLabels } from '../labels.ts';
import { type Options, optionsOf } from '../params.ts';
import { type Translate, useT } from '../texts/t.ts';
import { OlderLink } from './pager.tsx';
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
type AuditEntry = AuditPage['items'][number];

interface AuditListProps {
  readonly label: string;
  readonly found: AuditPage;
  /** Why the list is empty. */
  readonly none: string;
  /** The filter, which the link to the next page keeps. */
  readonly values: Readonly<Record<string, string>>;
  /** What the reader may know of an entry's actor. */
  readonly actorOf: (entry: AuditEntry) => string;
  readonly showsCompany?: boolean;
}

/** Who did what, with a link to the entries after these. */
export function AuditList({ label, found, none, values, actorOf, showsCompany = false }: AuditListProps) {
  const t = useT();
  const { items, next, names } = found;
  return (
    <>
      {items.length === 0 ? (
        <p>
          {next === undefined
            ? none
            : t('Nothing found in {{limit}} entries. There are more.', { limit: readAuditMax })}
        </p>
      ) : (
        <Table
          label={label}
          rows={items}
          rowHead={t('Action')}
          columns={[
            [t('Time'), ({ at }) => <Instant at={at} />],
            [t('Action'), ({ action }) => t(actionLabels[action as AuditAction] ?? action)],
            ...(showsCompany ? [companyColumn(t)] : []),
            [t('Environment'), ({ environment }) => environment && t(environmentLabels[environment]).toLowerCase()],
            [t('Actor'), actorOf],
            [t('Details'), ({ details }) => detailsText(details, names, t)],
          ]}
        />
      )}
      <OlderLink next={next} query={values} text={values.sort === 'oldest' ? t('Newer entries') : t('Older entries')} />
    </>
  );
}

const companyColumn = (t: Translate): readonly [string, (entry: AuditEntry) => ComponentChildren] => [
  t('Company'),
  ({ companyId, companyName }) =>
    companyId !== null && (
      <a href={`/admin/companies/${companyId}`}>{companyName ?? t('Company {{id}}', { id: String(companyId) })}</a>
    ),
];

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
