import type { OpenAPIV3 } from 'openapi-types';
import { HeaderNames, wordsOf } from './appendix.tsx';
import { Code, Examples } from './code.tsx';
import {
  enumOf,
  examplesOf,
  type NamedResponse,
  nameOf,
  type Operation,
  resolve,
  type Schema,
  schemaOf,
} from './contract.ts';
import { ContractMarkdown, ContractText, InlineContractMarkdown } from './contract-text.tsx';
import { FieldRow, Fields } from './fields.tsx';
import { samplesOf } from './samples.ts';
import { useTexts } from './texts.ts';
import { TryIt } from './try-it.tsx';

interface OperationProps {
  readonly operation: Operation;
}

/** One operation: how to call it, what it takes, what it returns, and samples in three forms. */
export function OperationSection({ operation }: OperationProps) {
  const { docs } = useTexts();
  const { operationId, method, path, scope, summary, description, parameters, responses, tool } = operation;
  return (
    <section id={operationId} class="operation">
      <h3>
        <ContractText>{summary}</ContractText>
      </h3>
      <p class="call">
        <code>
          {method} {path}
        </code>{' '}
        <span>
          {docs.scope} <code>{scope}</code>
        </span>{' '}
        {tool && (
          <span>
            {docs.tool} <a href={`#${tool.tool.name}`}>{tool.tool.name}</a>
          </span>
        )}
      </p>
      <ContractMarkdown text={description} />
      <Samples operation={operation} />
      <TryIt operation={operation} />
      <h4>{docs.parameters}</h4>
      <dl class="fields">
        {parameters.map(({ name, in: place, required = false, description: text, schema = {} }) => (
          <FieldRow key={name} name={name} required={required} schema={resolve(schema)} description={text}>
            {docs.inPlace[place]}
          </FieldRow>
        ))}
      </dl>
      <RequestBody operation={operation} />
      <h4>{docs.responses}</h4>
      {responses
        .filter(({ status }) => status < 400)
        .map((named) => (
          <Success key={named.status} {...named} />
        ))}
      <Errors errors={responses.filter(({ status }) => status >= 400)} />
    </section>
  );
}

function Samples({ operation }: OperationProps) {
  const { docs } = useTexts();
  const { curl, typeScript, mcp } = samplesOf(operation);
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
        {mcp === undefined ? <p>{docs.noTool}</p> : <Code text={mcp} />}
      </details>
    </div>
  );
}

function RequestBody({ operation: { body } }: OperationProps) {
  const { docs } = useTexts();
  if (!body) return null;
  const name = nameOf(schemaOf(body) ?? {});
  return (
    <>
      <h4>{docs.requestBody}</h4>
      <p>
        <InlineContractMarkdown text={body.description ?? ''} />{' '}
        {name !== undefined && docs.jsonWith(<a href={`#${name}`}>{name}</a>)}
      </p>
      <Examples examples={examplesOf(body)} />
    </>
  );
}

function Success({ status, response }: NamedResponse) {
  const schema = schemaOf(response);
  return (
    <div class="success">
      <p>
        <strong>{status}</strong> <InlineContractMarkdown text={response.description} />
      </p>
      {schema && <Fields schema={schema} />}
      <HeaderNames headers={response.headers} />
      <Examples examples={examplesOf(response)} />
    </div>
  );
}

const Errors = ({ errors }: { readonly errors: readonly NamedResponse[] }) => (
  <details>
    <summary>{useTexts().docs.errors(errors.map(({ status }) => status).join(', '))}</summary>
    <ul>
      {errors.map(({ status, name = '', response }) => (
        <li key={status}>
          <a href={`#${name}`}>
            {status} <ContractText>{wordsOf(name)}</ContractText>
          </a>
          {reasonsOf(response).map((reason) => (
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

/** The possible values of `error.details.reason`. */
function reasonsOf(response: OpenAPIV3.ResponseObject): string[] {
  const step = (schema: Schema | undefined, property: string): Schema | undefined => {
    const written = schema?.properties?.[property];
    return written && resolve(written);
  };
  const body = schemaOf(response);
  const reason = ['error', 'details', 'reason'].reduce(step, body && resolve(body));
  return reason ? enumOf(reason) : [];
}
