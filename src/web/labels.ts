import { storedNouns } from '../../generated/stored-fields.ts';
import type { AccessBlocker } from '../domain/eligibility.ts';
import type { Environment } from '../domain/environment.ts';
import { labelOf, visibleText } from '../domain/field-rules.ts';
import { foldedText } from '../domain/folded-text.ts';

// English texts, given to t() where they are shown.

/** For use inside a sentence. */
export const inEnvironmentLabels: Readonly<Record<Environment, string>> = {
  production: 'in production',
  sandbox: 'in sandbox',
};

interface Named {
  readonly companyId: bigint | null;
  readonly companyName: string | null;
}

/** A row of a list that shows companies, or a company itself. */
type Showing = Named | { readonly id: bigint; readonly name: string };

/** The ids of the companies of each name, as it looks, by the list that shows them. */
const shownTogether = new WeakMap<readonly Showing[], Map<string, Set<bigint>>>();

const lookOf = (name: string | null): string => foldedText(visibleText(name ?? ''));

/** A company's name, with its ID if another company in the list `shown` has a name that looks the same: Oficina (12). */
export function companyLabel({ companyId, companyName }: Named, shown: readonly Showing[]): string {
  const ids = shownTogether.get(shown) ?? idsByLook(shown);
  shownTogether.set(shown, ids);
  const { size = 0 } = ids.get(lookOf(companyName)) ?? {};
  return size > 1 ? `${companyName} (${companyId})` : `${companyName}`;
}

function idsByLook(shown: readonly Showing[]): Map<string, Set<bigint>> {
  const found = new Map<string, Set<bigint>>();
  for (const row of shown) {
    const [id, name] = 'companyName' in row ? [row.companyId, row.companyName] : [row.id, row.name];
    const look = lookOf(name);
    if (id !== null) found.set(look, (found.get(look) ?? new Set()).add(id));
  }
  return found;
}

export const mainAccountLabels = {
  people: "Only the company's main account may invite and remove people.",
  credentials: "Only the company's main account may issue, replace and revoke credentials.",
  jobs: "Only the company's main account may change and withdraw jobs, and send them to review again.",
  stored: "Only the company's main account may create, change and delete these.",
  sandbox: "Only the company's main account may reset the sandbox.",
  export: "Only the company's main account may export everything.",
  production: "Only the company's main account may ask for production.",
};

/** What a company can do about each access blocker. */
export const accessAdvice: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'This is not possible while the company is suspended.',
  unverified: 'An administrator must verify the company first.',
  plan: 'Production requires a plan that includes it, or complimentary access. An administrator gives either.',
  approval: 'An administrator must approve the company for production.',
};

/** English labels of values whose own words would not be clear English. */
const optionLabels: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  contract: 'Fixed-term contract',
  email: 'E-mail address',
  system: 'Through Vaga',
  presencial: 'On site',
  remoto: 'Remote',
  hibrido: 'Hybrid',
  sem_requisitos: 'No requirements',
  ensino_basico: 'Basic education',
  ensino_secundario: 'Secondary education',
  ensino_profissional: 'Vocational education',
  curso_tecnologico: 'Technological course',
  licenciatura: "Bachelor's degree",
  pos_graduacao: 'Postgraduate course',
  mestrado: "Master's degree",
  doutoramento: 'Doctorate',
  outro: 'Other',
};

/** The value of an enum or a boolean, or a name, as English words: full_time is "Full time", and true is "Yes". */
export function optionLabel(value: string): string {
  const spaced = value.replaceAll('_', ' ');
  return optionLabels[value] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The English label of a name in the contract: a field of the resource `noun`, or the value of an enum or a boolean. */
export const nameLabel = (name: string, noun = ''): string => labelOf(noun, name) ?? optionLabel(name);

/** The title of the pages that show a table's rows: "Locations". */
export const storedLabel = (table: string): string => optionLabel(table);

/** The path, below the portal's base, of the pages that show a table's rows: "/locations". */
export const storedPath = (table: string): string => `/${table.replaceAll('_', '-')}`;

/** The path of the dashboard's page of one row: "/dashboard/jobs/sandbox/5". */
export const rowPath = (table: string, environment: Environment, id: unknown): string =>
  `/dashboard${storedPath(table)}/${environment}/${id}`;

/** `rowPath` by the contract's word for a row. Undefined if the contract stores nothing of that name. */
export function rowPathOf(noun: string, environment: Environment, id: unknown): string | undefined {
  const [table] = Object.entries(storedNouns).find(([, name]) => name === noun) ?? [];
  return table && rowPath(table, environment, id);
}
