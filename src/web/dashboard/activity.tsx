import { listAudit } from '../../operations/audit/list-audit.ts';
import { actorTextForCompany } from '../components/actor.ts';
import { AuditList, auditActionOptions } from '../components/audit-table.tsx';
import { SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { SearchFields, searchIn } from '../components/list-search.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { idInQuery, optionIn } from '../params.ts';

/** The company's audit trail, newest first. */
export async function activity(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const actions = auditActionOptions(t).filter(([action]) => isOfCompany(action));
  const action = optionIn(ctx.query, 'action', actions);
  const { text, sort, values: search } = searchIn(ctx.query, 'audit');
  const values = { action: action ?? '', ...search };
  const before = idInQuery(ctx.query, 'before');
  const found = await listAudit(ctx, { companyId: ctx.person.company.id, action, text, sort, before });
  const isFiltered = action !== undefined || text !== undefined;
  const none = isFiltered
    ? t('Nothing found. Change the search.')
    : t("No activity. Changes to credentials, the sandbox and the company's access appear here.");
  return page(
    t('Activity'),
    <>
      <h1>{t('Activity')}</h1>
      <FilterForm action="/dashboard/activity" values={values}>
        <SelectField name="action" label={t('Action')} options={[['', t('All actions')], ...actions]} />
        <SearchFields list="audit" />
      </FilterForm>
      <AuditList
        label={t('Activity')}
        found={found}
        none={before === undefined ? none : t('No more entries.')}
        values={values}
        actorOf={({ actor }) => actorTextForCompany(actor, found.names, t)}
      />
    </>,
  );
}

/** The other actions concern no company. */
const isOfCompany = (action: string): boolean => !/^(administrator|category|maintenance|plan|reference)\./.test(action);
