import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import { type ParseError, parse as parseLeniently } from 'jsonc-parser';
import readBytes from 'raw-body';
import { type ApiError, refusal } from '../domain/errors.ts';

/** The limit of a request body: 128 KiB (section 8). */
export const requestBytesMax = 131_072;

export type JsonBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'malformed'; readonly message: string };

/**
 * Reads a request body as JSON. An empty body counts as none. Throws 415 `media_type` or `content_encoding` at the first byte,
 * 413 `body_size`, and 400 if the body ends early.
 */
export async function readJsonBody(request: IncomingMessage): Promise<JsonBody> {
  const { 'content-length': length = null, 'transfer-encoding': chunked } = request.headers;
  if (chunked === undefined && (length === null || length === '0')) return { kind: 'none' };
  const refused = refusalOfType(request.headers);
  const limit = refused ? 0 : requestBytesMax;
  const bytes = await readBytes(request, { length, limit }).catch((error: unknown) => {
    throw isTooLarge(error) && refused ? refused : bodyRefusal(error);
  });
  return bytes.length > 0 ? parseJson(bytes) : { kind: 'none' };
}

/** The refusal of a non-empty body with these headers. Undefined for uncompressed JSON. */
function refusalOfType(headers: IncomingHttpHeaders): ApiError | undefined {
  const wrong = wrongType(headers['content-type']);
  if (wrong !== undefined) return refusal(415, 'media_type', wrong);
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding.toLowerCase() === 'identity'
    ? undefined
    : refusal(415, 'content_encoding', 'The request body must not be compressed.');
}

/** Returns why a Content-Type does not name JSON in UTF-8, or undefined. Accepts every label of UTF-8 (WHATWG Encoding), such as utf8. */
function wrongType(header: string | undefined): string | undefined {
  try {
    const { type, parameters } = parseContentType(header ?? '');
    if (type === 'application/json')
      return isUtf8(parameters.charset)
        ? undefined
        : 'The charset of the Content-Type is not UTF-8: send utf-8 or none.';
  } catch {
    // A malformed header is refused like another type.
  }
  return 'The Content-Type is missing or does not name JSON: send Content-Type: application/json.';
}

function isUtf8(label: string | undefined): boolean {
  try {
    return new TextDecoder(label).encoding === 'utf-8';
  } catch {
    return false;
  }
}

/** Turns the errors that raw-body marks with a `type` into refusals. Returns other errors unchanged: they are our own faults. */
function bodyRefusal(error: unknown): unknown {
  if (isTooLarge(error)) return refusal(413, 'body_size', `The request body must be at most ${requestBytesMax} bytes.`);
  if (isBrokenOff(error)) return refusal(400, 'malformed_request', 'The request body ended early.');
  return error;
}

const typeOf = (error: unknown): string | undefined => (error as { type?: string }).type;
const isTooLarge = (error: unknown): boolean => typeOf(error) === 'entity.too.large';
const brokenOff = new Set<unknown>(['request.aborted', 'request.size.invalid', 'stream.not.readable']);

/** Whether the client disconnected before its body was read. */
export const isBrokenOff = (error: unknown): boolean => brokenOff.has(typeOf(error));

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): JsonBody {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: 'malformed', message: 'must be UTF-8' };
  }
  try {
    return { kind: 'json', value: parsedJson(text), text };
  } catch {
    return { kind: 'malformed', message: `must be JSON; it is not ${whereBroken(text)}` };
  }
}

/** Deeper than any value that the contract or MCP allows. */
const depthMax = 64;

/**
 * Parses JSON. Values deeper than 64 levels become null: the garbage collection of 60,000 nested arrays cost four times as much CPU as
 * parsing them. Throws a SyntaxError.
 */
export function parsedJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return depthOf(text) > depthMax ? cut(value, depthMax) : value;
}

/** The ASCII codes that decide the depth of JSON. */
const codes = { quote: 0x22, backslash: 0x5c, list: 0x5b, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d } as const;

/** The depth of well-formed JSON. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) isInString = !isInString;
    else if (isInString) at += code === codes.backslash ? 1 : 0;
    else if (code === codes.list || code === codes.object) deepest = Math.max(deepest, ++depth);
    else if (code === codes.listEnd || code === codes.objectEnd) depth--;
  }
  return deepest;
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, levels - 1)]));
}

/** Says where the JSON is broken. V8's own message does not always say it. */
function whereBroken(text: string): string {
  const errors: ParseError[] = [];
  try {
    parseLeniently(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const offset = errors[0]?.offset;
  if (offset === undefined) return 'well-formed';
  const before = text.slice(0, offset).split('\n');
  return `from line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} on`;
}
