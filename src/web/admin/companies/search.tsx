import type { listCompanies } from '../../../operations/companies/list-companies.ts';
import type { listPlans } from '../../../operations/plans/set-plan.ts';
import { Field, SelectField } from '../../parts/field.tsx';

type CompanyFilter = Omit<Parameters<typeof listCompanies>[1], 'page'>;
type Plans = Awaited<ReturnType<typeof listPlans>>;

const states = [
  ['waiting', 'Waiting for approval'],
  ['approved', 'Approved'],
  ['suspended', 'Suspended'],
  ['unverified', 'Unverified'],
] as const;

const ownPlans = ['none', 'complimentary'] as const;

/** What a query asks for, and as it was typed; what is in no list is left out. */
export function companyFilterOf(query: URLSearchParams): { filter: CompanyFilter; typed: Record<string, string> } {
  const text = query.get('text') ?? '';
  const state = states.map(([name]) => name).find((name) => name === query.get('state'));
  const wanted = query.get('plan') ?? '';
  const plan = ownPlans.find((name) => name === wanted) ?? (/^\d{1,9}$/.test(wanted) ? Number(wanted) : undefined);
  return { filter: { text, state, plan }, typed: { text, state: state ?? '', plan: String(plan ?? '') } };
}

interface SearchProps {
  readonly typed: Readonly<Record<string, string>>;
  readonly plans: Plans;
}

export const CompanySearch = ({ typed, plans }: SearchProps) => (
  <search>
    <form action="/admin/companies">
      <div class="grid">
        <Field
          name="text"
          label="Search"
          type="search"
          hint="Part of a name, an id, or a person's e-mail address."
          value={typed.text ?? ''}
          errors={{}}
        />
        <SelectField
          name="state"
          label="State"
          value={typed.state ?? ''}
          options={[['', 'Any'], ...states]}
          errors={{}}
        />
        <SelectField
          name="plan"
          label="Plan"
          value={typed.plan ?? ''}
          options={[
            ['', 'Any'],
            ...plans.map(({ id, name }) => [String(id), name] as const),
            ['none', 'No plan'],
            ['complimentary', 'Complimentary access'],
          ]}
          errors={{}}
        />
      </div>
      <button type="submit" class="secondary">
        Search
      </button>
    </form>
  </search>
);
