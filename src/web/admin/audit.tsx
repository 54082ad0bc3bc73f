import { listAudit } from '../../operations/audit/list-audit.ts';
import { actorText } from '../components/actor.ts';
import { AuditList, auditActionOptions } from '../components/audit-table.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { SearchFields, searchIn } from '../components/list-search.tsx';
import { tryOperation } from '../form.ts';
import { type AdminContext, type PageAnswer, page } from '../page.ts';
import { idInQuery, optionIn, optionsOf } from '../params.ts';
import type { Translate } from '../texts/t.ts';

const actorLabels = { administrator: 'Administrators', user: 'Company accounts', operator: 'Operators' } as const;

/** The audit trail of all companies, newest first. */
export async function audit(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const { filter, values } = filterIn(ctx.query, t);
  const before = idInQuery(ctx.query, 'before');
  const { result, errors } = await tryOperation(ctx, () => listAudit(ctx, { ...filter, before }), {
    firstDay: 'from',
    lastDay: 'to',
  });
  const content = (
    <>
      <h1>{t('Audit trail')}</h1>
      <FilterForm action="/admin/audit" values={values} errors={errors ?? {}}>
        <SelectField name="who" label={t('Actor')} options={[['', t('All')], ...optionsOf(actorLabels, t)]} />
        <SelectField name="action" label={t('Action')} options={[['', t('All actions')], ...auditActionOptions(t)]} />
        <Field name="company" label={t('Company ID')} />
        <Field name="from" label={t('First day')} type="date" />
        <Field name="to" label={t('Last day')} type="date" />
        <SearchFields list="audit" />
      </FilterForm>
      {result && (
        <AuditList
          label={t('Audit trail')}
          found={result}
          none={before === undefined ? t('No entries found. Change the filter or the days.') : t('No more entries.')}
          values={values}
          actorOf={({ actor, actorEmail }) => actorEmail ?? actorText(actor, result.names, t)}
          showsCompany
        />
      )}
    </>
  );
  return page(t('Audit trail'), content, errors);
}

/** Reads the filter from the query. Values that are no option are ignored. */
function filterIn(
  query: URLSearchParams,
  t: Translate,
): { filter: Parameters<typeof listAudit>[1]; values: Record<string, string> } {
  const who = optionIn(query, 'who', optionsOf(actorLabels, t));
  const action = optionIn(query, 'action', auditActionOptions(t));
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
