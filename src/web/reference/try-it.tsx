import type { OpenAPIV3 } from 'openapi-types';
import { policy } from '../../domain/environment.ts';
import { enumOf, examplesOf, type Operation, resolve } from './contract.ts';
import { useTexts } from './texts.ts';

const { restBase, tokenPrefix } = policy.sandbox;

/** The token for every "Try it" form. The script shows it, and sends it only to this base. */
export function TryItToken() {
  const { tryIt: texts } = useTexts();
  return (
    <form
      id="try-it"
      data-base={restBase}
      data-prefix={tokenPrefix}
      data-enter-token={texts.enterToken}
      data-outside={texts.outside}
      hidden
    >
      <label for="token">{texts.token}</label>
      <input id="token" type="password" autocomplete="off" spellcheck={false} aria-describedby="token-hint" />
      <small id="token-hint">{texts.tokenHint(<code>{tokenPrefix}</code>, <code>{restBase}</code>)}</small>
    </form>
  );
}

/** A form from which the script sends one request to the sandbox. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const { operationId, method, path, parameters, body, summary } = operation;
  const { tryIt: texts, docs } = useTexts();
  const example = examplesOf(body)[0]?.value;
  const bodyId = `${operationId}-body`;
  return (
    <details class="try" hidden>
      <summary>{texts.summary}</summary>
      <form data-method={method} data-path={path} aria-label={texts.label(summary)}>
        {parameters.map((parameter) => (
          <ParameterField key={parameter.name} id={`${operationId}-${parameter.name}`} parameter={parameter} />
        ))}
        {example !== undefined && (
          <>
            <label for={bodyId}>{docs.requestBody}</label>
            <textarea id={bodyId} data-in="body" rows={12} spellcheck={false}>
              {JSON.stringify(example, null, 2)}
            </textarea>
          </>
        )}
        <button type="submit">{texts.send}</button>
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
  const { tryIt: texts } = useTexts();
  const values = enumOf(resolve(schema));
  const attributes = { id, 'data-in': place, 'data-name': name, required };
  return (
    <>
      <label for={id}>{name}</label>
      {values.length > 0 ? (
        <select {...attributes}>
          <option value="">{texts.notSent}</option>
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
