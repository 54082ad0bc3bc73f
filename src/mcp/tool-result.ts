import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { PlainReply } from '../contract/types.ts';
import type { CachedJson, JsonPieces } from '../domain/cached-json.ts';
import type { Environment } from '../domain/environment.ts';
import type { ApiError } from '../domain/errors.ts';

/** The JSON of a result, kept beside it: the SDK passes the object on, and making it anew would cost as much again. */
const texts = new WeakMap<object, string | JsonPieces>();

/** Of lists that many calls share. */
const readyResults: Readonly<Record<Environment, WeakMap<CachedJson<unknown>, CallToolResult>>> = {
  sandbox: new WeakMap(),
  production: new WeakMap(),
};

/** The JSON of a tool's result; undefined for any other. */
export const textOf = (result: unknown): string | JsonPieces | undefined =>
  typeof result === 'object' && result !== null ? texts.get(result) : undefined;

/** What an operation has answered: `content` is the JSON text of `structuredContent`. */
export function succeeded(
  environment: Environment,
  { status, body, cached: ready, pieces }: PlainReply,
): CallToolResult {
  if (pieces) return resultInPieces(environment, status, pieces);
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

/** The same for a large response; the object that the SDK passes on lacks it, its pieces have it twice. */
function resultInPieces(environment: Environment, status: number, response: JsonPieces): CallToolResult {
  function* structured(): Generator<string> {
    yield `{"environment":"${environment}","http_status":${status},"response":`;
    yield* response();
    yield '}';
  }
  function* whole(): Generator<string> {
    yield '{"content":[{"type":"text","text":"';
    for (const piece of structured()) yield JSON.stringify(piece).slice(1, -1);
    yield '"}],"structuredContent":';
    yield* structured();
    yield ',"isError":false}';
  }
  const result: CallToolResult = {
    content: [],
    structuredContent: { environment, http_status: status },
    isError: false,
  };
  texts.set(result, whole);
  return result;
}
