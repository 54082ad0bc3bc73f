import type { IncomingHttpHeaders } from 'node:http';
import { createScanner } from 'jsonc-parser';
import { isJsonObject } from '../domain/json-object.ts';
import type { JsonBody } from '../server/json-body.ts';
import { type Era, eraOfHeader, versionHeader } from '../server/mcp-era.ts';
import { batchMessagesMax } from './batch.ts';
import { codes, ExactNumber, invalid, type Message, messageId, type Params, readMessage } from './json-rpc.ts';
import { claimsVersion, readModern, unsupportedVersion } from './modern-request.ts';
import { versions, versionWithoutHeader } from './versions.ts';

interface Messages {
  readonly era: Era;
  readonly messages: readonly Message[];
  readonly isBatch: boolean;
}

/** Reads a body as the messages of its era. Refuses a batch that the company's limit of requests can never hold, like one that is too long. */
export function readMessages(body: JsonBody, headers: IncomingHttpHeaders, requestsPerMinute: number): Messages {
  const value = body.kind === 'json' ? withExactIds(body.value, body.text) : undefined;
  const hasClaim = claimsVersion(value);
  const era = hasClaim ? 'modern' : eraOfHeader(headers);
  const single = (message: Message): Messages => ({ era, messages: [message], isBatch: false });
  const refuse = (code: number, message: string) => single(invalid(null, code, message));
  if (body.kind === 'malformed') return refuse(codes.parse, `The request body ${body.message}.`);
  if (body.kind === 'none') return refuse(codes.request, 'The request body must be a JSON-RPC message.');
  const version = String(headers[versionHeader] ?? versionWithoutHeader);
  if (!hasClaim && !versions.includes(version)) return single(unsupportedVersion(messageId(value), version, versions));
  if (era === 'modern') return single(readModern(value, headers));
  if (!Array.isArray(value)) return single(readMessage(value));
  if (version !== versionWithoutHeader)
    return refuse(codes.request, `Only version ${versionWithoutHeader} has batches.`);
  const messagesMax = Math.min(batchMessagesMax, requestsPerMinute);
  if (value.length === 0 || value.length > messagesMax)
    return refuse(codes.request, `A batch has 1 to ${messagesMax} messages.`);
  return { era, messages: value.map(readMessage), isBatch: true };
}

/** Matches JSON that may have an id with a fraction or an exponent (JavaScript may rewrite such a number), or `id` written with escapes. */
const notPlain = /"id"\s*:\s*-?\d+[.eE]|\\u006[49]/;

/** Replaces numeric ids by their original text if JavaScript would round or rewrite one, such as 1.0. Responses must repeat an id as sent. */
function withExactIds(value: unknown, text: string): unknown {
  const isBatch = Array.isArray(value);
  const messages = isBatch ? value.slice(0, batchMessagesMax) : [value];
  const hasNumber = (message: unknown): message is Params => isJsonObject(message) && typeof message.id === 'number';
  const isChanged = (message: unknown) =>
    hasNumber(message) && !(Number.isSafeInteger(message.id) && !Object.is(message.id, -0));
  if (!messages.some(isChanged) && !notPlain.test(text)) return value;
  const ids = numberIds(text, isBatch);
  const exact = messages.map((message, at) => (hasNumber(message) ? { ...message, id: ids.get(at) } : message));
  return isBatch ? [...exact, ...value.slice(batchMessagesMax)] : exact[0];
}

/** Returns the ids that are numbers, by the index of their message. Does not recurse, because the JSON may have any depth. */
function numberIds(text: string, isBatch: boolean): Map<number, ExactNumber> {
  const found = new Map<number, ExactNumber>();
  const scanner = createScanner(text, true);
  const depthOfIds = isBatch ? 2 : 1;
  let [depth, place, last, key] = [0, 0, '', ''];
  for (;;) {
    scanner.scan();
    const first = text[scanner.getTokenOffset()];
    if (first === undefined) return found;
    if (first === '{' || first === '[') depth++;
    else if (first === '}' || first === ']') depth--;
    else if (first === ',' && depth < depthOfIds) place++;
    else if (first === ':' && depth === depthOfIds) key = last;
    else if (key === 'id' && depth === depthOfIds && /[-\d]/.test(first))
      found.set(place, new ExactNumber(scanner.getTokenValue()));
    last = scanner.getTokenValue();
  }
}
