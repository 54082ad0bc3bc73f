import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import { type ParseError, parse as parseLeniently } from 'jsonc-parser';
import readBytes from 'raw-body';
import { refusal } from '../domain/errors.ts';

/** Section 8: 128 KiB. */
const requestBytesMax = 131_072;

export type JsonBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly message: string };

/** Reads a request body as JSON. Refuses with 415 `media_type` or `content_encoding`, 413 `body_size`, 400 where it breaks off. */
export async function readJsonBody(request: IncomingMessage): Promise<JsonBody> {
  const { 'content-length': length = null, 'transfer-encoding': chunked } = request.headers;
  if (chunked === undefined && (length === null || length === '0')) return { kind: 'none' };
  assertJson(request.headers['content-type']);
  assertPlain(request.headers['content-encoding']);
  const bytes = await readBytes(request, { length, limit: requestBytesMax }).catch((error: unknown) => {
    throw bodyRefusal(error);
  });
  return bytes.length > 0 ? parseJson(bytes) : { kind: 'none' };
}

function assertJson(header: string | undefined): void {
  const { type, charset } = mediaType(header);
  if (type === 'application/json' && (charset === undefined || charset.toLowerCase() === 'utf-8')) return;
  throw refusal(415, 'media_type', 'The request body must be application/json in UTF-8.');
}

function mediaType(header: string | undefined): { type: string; charset?: string | undefined } {
  try {
    const { type, parameters } = parseContentType(header ?? '');
    return { type, charset: parameters.charset };
  } catch {
    return { type: '' };
  }
}

function assertPlain(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw refusal(415, 'content_encoding', 'The request body must not be compressed.');
}

/** raw-body's errors by their closed `type`; what is not among them is a fault of ours. */
function bodyRefusal(error: unknown): unknown {
  const { type } = error as { type?: string };
  if (type === 'entity.too.large')
    return refusal(413, 'body_size', `The request body must be at most ${requestBytesMax} bytes.`);
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return refusal(400, 'malformed_request', 'The request body broke off.');
  return error;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): JsonBody {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: 'malformed', message: 'must be UTF-8' };
  }
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return { kind: 'malformed', message: `must be JSON; it is not ${whereBroken(text)}` };
  }
}

/** The place of the first violation, for people: V8 names it only sometimes. */
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
