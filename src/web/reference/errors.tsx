import type { OpenAPIV3 } from 'openapi-types';
import { JsonExample } from './code.tsx';
import { type ContractView, examplesOf, jsonOf, nameOf, type Schema, wordsOf } from './contract-view.ts';
import { FieldRow, Fields } from './fields.tsx';
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

/** Every header of a response, once. */
export const ResponseHeaders = ({ view }: { readonly view: ContractView }) => (
  <section id="response-headers">
    <h2>Response headers</h2>
    <dl class="fields">
      {Object.entries(view.document.components?.headers ?? {}).map(([name, written]) => {
        const { description, schema = {} } = view.resolve(written);
        return (
          <div key={name} id={`header-${name}`}>
            <FieldRow
              view={view}
              name={name}
              required={false}
              schema={view.resolve(schema)}
              description={description}
            />
          </div>
        );
      })}
    </dl>
  </section>
);

/** The objects that requests and successful responses are made of, each once. */
export const Schemas = ({ view }: { readonly view: ContractView }) => (
  <section id="schemas">
    <h2>Schemas</h2>
    {schemaNames(view).map((name) => {
      const schema = view.resolve<Schema>({ $ref: `#/components/schemas/${name}` });
      return (
        <section key={name} id={name}>
          <h3>{name}</h3>
          <Markdown text={schema.description ?? ''} />
          <Fields view={view} schema={schema} />
        </section>
      );
    })}
  </section>
);

export function schemaNames(view: ContractView): string[] {
  const found = new Set<string>();
  const visit = (written: unknown): void => {
    if (typeof written !== 'object' || written === null) return;
    const name = nameOf(written);
    if (name === undefined) {
      for (const inner of Object.values(written)) visit(inner);
      return;
    }
    const schema = view.resolve<Schema>(written);
    if (schema.type !== 'object' || found.has(name)) return;
    found.add(name);
    visit(schema.properties);
  };
  for (const { body, responses } of view.operations) {
    visit(jsonOf(body)?.schema);
    for (const { status, response } of responses) if (status < 400) visit(jsonOf(response)?.schema);
  }
  return [...found];
}
