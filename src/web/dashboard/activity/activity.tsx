import type { CompanyPerson } from '../../../auth/person.ts';
import { listAudit } from '../../../operations/audit/list-audit.ts';
import { type PageAnswer, type PageContext, page } from '../../page.ts';
import { idInQuery } from '../../params.ts';
import { auditActionDetails, auditActionName } from '../../parts/audit-action.ts';
import { OlderLink } from '../../parts/older-link.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { Instant } from '../../parts/when.tsx';
import { actorName } from '../actor-name.ts';

type Entry = Awaited<ReturnType<typeof listAudit>>['entries'][number];

/** Who did what with this company, newest first. */
export async function activity(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  const { entries, next } = await listAudit(ctx, {
    companyId: ctx.person.company.id,
    before: idInQuery(ctx.query, 'before'),
  });
  return page(
    'Activity',
    <>
      <h1>Activity</h1>
      {entries.length === 0 ? (
        <p>Nothing more. What people do with credentials, the sandbox and the company's standing appears here.</p>
      ) : (
        <Table label="Activity" heads={['When', 'What', 'Environment', 'Who', 'Details']}>
          {entries.map((entry) => (
            <Line key={String(entry.id)} entry={entry} />
          ))}
        </Table>
      )}
      <OlderLink next={next} what="activity" />
    </>,
  );
}

const Line = ({ entry: { at, action, environment, actor, actorEmail, details } }: { readonly entry: Entry }) => (
  <TableRow>
    <td>
      <Instant at={at} />
    </td>
    <th scope="row">{auditActionName(action)}</th>
    <td>{environment ?? ''}</td>
    <td>{actor.startsWith('user:') && actorEmail !== null ? actorEmail : actorName(actor)}</td>
    <td>{auditActionDetails(details)}</td>
  </TableRow>
);
