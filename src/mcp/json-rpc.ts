/** JSON-RPC 2.0 as MCP narrows it: ids are strings or numbers, never null. */
export type Id = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Response =
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: Id | null; readonly error: RpcError };

export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

/** One message of a client: a request to answer, one that cannot be answered, or one that wants no answer. */
export type Message =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'invalid'; readonly id: Id | null; readonly error: RpcError }
  | { readonly kind: 'silent' };

export const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, server: -32000 } as const;

export const failure = (id: Id | null, error: RpcError): Response => ({ jsonrpc: '2.0', id, error });

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isFinite(value);

/** What a parsed value is as a JSON-RPC message. Notifications and responses of a client want no answer here. */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, 'A JSON-RPC message is an object.');
  const id = isId(value.id) ? value.id : null;
  if (value.jsonrpc !== '2.0') return invalid(id, 'jsonrpc must be "2.0".');
  const isResponse = value.method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
  if (isResponse) return { kind: 'silent' };
  if (typeof value.method !== 'string') return invalid(id, 'method must be a string.');
  if (!Object.hasOwn(value, 'id')) return { kind: 'silent' };
  if (id === null) return invalid(null, 'id must be a string or a number.');
  if (value.params !== undefined && !isObject(value.params))
    return { kind: 'invalid', id, error: { code: codes.params, message: 'params must be an object.' } };
  return { kind: 'request', request: { id, method: value.method, params: value.params } };
}

const invalid = (id: Id | null, message: string): Message => ({
  kind: 'invalid',
  id,
  error: { code: codes.request, message },
});
