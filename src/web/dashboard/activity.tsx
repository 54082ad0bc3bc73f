import { listAudit } from '../../operations/audit/list-audit.ts';
import { actorTextForCompany } from '../components/actor.ts';
import { AuditTable, auditActionOptions } from '../components/audit-table.tsx';
import { SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { SearchFields, searchIn } from '../components/list-search.tsx';
import { OlderLink } from '../components/pager.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { idInQuery, optionIn } from '../params.ts';

/** The company's audit trail, newest first. */
export async function activity(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const actions = auditActionOptions(t).filter(([action]) => isOfCompany(action));
  const action = optionIn(ctx.query, 'action', actions);
  const { text, sort, values: search } = searchIn(ctx.query, 'audit');
  const values = { action: action ?? '', ...search };
  const { items: entries, next } = await listAudit(ctx, {
    companyId: ctx.person.company.id,
    action,
    text,
    sort,
    before: idInQuery(ctx.query, 'before'),
  });
  return page(
    t('Activity'),
    <>
      <h1>{t('Activity')}</h1>
      <FilterForm action="/dashboard/activity" values={values}>
        <SelectField name="action" label={t('Action')} options={[['', t('All actions')], ...actions]} />
        <SearchFields list="audit" />
      </FilterForm>
      {entries.length === 0 ? (
        <p>
          {action === undefined && text === undefined
            ? t("No activity. Changes to credentials, the sandbox and the company's access appear here.")
            : t('Nothing found. Change the search.')}
        </p>
      ) : (
        <AuditTable
          label={t('Activity')}
          entries={entries}
          actorOf={({ actor, actorEmail }) =>
            actor.startsWith('user:') && actorEmail !== null ? actorEmail : actorTextForCompany(actor, t)
          }
        />
      )}
      <OlderLink next={next} text={sort === 'oldest' ? t('Newer activity') : t('Older activity')} query={values} />
    </>,
  );
}

/** The other actions concern no company. */
const isOfCompany = (action: string): boolean => !/^(administrator|category|maintenance|plan|reference)\./.test(action);
