import { listAudit } from '../../operations/audit/list-audit.ts';
import { actorText } from '../components/actor-text.ts';
import { auditActionOptions, auditCells } from '../components/audit-cells.ts';
import { listPage, readList } from '../list.tsx';
import type { AdminContext, PageAnswer } from '../page.ts';

/** The audit trail of all companies, newest first. */
export async function audit(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const read = await readList(ctx, listAudit, {}, { action: auditActionOptions(t) });
  const names = read.found?.names ?? new Map();
  return listPage(t('Audit trail'), read, {
    none: t('No entries yet.'),
    rowName: 'action',
    cells: {
      ...auditCells(names, t),
      actor: ({ actor, actorEmail }) => actorEmail ?? actorText(actor, names, t),
      companyId: ({ companyId, companyName }) =>
        companyId !== null && (
          <a href={`/admin/companies/${companyId}`}>{companyName ?? t('Company {{id}}', { id: String(companyId) })}</a>
        ),
    },
  });
}
