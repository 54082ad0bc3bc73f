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
  const { activity: texts, auditTrail, lists } = ctx.texts;
  const actions = auditActionOptions(ctx.texts).filter(([action]) => isOfCompany(action));
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
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <FilterForm action="/dashboard/activity" values={values}>
        <SelectField name="action" label={auditTrail.action} options={[['', lists.any.action], ...actions]} />
        <SearchFields list="audit" />
      </FilterForm>
      {entries.length === 0 ? (
        <p>{action === undefined && text === undefined ? texts.none : lists.noneFound}</p>
      ) : (
        <AuditTable
          label={texts.title}
          entries={entries}
          actorOf={({ actor, actorEmail }) =>
            actor.startsWith('user:') && actorEmail !== null ? actorEmail : actorTextForCompany(actor, ctx.texts)
          }
        />
      )}
      <OlderLink next={next} text={texts[sort === 'oldest' ? 'newer' : 'older']} query={values} />
    </>,
  );
}

/** The other actions concern no company. */
const isOfCompany = (action: string): boolean => !/^(administrator|category|maintenance|plan|reference)\./.test(action);
