import { listAudit } from '../../operations/audit/list-audit.ts';
import { AuditTable } from '../components/audit-table.tsx';
import { OlderLink } from '../components/pager.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { idInQuery } from '../params.ts';

/** The company's audit trail, newest first. */
export async function activity(ctx: DashboardContext): Promise<PageAnswer> {
  const { entries, next } = await listAudit(ctx, {
    companyId: ctx.person.company.id,
    before: idInQuery(ctx.query, 'before'),
  });
  return page(
    'Activity',
    <>
      <h1>Activity</h1>
      {entries.length === 0 ? (
        <p>No activity. Changes to credentials, the sandbox and the company's access appear here.</p>
      ) : (
        <AuditTable
          label="Activity"
          entries={entries}
          actorOf={({ actor, actorEmail }) =>
            actor.startsWith('user:') && actorEmail !== null ? actorEmail : actorName(actor)
          }
        />
      )}
      <OlderLink next={next} what="activity" />
    </>,
  );
}

/** What a company may know of an actor: its own credential or account; administrators stay unnamed. */
export function actorName(actor: string): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'credential') return `Credential ${id}`;
  if (kind === 'user') return `Account ${id}`;
  return 'Administrator';
}
