import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject } from '../domain/json-object.ts';
import { withoutSecrets } from '../domain/token.ts';
import { isModernVersion, versionHeader } from '../server/mcp-era.ts';
import {
  codes,
  type Id,
  type InvalidMessage,
  invalid,
  type Message,
  orEmptyObject,
  type Params,
  type Request,
  readMessage,
} from './json-rpc.ts';
import { modernMethods } from './methods.ts';
import { modernVersions } from './versions.ts';

/** The keys of `params._meta` in a modern request. clientInfo is optional; the other two are required. */
const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
} as const;

/** Whether a message of the body names a version in its `_meta`. The body then belongs to the modern era. */
export const claimsVersion = (body: unknown): boolean => (Array.isArray(body) ? body : [body]).some(isModernMessage);

/** `initialize` belongs to the legacy era unless its `_meta` is complete. */
function isModernMessage(message: unknown): boolean {
  const meta = metaOf(message);
  if (!Object.hasOwn(meta, metaKeys.version)) return false;
  if ((message as Params).method !== 'initialize') return true;
  return isModernVersion(meta[metaKeys.version]) && metaError(meta) === undefined;
}

/** `params._meta` of a message; empty if there is none. */
export function metaOf(message: unknown): Params {
  const params = isJsonObject(message) ? message.params : undefined;
  return isJsonObject(params) && isJsonObject(params._meta) ? params._meta : {};
}

/** Reads a body of the modern era, which has one message. */
export function readModern(body: unknown, headers: IncomingHttpHeaders): Message {
  if (Array.isArray(body))
    return invalid(null, codes.request, 'A request is one message: this version has no batches.');
  const message = readMessage(body);
  if (message.kind === 'invalid') return { ...message, status: 400 };
  if (message.kind === 'request') return refusalOf(message, metaOf(body), headers) ?? message;
  const isNotification = isJsonObject(body) && typeof body.method === 'string';
  return isNotification
    ? message
    : invalid(null, codes.request, 'A client sends requests and notifications, never responses.');
}

/** Checks in the order of the specification of 2026-07-28: version, `_meta`, headers, method. */
function refusalOf(request: Request, meta: Params, headers: IncomingHttpHeaders): InvalidMessage | undefined {
  const { id, method } = request;
  const version = meta[metaKeys.version];
  // Refused before `_meta` is checked, because we do not know the `_meta` of a version that we do not serve.
  if (headers[versionHeader] === version && !modernVersions.some((known) => known === version))
    return unsupportedVersion(id, version, modernVersions);
  const wrong = metaError(meta);
  if (wrong && method === 'initialize') return mismatch(id, `initialize is not a method of ${headers[versionHeader]}`);
  if (wrong) return invalid(id, codes.params, wrong);
  const differing = differingHeader(request, String(version), headers);
  if (differing) return mismatch(id, differing);
  return modernMethods.has(method) ? undefined : invalid(id, codes.method, 'Method not found', 404);
}

/** What is wrong with the `_meta` of a request. */
function metaError(meta: Params): string | undefined {
  const client = meta[metaKeys.client];
  const isClient = isJsonObject(client) && typeof client.name === 'string' && typeof client.version === 'string';
  if (typeof meta[metaKeys.version] !== 'string') return `params._meta needs ${metaKeys.version}, a string.`;
  if (!isJsonObject(orEmptyObject(meta[metaKeys.capabilities])))
    return `params._meta needs ${metaKeys.capabilities}, an object.`;
  if (client === undefined || isClient) return undefined;
  return `${metaKeys.client} in params._meta must be an object with the strings name and version.`;
}

/** How a header differs from the part of the body that it repeats. */
function differingHeader(
  { method, params }: Request,
  version: string,
  headers: IncomingHttpHeaders,
): string | undefined {
  const { [versionHeader]: sentVersion, 'mcp-method': sentMethod, 'mcp-name': sentName } = headers;
  if (sentVersion !== version) return compared('MCP-Protocol-Version', sentVersion, version);
  if (sentMethod !== method) return compared('Mcp-Method', sentMethod, method);
  // toolOf refuses a name that is not a string.
  if (method !== 'tools/call' || typeof params.name !== 'string' || decoded(sentName) === params.name) return undefined;
  return compared('Mcp-Name', sentName, params.name);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes the value of a header: plain, or in Base64 between `=?base64?` and `?=`. Returns undefined for characters other than visible
 * ASCII, space and tab, and for invalid Base64 or UTF-8.
 */
function decoded(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || !/^[\t\x20-\x7e]*$/.test(header)) return undefined;
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  if (encoded === undefined) return header;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function compared(name: string, header: string | string[] | undefined, body: string): string {
  const differs = header === undefined ? 'is missing;' : `value ${excerpt(header)} does not match`;
  return `${name} header ${differs} body value ${excerpt(body)}`;
}

const excerpt = (value: string | string[]): string => `'${withoutSecrets(String(value).slice(0, 64))}'`;

const mismatch = (id: Id, text: string): InvalidMessage =>
  invalid(id, codes.headerMismatch, `Header mismatch: ${text}`);

/** `supported` lists the versions to offer: only modern ones if the request names its version in `_meta`, otherwise all. */
export const unsupportedVersion = (
  id: Id | null,
  requested: unknown,
  supported: readonly string[],
): InvalidMessage => ({
  kind: 'invalid',
  id,
  status: 400,
  error: {
    code: codes.unsupportedVersion,
    message: 'Unsupported protocol version',
    data: { supported, requested: withoutSecrets(String(requested)) },
  },
});
