import { listAudit } from '../../../operations/audit/list-audit.ts';
import { type PageAnswer, page } from '../../page.ts';
import { idInQuery } from '../../params.ts';
import { auditActionDetails, auditActionName } from '../../parts/audit-action.ts';
import type { FieldErrors } from '../../parts/field.tsx';
import { OlderLink } from '../../parts/older-link.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { Instant } from '../../parts/when.tsx';
import { refusedFields } from '../../refused-fields.ts';
import type { AdminContext } from '../context.ts';
import { AuditFilterForm, auditQuestionOf } from './filter.tsx';

type Found = Awaited<ReturnType<typeof listAudit>>;
type Entry = Found['entries'][number];

const nothing: Found = { entries: [], next: undefined };

/** Who did what, newest first. */
export async function audit(ctx: AdminContext): Promise<PageAnswer> {
  const { question, typed } = auditQuestionOf(ctx.query);
  let errors: FieldErrors = {};
  const found = await listAudit(ctx, { ...question, before: idInQuery(ctx.query, 'before') }).catch((error) => {
    errors = refusedFields(error, { firstDay: 'from', lastDay: 'to' });
    return nothing;
  });
  const content = (
    <>
      <h1>Audit trail</h1>
      <AuditFilterForm typed={typed} errors={errors} />
      {found.entries.length === 0 ? (
        <p>Nothing was found. Ask for less, or for other days.</p>
      ) : (
        <Table label="Audit trail" heads={['When', 'What', 'Company', 'Environment', 'Who', 'Details']}>
          {found.entries.map((entry) => (
            <Line key={String(entry.id)} entry={entry} />
          ))}
        </Table>
      )}
      <OlderLink next={found.next} query={typed} what="entries" />
    </>
  );
  return page('Audit trail', content, Object.keys(errors).length > 0 ? 422 : 200);
}

const Line = ({ entry }: { readonly entry: Entry }) => (
  <TableRow>
    <td>
      <Instant at={entry.at} />
    </td>
    <th scope="row">{auditActionName(entry.action)}</th>
    <td>
      {entry.companyId !== null && (
        <a href={`/admin/companies/${entry.companyId}`}>{entry.companyName ?? `Company ${entry.companyId}`}</a>
      )}
    </td>
    <td>{entry.environment ?? ''}</td>
    <td>{entry.actorEmail ?? entry.actor}</td>
    <td>{auditActionDetails(entry.details)}</td>
  </TableRow>
);
