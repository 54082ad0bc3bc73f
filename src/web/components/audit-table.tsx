import type { ComponentChildren } from 'preact';
import type { AuditAction } from '../../domain/audit-actions.ts';
import type { listAudit } from '../../operations/audit/list-audit.ts';
import { type Options, optionsOf } from '../params.ts';
import { type Texts, useTexts } from '../texts/texts.ts';
import { Table } from './table.tsx';
import { Instant } from './text.tsx';

/** Every audit action, sorted by its text. */
export const auditActionOptions = ({ audit: { actions }, locale }: Texts): Options<AuditAction> =>
  [...optionsOf(actions)].sort(([, a], [, b]) => a.localeCompare(b, locale));

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
  const texts = useTexts();
  const { columns, actions } = texts.audit;
  return (
    <Table
      label={label}
      rows={entries}
      rowHead={columns.action}
      columns={[
        [columns.time, ({ at }) => <Instant at={at} />],
        [columns.action, ({ action }) => actions[action as AuditAction] ?? action],
        ...(showsCompany ? [companyColumn(texts)] : []),
        [columns.environment, ({ environment }) => environment && texts.environments[environment].lower],
        [columns.actor, actorOf],
        [columns.details, ({ details }) => detailsText(details, texts)],
      ]}
    />
  );
}

const companyColumn = ({ audit, words }: Texts): readonly [string, (entry: AuditEntry) => ComponentChildren] => [
  audit.columns.company,
  ({ companyId, companyName }) =>
    companyId !== null && (
      <a href={`/admin/companies/${companyId}`}>{companyName ?? words.company(String(companyId))}</a>
    ),
];

/** credential id: 12, access: read */
const detailsText = (details: Readonly<Record<string, unknown>>, texts: Texts): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${texts.auditDetails[name] ?? name.replaceAll('_', ' ')}: ${valueText(value, texts)}`)
    .join(', ');

function valueText(value: unknown, { audit, auditValues }: Texts): string {
  if (value === true) return audit.yes;
  if (value === false) return audit.no;
  if (Array.isArray(value)) return value.join(' ') || audit.all;
  return auditValues[String(value)] ?? String(value);
}
