import { listAudit } from '../../operations/audit/list-audit.ts';
import { actorText } from '../components/actor.ts';
import { AuditTable, auditActionOptions } from '../components/audit-table.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { SearchFields, searchIn } from '../components/list-search.tsx';
import { OlderLink } from '../components/pager.tsx';
import { tryOperation } from '../form.ts';
import { type AdminContext, type PageAnswer, page } from '../page.ts';
import { idInQuery, optionIn, optionsOf } from '../params.ts';
import type { Texts } from '../texts/texts.ts';

/** The audit trail of all companies, newest first. */
export async function audit(ctx: AdminContext): Promise<PageAnswer> {
  const { filter, values } = filterIn(ctx.query, ctx.texts);
  const { auditTrail: texts, lists } = ctx.texts;
  const { result, errors } = await tryOperation(
    ctx,
    () => listAudit(ctx, { ...filter, before: idInQuery(ctx.query, 'before') }),
    {
      firstDay: 'from',
      lastDay: 'to',
    },
  );
  const content = (
    <>
      <h1>{texts.title}</h1>
      <FilterForm action="/admin/audit" values={values} errors={errors ?? {}}>
        <SelectField name="who" label={texts.actor} options={[['', lists.any.actor], ...optionsOf(texts.actors)]} />
        <SelectField
          name="action"
          label={texts.action}
          options={[['', lists.any.action], ...auditActionOptions(ctx.texts)]}
        />
        <Field name="company" label={texts.companyId} />
        <Field name="from" label={texts.firstDay} type="date" />
        <Field name="to" label={texts.lastDay} type="date" />
        <SearchFields list="audit" />
      </FilterForm>
      {result?.items.length ? (
        <AuditTable
          label={texts.title}
          entries={result.items}
          actorOf={({ actor, actorEmail }) => actorEmail ?? actorText(actor, ctx.texts)}
          showsCompany
        />
      ) : (
        <p>{texts.none}</p>
      )}
      <OlderLink next={result?.next} query={values} text={texts[filter.sort === 'oldest' ? 'newer' : 'older']} />
    </>
  );
  return page(texts.title, content, errors);
}

/** Reads the filter from the query. Values that are no option are ignored. */
function filterIn(
  query: URLSearchParams,
  texts: Texts,
): { filter: Parameters<typeof listAudit>[1]; values: Record<string, string> } {
  const who = optionIn(query, 'who', optionsOf(texts.auditTrail.actors));
  const action = optionIn(query, 'action', auditActionOptions(texts));
  const companyId = idInQuery(query, 'company');
  const { text, sort, values } = searchIn(query, 'audit');
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const filter = {
    ...(who === 'operator' ? { actor: who } : { actorKind: who }),
    action,
    companyId,
    firstDay: from || undefined,
    lastDay: to || undefined,
    text,
    sort,
  };
  const company = String(companyId ?? '');
  return { filter, values: { who: who ?? '', action: action ?? '', company, from, to, ...values } };
}
