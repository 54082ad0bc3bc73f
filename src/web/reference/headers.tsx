import type { OpenAPIV3 } from 'openapi-types';
import type { ContractView } from './contract-view.ts';
import { FieldRow } from './fields.tsx';

type Headers = OpenAPIV3.ResponseObject['headers'];

/** The headers of one response, each with a link to what it means. */
export const HeaderNames = ({ headers = {} }: { readonly headers: Headers }) => (
  <p class="headers">
    Headers:{' '}
    {Object.keys(headers).map((name, at) => (
      <>
        {at > 0 && ', '}
        <a href={`#header-${name}`}>{name}</a>
      </>
    ))}
  </p>
);

/** Every header of a response, once: as successful responses have it, if any does. */
export function ResponseHeaders({ view }: { readonly view: ContractView }) {
  const responses = view.operations.flatMap((operation) => operation.responses);
  const inOrder = [...responses].sort((one, other) => one.status - other.status);
  const headers: NonNullable<Headers> = {};
  for (const { response } of inOrder)
    for (const [name, header] of Object.entries(response.headers ?? {})) headers[name] ??= header;
  return (
    <section id="response-headers">
      <h2>Response headers</h2>
      <dl class="fields">
        {Object.entries(headers).map(([name, written]) => {
          const { description, schema = {} } = view.resolve(written);
          const own = { name, required: false, schema: view.resolve(schema), description };
          return <FieldRow key={name} view={view} id={`header-${name}`} {...own} />;
        })}
      </dl>
    </section>
  );
}
