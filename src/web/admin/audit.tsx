import { type AuditQuestion, listAudit } from '../../operations/audit/list-audit.ts';
import { AuditTable, auditActionOptions } from '../components/audit-table.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { OlderLink } from '../components/pager.tsx';
import { tryOperation } from '../form.ts';
import { type AdminContext, type PageAnswer, page } from '../page.ts';
import { idInQuery, optionIn } from '../params.ts';

const actorOptions = [
  ['administrator', 'Administrators'],
  ['user', 'Company accounts'],
  ['operator', 'Operators'],
] as const;

/** The audit trail of all companies, newest first. */
export async function audit(ctx: AdminContext): Promise<PageAnswer> {
  const { filter, values } = filterIn(ctx.query);
  const { result, errors } = await tryOperation(
    () => listAudit(ctx, { ...filter, before: idInQuery(ctx.query, 'before') }),
    {
      firstDay: 'from',
      lastDay: 'to',
    },
  );
  const content = (
    <>
      <h1>Audit trail</h1>
      <FilterForm action="/admin/audit" values={values} errors={errors ?? {}}>
        <SelectField name="who" label="Actor" options={[['', 'All'], ...actorOptions]} />
        <SelectField name="action" label="Action" options={[['', 'All'], ...auditActionOptions]} />
        <Field name="company" label="Company ID" type="search" />
        <Field name="from" label="First day" type="date" />
        <Field name="to" label="Last day" type="date" />
      </FilterForm>
      {result?.entries.length ? (
        <AuditTable
          label="Audit trail"
          entries={result.entries}
          actorOf={({ actor, actorEmail }) => actorEmail ?? actor}
          showsCompany
        />
      ) : (
        <p>No entries found. Change the filter or the days.</p>
      )}
      <OlderLink next={result?.next} query={values} what="entries" />
    </>
  );
  return page('Audit trail', content, errors);
}

/** Reads the filter from the query. Values that are no option are ignored. */
function filterIn(query: URLSearchParams): { filter: AuditQuestion; values: Record<string, string> } {
  const who = optionIn(query, 'who', actorOptions);
  const action = optionIn(query, 'action', auditActionOptions);
  const companyId = idInQuery(query, 'company');
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const filter = {
    ...(who === 'operator' ? { actor: who } : { actorKind: who }),
    action,
    companyId,
    firstDay: from || undefined,
    lastDay: to || undefined,
  };
  return { filter, values: { who: who ?? '', action: action ?? '', company: String(companyId ?? ''), from, to } };
}
