import { operations } from '../../../contract/document.ts';
import type { ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import type { RequestListInput } from '../../../operations/requests/list-requests.ts';
import { maskedSecret } from '../../parts/credential.ts';
import { Field, type FieldErrors, SelectField } from '../../parts/field.tsx';

type Options = readonly (readonly [string, string])[];

const environments = [
  ['production', 'Production'],
  ['sandbox', 'Sandbox'],
] as const;

const protocols = [
  ['rest', 'REST'],
  ['mcp', 'MCP'],
] as const;

const operationNames = [...operations.keys()].sort().map((name) => [name, name] as const);

export interface RequestFilter {
  readonly question: Omit<RequestListInput, 'companyId' | 'before'>;
  /** As it was typed; what is in no list is left out. */
  readonly typed: Readonly<Record<string, string>> & { readonly status: string };
  /** Those that the environment's requests can have come by. */
  readonly credentials: readonly ListedCredential[];
}

/** What the query asks for, in production unless it names the sandbox. `company` are the credentials of both environments. */
export function filterIn(query: URLSearchParams, company: readonly ListedCredential[]): RequestFilter {
  const environment = oneOf(environments, query, 'environment') ?? 'production';
  const protocol = oneOf(protocols, query, 'protocol');
  const operation = oneOf(operationNames, query, 'operation');
  const credentials = company.filter((credential) => credential.environment === environment);
  const credential = credentials.find(({ id }) => String(id) === query.get('credential'));
  const status = query.get('status') ?? '';
  return {
    question: {
      environment,
      status: status.trim().toLowerCase() || undefined,
      operation,
      credentialId: credential && Number(credential.id),
      protocol,
    },
    typed: {
      environment,
      status,
      operation: operation ?? '',
      credential: credential ? String(credential.id) : '',
      protocol: protocol ?? '',
    },
    credentials,
  };
}

const oneOf = <T extends string>(options: readonly (readonly [T, string])[], query: URLSearchParams, name: string) =>
  options.find(([value]) => value === query.get(name))?.[0];

/** Whether anything but the environment narrows the list. */
export const isNarrowed = ({ environment: _, ...typed }: RequestFilter['typed']): boolean =>
  Object.values(typed).some((value) => value !== '');

interface FormProps extends Pick<RequestFilter, 'typed' | 'credentials'> {
  readonly errors: FieldErrors;
}

export function RequestFilterForm({ typed, credentials, errors }: FormProps) {
  const select = (name: string, label: string, options: Options) => (
    <SelectField name={name} label={label} value={typed[name] ?? ''} options={options} errors={{}} />
  );
  const secrets = credentials.map((one): [string, string] => [String(one.id), `${one.label} ${maskedSecret(one)}`]);
  return (
    <search>
      <form action="/dashboard/requests">
        <div class="grid">
          {select('environment', 'Environment', environments)}
          <Field name="status" label="Status" hint="404 or 4xx" value={typed.status} errors={errors} />
          {select('operation', 'Operation', [['', 'All'], ...operationNames])}
          {select('credential', 'Credential', [['', 'All'], ...secrets])}
          {select('protocol', 'Protocol', [['', 'Both'], ...protocols])}
        </div>
        <button type="submit" class="secondary small">
          Show
        </button>
      </form>
    </search>
  );
}

export const protocolNames: Readonly<Record<string, string>> = Object.fromEntries(protocols);
