import type { OpenAPIV3 } from 'openapi-types';
import { policy } from '../../domain/environment.ts';
import { CodeList, Examples } from './code.tsx';
import { examplesOf, nameOf, operations, resolve, type Schema, schemaOf } from './contract.ts';
import { ContractMarkdown, ContractText } from './contract-text.tsx';
import { FieldRow, Fields } from './fields.tsx';
import { InlineMarkdown } from './markdown.tsx';
import { useTexts } from './texts.ts';

type Headers = NonNullable<OpenAPIV3.ResponseObject['headers']>;

const responses = operations.flatMap((operation) => operation.responses);

/** PostingForbidden as words: "Posting forbidden". */
export const wordsOf = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Every error that operations share, once. */
export function ErrorResponses() {
  const { docs } = useTexts();
  const errors = responses.filter(({ status, name }) => status >= 400 && name);
  const byName = new Map(errors.map((error) => [error.name ?? '', error]));
  return (
    <section id="error-responses">
      <h2>{docs.errorResponses}</h2>
      {[...byName].map(([name, { status, response }]) => (
        <section key={name} id={name}>
          <h3>
            {status} <ContractText>{wordsOf(name)}</ContractText>
          </h3>
          <ContractMarkdown text={response.description} />
          <HeaderNames headers={response.headers} />
          <details>
            <summary>
              {docs.fieldsOf}
              <ContractText>{wordsOf(name).toLowerCase()}</ContractText>
            </summary>
            <Fields schema={schemaOf(response) ?? {}} />
          </details>
          <Examples examples={examplesOf(response)} />
        </section>
      ))}
    </section>
  );
}

/** The headers of one response, each with a link to its meaning. */
export const HeaderNames = ({ headers = {} }: { readonly headers: Headers | undefined }) => (
  <p class="headers">
    {useTexts().docs.headers}{' '}
    {Object.keys(headers).map((name, at) => (
      <>
        {at > 0 && ', '}
        <a href={`#header-${name}`}>{name}</a>
      </>
    ))}
  </p>
);

/** Every response header, once; a successful response's description comes first. */
export function ResponseHeaders() {
  const { docs } = useTexts();
  const headers: Headers = {};
  for (const { response } of responses.toSorted((one, other) => one.status - other.status))
    for (const [name, header] of Object.entries(response.headers ?? {})) headers[name] ??= header;
  return (
    <section id="response-headers">
      <h2>{docs.responseHeaders}</h2>
      <dl class="fields">
        {Object.entries(headers).map(([name, written]) => {
          const { description, schema = {} } = resolve(written);
          const id = `header-${name}`;
          return <FieldRow key={name} id={id} name={name} schema={resolve(schema)} description={description} />;
        })}
      </dl>
    </section>
  );
}

/** The objects in requests and successful responses. */
export const schemaNames: readonly string[] = [...findSchemaNames()];

function findSchemaNames(): Set<string> {
  const found = new Set<string>();
  const visit = (written: unknown): void => {
    if (typeof written !== 'object' || written === null) return;
    const name = nameOf(written);
    if (name === undefined) {
      for (const inner of Object.values(written)) visit(inner);
      return;
    }
    const schema = resolve<Schema>(written);
    if (schema.type !== 'object' || found.has(name)) return;
    found.add(name);
    visit(schema.properties);
  };
  for (const operation of operations) {
    visit(schemaOf(operation.body));
    for (const { status, response } of operation.responses) if (status < 400) visit(schemaOf(response));
  }
  return found;
}

export const Schemas = () => (
  <section id="schemas">
    <h2>{useTexts().docs.schemas}</h2>
    {schemaNames.map((name) => {
      const schema = resolve<Schema>({ $ref: `#/components/schemas/${name}` });
      return (
        <section key={name} id={name}>
          <h3>{name}</h3>
          <ContractMarkdown text={schema.description ?? ''} />
          <Fields schema={schema} />
        </section>
      );
    })}
  </section>
);

/** Every tool as an agent sees it, with the operation that it runs. */
export function Tools({ publicUrl }: { readonly publicUrl: string }) {
  const { docs } = useTexts();
  const { sandbox, production } = policy;
  return (
    <section id="tools">
      <h2>{docs.tools}</h2>
      <p>
        <InlineMarkdown text={docs.toolsIntroduction(publicUrl + sandbox.mcpPath, publicUrl + production.mcpPath)} />
      </p>
      {operations.map(({ operationId, summary, tool: found }) => {
        if (!found) return null;
        const { tool, scope } = found;
        const names = Object.keys(found.arguments);
        return (
          <section key={tool.name} id={tool.name}>
            <h3>
              <code>{tool.name}</code>
            </h3>
            <p>
              <ContractText>{tool.description}</ContractText>
            </p>
            <p class="call">
              <span>
                {docs.operation}{' '}
                <a href={`#${operationId}`}>
                  <ContractText>{summary}</ContractText>
                </a>
              </span>{' '}
              <span>
                {docs.scope} <code>{scope}</code>
              </span>{' '}
              <span>
                {docs.arguments} {names.length === 0 ? docs.noArguments : <CodeList values={names} />}
              </span>
            </p>
          </section>
        );
      })}
    </section>
  );
}
