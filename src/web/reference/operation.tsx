import { Code, JsonExample } from './code.tsx';
import {
  type ContractView,
  examplesOf,
  jsonOf,
  type NamedResponse,
  nameOf,
  type ReferenceOperation,
  wordsOf,
} from './contract-view.ts';
import { reasonsOf } from './errors.tsx';
import { FieldRow, Fields } from './fields.tsx';
import { HeaderNames } from './headers.tsx';
import { InlineMarkdown, Markdown } from './markdown.tsx';
import { samplesOf } from './samples.ts';
import { TryIt } from './try-it.tsx';

interface OperationProps {
  readonly view: ContractView;
  readonly operation: ReferenceOperation;
}

/** One operation: how it is called, what it takes and answers, and a call of it in three ways. */
export function Operation({ view, operation }: OperationProps) {
  const { operationId, method, path, scope, summary, description, responses, tool } = operation;
  return (
    <section id={operationId} class="operation">
      <h3>{summary}</h3>
      <p class="call">
        <code>
          {method} {path}
        </code>{' '}
        <span>
          scope <code>{scope}</code>
        </span>{' '}
        {tool && (
          <span>
            tool <a href={`#${tool.tool.name}`}>{tool.tool.name}</a>
          </span>
        )}
      </p>
      <Markdown text={description} />
      <Samples view={view} operation={operation} />
      <TryIt view={view} operation={operation} />
      <h4>Parameters</h4>
      <Parameters view={view} operation={operation} />
      <RequestBody view={view} operation={operation} />
      <h4>Responses</h4>
      {responses
        .filter(({ status }) => status < 400)
        .map((named) => (
          <Answer key={named.status} view={view} named={named} />
        ))}
      <Errors view={view} refused={responses.filter(({ status }) => status >= 400)} />
    </section>
  );
}

function Samples({ view, operation }: OperationProps) {
  const { curl, typeScript, mcp } = samplesOf(view, operation);
  return (
    <div class="samples">
      <details open>
        <summary>curl</summary>
        <Code text={curl} />
      </details>
      <details>
        <summary>TypeScript</summary>
        <Code text={typeScript} />
      </details>
      <details>
        <summary>MCP</summary>
        {mcp === undefined ? <p>This operation has no tool.</p> : <Code text={mcp} />}
      </details>
    </div>
  );
}

const Parameters = ({ view, operation: { parameters } }: OperationProps) => (
  <dl class="fields">
    {parameters.map(({ name, in: route, required = false, description, schema = {} }) => (
      <FieldRow
        key={name}
        view={view}
        name={name}
        required={required}
        schema={view.resolve(schema)}
        description={description}
      >
        {route !== 'query' && ` In the ${route}.`}
      </FieldRow>
    ))}
  </dl>
);

function RequestBody({ view, operation: { body } }: OperationProps) {
  if (!body) return null;
  return (
    <>
      <h4>Request body</h4>
      <p>
        <InlineMarkdown text={body.description ?? ''} /> <SchemaLink written={jsonOf(body)?.schema} />
      </p>
      {examplesOf(view, body).map(({ summary, value }) => (
        <JsonExample key={summary} summary={summary} value={value} />
      ))}
    </>
  );
}

function SchemaLink({ written }: { readonly written: object | undefined }) {
  const name = written && nameOf(written);
  if (name === undefined) return null;
  return (
    <>
      JSON, the fields of <a href={`#${name}`}>{name}</a>.
    </>
  );
}

function Answer({ view, named: { status, response } }: { readonly view: ContractView; readonly named: NamedResponse }) {
  const schema = jsonOf(response)?.schema;
  return (
    <div class="answer">
      <p>
        <strong>{status}</strong> <InlineMarkdown text={response.description} />
      </p>
      {schema && <Fields view={view} schema={schema} />}
      <HeaderNames headers={response.headers} />
      {examplesOf(view, response).map(({ summary, value }) => (
        <JsonExample key={summary} summary={summary} value={value} />
      ))}
    </div>
  );
}

const Errors = ({ view, refused }: { readonly view: ContractView; readonly refused: readonly NamedResponse[] }) => (
  <details>
    <summary>Errors: {refused.map(({ status }) => status).join(', ')}</summary>
    <ul>
      {refused.map(({ status, name = '', response }) => (
        <li key={status}>
          <a href={`#${name}`}>
            {status} {wordsOf(name)}
          </a>
          {reasonsOf(view, response).map((reason) => (
            <>
              {' '}
              <code>{reason}</code>
            </>
          ))}
        </li>
      ))}
    </ul>
  </details>
);
