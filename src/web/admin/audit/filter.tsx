import type { AuditQuestion } from '../../../operations/audit/list-audit.ts';
import { idInQuery } from '../../params.ts';
import { auditActionNames } from '../../parts/audit-action.ts';
import { Field, type FieldErrors, SelectField } from '../../parts/field.tsx';

const kinds = [
  ['administrator', 'Administrators'],
  ['user', "Companies' people"],
  ['operator', 'Operators'],
] as const;

/** What a query asks for, and as it was typed; what is in no list is left out. */
export function auditQuestionOf(query: URLSearchParams): { question: AuditQuestion; typed: Record<string, string> } {
  const kind = kinds.map(([name]) => name).find((name) => name === query.get('who'));
  const action = auditActionNames.map(([name]) => name).find((name) => name === query.get('action'));
  const companyId = idInQuery(query, 'company');
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  return {
    question: {
      ...(kind === 'operator' ? { actor: kind } : { actorKind: kind }),
      action,
      companyId,
      firstDay: from || undefined,
      lastDay: to || undefined,
    },
    typed: { who: kind ?? '', action: action ?? '', company: String(companyId ?? ''), from, to },
  };
}

interface FilterProps {
  readonly typed: Readonly<Record<string, string>>;
  readonly errors: FieldErrors;
}

export const AuditFilterForm = ({ typed, errors }: FilterProps) => (
  <search>
    <form action="/admin/audit">
      <div class="grid">
        <SelectField name="who" label="Who" value={typed.who ?? ''} options={[['', 'Anybody'], ...kinds]} errors={{}} />
        <SelectField
          name="action"
          label="What"
          value={typed.action ?? ''}
          options={[['', 'Anything'], ...auditActionNames]}
          errors={{}}
        />
        <Field name="company" label="Company number" type="search" value={typed.company ?? ''} errors={{}} />
        <Field name="from" label="First day" type="date" value={typed.from ?? ''} errors={errors} />
        <Field name="to" label="Last day" type="date" value={typed.to ?? ''} errors={errors} />
      </div>
      <button type="submit" class="secondary">
        Show
      </button>
    </form>
  </search>
);
