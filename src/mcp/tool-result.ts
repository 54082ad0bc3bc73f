import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { PlainReply } from '../contract/types.ts';
import type { Environment } from '../domain/environment.ts';
import type { ApiError } from '../domain/errors.ts';
import type { Ready } from '../domain/ready.ts';

/** The JSON of a result, kept beside it: the SDK passes the object on, and making it anew would cost as much again. */
const texts = new WeakMap<object, string>();

/** Of lists that many calls share. */
const readyResults: Readonly<Record<Environment, WeakMap<Ready<unknown>, CallToolResult>>> = {
  sandbox: new WeakMap(),
  production: new WeakMap(),
};

/** The JSON of a tool's result; undefined for any other. */
export const textOf = (result: unknown): string | undefined =>
  typeof result === 'object' && result !== null ? texts.get(result) : undefined;

/** What an operation has answered: `content` is the JSON text of `structuredContent`. */
export function succeeded(environment: Environment, { status, body, ready }: PlainReply): CallToolResult {
  const known = ready && readyResults[environment].get(ready);
  if (known) return known;
  const made = makeResult({ environment, http_status: status, response: body ?? null }, false);
  if (ready) readyResults[environment].set(ready, made);
  return made;
}

/** What refuses a call. */
export const refused = (environment: Environment, { status, message, details }: ApiError): CallToolResult =>
  makeResult({ environment, http_status: status, error: { status, message, details } }, true);

function makeResult(structuredContent: Record<string, unknown>, isError: boolean): CallToolResult {
  const text = JSON.stringify(structuredContent);
  const result: CallToolResult = { content: [{ type: 'text', text }], structuredContent, isError };
  const content = `[{"type":"text","text":${JSON.stringify(text)}}]`;
  texts.set(result, `{"content":${content},"structuredContent":${text},"isError":${isError}}`);
  return result;
}
