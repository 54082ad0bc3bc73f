import { operations } from '../../contract/document.ts';
import type { CredentialList } from '../../operations/credentials/list-credentials.ts';
import { maskedSecret } from '../components/credential-table.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { SearchFields, searchIn } from '../components/list-search.tsx';
import type { FieldErrors } from '../form.ts';
import { environmentOptions, type Options, optionIn } from '../params.ts';
import { type Translate, useT } from '../texts/t.ts';

const protocolOptions = [
  ['rest', 'REST'],
  ['mcp', 'MCP'],
] as const;

export const protocolNames: Readonly<Record<string, string>> = Object.fromEntries(protocolOptions);

const operationOptions: Options = [...operations.keys()].sort().map((name) => [name, name]);

export type RequestFilter = ReturnType<typeof requestFilterIn>;

/** Reads the filter from the query; production by default. Values that are no option are ignored. `values` are the form's fields. */
export function requestFilterIn(query: URLSearchParams, { valid, ended }: CredentialList, t: Translate) {
  const environment = optionIn(query, 'environment', environmentOptions(t)) ?? 'production';
  const protocol = optionIn(query, 'protocol', protocolOptions);
  const operation = optionIn(query, 'operation', operationOptions);
  const status = query.get('status') ?? '';
  const { text, sort, values } = searchIn(query, 'requests');
  const credentials = [...valid, ...ended].filter((credential) => credential.environment === environment);
  const credential = credentials.find(({ id }) => String(id) === query.get('credential'));
  return {
    input: {
      environment,
      status: status.trim().toLowerCase() || undefined,
      operation,
      credentialId: credential && Number(credential.id),
      protocol,
      text,
      sort,
    },
    values: {
      environment,
      status,
      operation: operation ?? '',
      credential: credential ? String(credential.id) : '',
      protocol: protocol ?? '',
      ...values,
    },
    credentials,
  };
}

/** Whether anything besides the environment narrows the list. */
export const isNarrowed = ({ values: { environment: _, sort: __, ...others } }: RequestFilter): boolean =>
  Object.values(others).some((value) => value !== '');

export function RequestFilterForm({
  filter,
  errors,
}: {
  readonly filter: RequestFilter;
  readonly errors: FieldErrors;
}) {
  const t = useT();
  const { values, credentials } = filter;
  const credentialOptions = credentials.map((one) => [String(one.id), `${one.label} ${maskedSecret(one)}`] as const);
  return (
    <FilterForm action="/dashboard/requests" values={values} errors={errors}>
      <SelectField name="environment" label={t('Environment')} options={environmentOptions(t)} />
      <Field name="status" label={t('Status')} hint={t('404 or 4xx')} />
      <SelectField name="operation" label={t('Operation')} options={[['', t('All operations')], ...operationOptions]} />
      <SelectField
        name="credential"
        label={t('Credential')}
        options={[['', t('All credentials')], ...credentialOptions]}
      />
      <SelectField name="protocol" label={t('Protocol')} options={[['', t('Both')], ...protocolOptions]} />
      <SearchFields list="requests" />
    </FilterForm>
  );
}
