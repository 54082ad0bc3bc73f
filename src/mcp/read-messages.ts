import type { IncomingHttpHeaders } from 'node:http';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { JsonBody } from '../server/json-body.ts';
import { type Era, eraOfHeader, versionHeader } from '../server/mcp-era.ts';
import { batchMessagesMax } from './batch.ts';
import { codes, ExactNumber, invalid, isObject, type Message, messageId, readMessage } from './json-rpc.ts';
import { claimsVersion, readModern, unsupportedVersion } from './modern-request.ts';
import { versions, versionWithoutHeader } from './versions.ts';

interface Messages {
  readonly era: Era;
  readonly messages: readonly Message[];
  readonly isBatch: boolean;
}

/** Reads a body as the messages of its era. */
export function readMessages(body: JsonBody, headers: IncomingHttpHeaders): Messages {
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
  if (value.length === 0 || value.length > batchMessagesMax)
    return refuse(codes.request, `A batch has 1 to ${batchMessagesMax} messages.`);
  return { era, messages: value.map(readMessage), isBatch: true };
}

/** Replaces ids that JavaScript has rounded by their text: an id is echoed as it came. */
function withExactIds(value: unknown, text: string): unknown {
  const messages = Array.isArray(value) ? value.slice(0, batchMessagesMax) : [value];
  const isRounded = (message: unknown) =>
    isObject(message) && typeof message.id === 'number' && !Number.isSafeInteger(message.id);
  if (!messages.some(isRounded)) return value;
  const tree = parseTree(text);
  const exact = messages.map((message, at) => {
    const node = tree && findNodeAtLocation(tree, [...(Array.isArray(value) ? [at] : []), 'id']);
    const literal = node && text.slice(node.offset, node.offset + node.length);
    return isRounded(message) && literal ? { ...(message as object), id: new ExactNumber(literal) } : message;
  });
  return Array.isArray(value) ? [...exact, ...value.slice(batchMessagesMax)] : exact[0];
}
