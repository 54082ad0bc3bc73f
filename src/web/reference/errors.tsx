import type { OpenAPIV3 } from 'openapi-types';
import { JsonExample } from './code.tsx';
import { type ContractView, examplesOf, jsonOf, type Schema, wordsOf } from './contract-view.ts';
import { Fields } from './fields.tsx';
import { HeaderNames } from './headers.tsx';
import { Markdown } from './markdown.tsx';
import { enumOf } from './schema-text.ts';

/** The closed list of `error.details.reason`; none where details name fields instead. */
export function reasonsOf(view: ContractView, response: OpenAPIV3.ResponseObject): string[] {
  const step = (schema: Schema | undefined, property: string): Schema | undefined => {
    const written = schema?.properties?.[property];
    return written && view.resolve(written);
  };
  const body = jsonOf(response)?.schema;
  const reason = ['error', 'details', 'reason'].reduce(step, body && view.resolve(body));
  return reason ? enumOf(reason) : [];
}

/** Every refusal that operations share, once. */
export function ErrorResponses({ view }: { readonly view: ContractView }) {
  const named = new Map(
    view.operations.flatMap(({ responses }) =>
      responses.filter(({ status, name }) => status >= 400 && name).map((response) => [response.name ?? '', response]),
    ),
  );
  return (
    <section id="error-responses">
      <h2>Error responses</h2>
      {[...named].map(([name, { status, response }]) => (
        <section key={name} id={name}>
          <h3>
            {status} {wordsOf(name)}
          </h3>
          <Markdown text={response.description} />
          <HeaderNames headers={response.headers} />
          <details>
            <summary>Fields of {wordsOf(name).toLowerCase()}</summary>
            <Fields view={view} schema={jsonOf(response)?.schema ?? {}} />
          </details>
          {examplesOf(view, response).map(({ summary, value }) => (
            <JsonExample key={summary} summary={summary} value={value} />
          ))}
        </section>
      ))}
    </section>
  );
}
