import type { OpenAPIV3 } from 'openapi-types';
import { policy } from '../../domain/environment.ts';
import { enumOf, examplesOf, type Operation, resolve } from './contract.ts';

const { restBase, tokenPrefix } = policy.sandbox;

/** The token for every "Try it" form. The script shows it, and sends it only to this base. */
export const TryItToken = () => (
  <form id="try-it" data-base={restBase} data-prefix={tokenPrefix} hidden>
    <label for="token">Sandbox token for “Try it”</label>
    <input id="token" type="password" autocomplete="off" spellcheck={false} aria-describedby="token-hint" />
    <small id="token-hint">
      Begins with <code>{tokenPrefix}</code>. It is kept only in this field, and is gone when you leave the page. “Try
      it” calls <code>{restBase}</code>, never production.
    </small>
  </form>
);

/** A form from which the script sends one request to the sandbox. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const { operationId, method, path, parameters, body, summary } = operation;
  const example = examplesOf(body)[0]?.value;
  const bodyId = `${operationId}-body`;
  return (
    <details class="try" hidden>
      <summary>Try it in the sandbox</summary>
      <form data-method={method} data-path={path} aria-label={`Try it: ${summary}`}>
        {parameters.map((parameter) => (
          <ParameterField key={parameter.name} id={`${operationId}-${parameter.name}`} parameter={parameter} />
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
  readonly id: string;
  readonly parameter: OpenAPIV3.ParameterObject;
}

/** Filled in only if required: an empty parameter is not sent. */
function ParameterField({ id, parameter }: ParameterProps) {
  const { name, in: place, required = false, schema = {}, example } = parameter;
  const values = enumOf(resolve(schema));
  const attributes = { id, 'data-in': place, 'data-name': name, required };
  return (
    <>
      <label for={id}>{name}</label>
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
