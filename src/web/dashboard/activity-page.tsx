import { listAudit } from '../../operations/audit/list-audit.ts';
import { actorTextForCompany } from '../components/actor-text.ts';
import { auditActionOptions, auditCells } from '../components/audit-cells.ts';
import { listPage, readList } from '../list.tsx';
import type { DashboardContext, PageAnswer } from '../page.ts';

/** The company's audit trail, newest first. */
export async function activity(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const given = { companyId: ctx.person.company.id, actorKind: undefined, actor: undefined };
  const actions = auditActionOptions(t).filter(([action]) => isOfCompany(action));
  const read = await readList(ctx, listAudit, given, { action: actions });
  const names = read.found?.names ?? new Map();
  return listPage(t('Activity'), read, {
    none: t("No activity. Changes to credentials, the sandbox and the company's access appear here."),
    rowName: 'action',
    cells: { ...auditCells(names, t), actor: ({ actor }) => actorTextForCompany(actor, names, t), companyId: null },
  });
}

/** The other actions concern no company. */
const isOfCompany = (action: string): boolean => !/^(administrator|category|maintenance|plan|reference)\./.test(action);
