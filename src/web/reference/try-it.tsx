import type { OpenAPIV3 } from 'openapi-types';
import { policy } from '../../domain/environment.ts';
import { type ContractView, examplesOf, type ReferenceOperation } from './contract-view.ts';
import { enumOf } from './schema-text.ts';

const { restBase, tokenPrefix } = policy.sandbox;

/** Where the token for every “Try it” is typed. Hidden until the script is there; the script sends to this base and nowhere else. */
export const TryItToken = () => (
  <form id="try-it" data-base={restBase} data-prefix={tokenPrefix} hidden>
    <label for="token">Sandbox token for “Try it”</label>
    <input id="token" type="password" autocomplete="off" spellcheck={false} aria-describedby="token-hint" />
    <small id="token-hint">
      Begins with <code>{tokenPrefix}</code>. It is kept in this field only and is gone when you leave the page. “Try
      it” calls <code>{restBase}</code> and never production.
    </small>
  </form>
);

interface TryItProps {
  readonly view: ContractView;
  readonly operation: ReferenceOperation;
}

/** A form that sends one call to the sandbox by script. */
export function TryIt({ view, operation }: TryItProps) {
  const { operationId, method, path, parameters, body, summary } = operation;
  const example = examplesOf(view, body)[0]?.value;
  const bodyId = `${operationId}-body`;
  return (
    <details class="try" hidden>
      <summary>Try it in the sandbox</summary>
      <form data-method={method} data-path={path} aria-label={`Try it: ${summary}`}>
        {parameters.map((parameter) => (
          <ParameterField key={parameter.name} view={view} operationId={operationId} parameter={parameter} />
        ))}
        {example !== undefined && (
          <>
            <label for={bodyId}>Request body</label>
            <textarea id={bodyId} data-in="body" rows={12} spellcheck={false}>
              {JSON.stringify(example, null, 2)}
            </textarea>
          </>
        )}
        <button type="submit">Send to the sandbox</button>
        <div role="status" />
      </form>
    </details>
  );
}

interface ParameterProps {
  readonly view: ContractView;
  readonly operationId: string;
  readonly parameter: OpenAPIV3.ParameterObject;
}

/** Filled in only where a call needs it: what is left empty is not sent. */
function ParameterField({ view, operationId, parameter }: ParameterProps) {
  const { name, in: route, required = false, schema = {}, example } = parameter;
  const values = enumOf(view.resolve(schema));
  const attributes = { id: `${operationId}-${name}`, 'data-in': route, 'data-name': name, required };
  return (
    <>
      <label for={attributes.id}>{name}</label>
      {values.length > 0 ? (
        <select {...attributes}>
          <option value="">not sent</option>
          {values.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      ) : (
        <input {...attributes} type="text" autocomplete="off" value={required ? String(example) : ''} />
      )}
    </>
  );
}
