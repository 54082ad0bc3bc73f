/** JSON-RPC 2.0 as MCP narrows it: ids are strings or numbers, never null. */
export type Id = string | number;
export type Params = Readonly<Record<string, unknown>>;

interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params: Params;
}

/** A message of a client: a request, an invalid message, or a notification or response, which are not answered. */
export type Message =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'invalid'; readonly id: Id | null; readonly error: RpcErrorBody }
  | { readonly kind: 'silent' };

export const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, server: -32000 } as const;

/** A protocol error; the message is safe to show. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The JSON of an error response. */
export const failure = (id: Id | null, error: RpcErrorBody): string => JSON.stringify({ jsonrpc: '2.0', id, error });

export const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isFinite(value);

export function readMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, codes.request, 'A JSON-RPC message is an object.');
  const id = isId(value.id) ? value.id : null;
  const { method, params = {} } = value;
  if (value.jsonrpc !== '2.0') return invalid(id, codes.request, 'jsonrpc must be "2.0".');
  const isResponse = method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
  if (isResponse) return { kind: 'silent' };
  if (typeof method !== 'string') return invalid(id, codes.request, 'method must be a string.');
  if (!Object.hasOwn(value, 'id')) return { kind: 'silent' };
  if (id === null) return invalid(null, codes.request, 'id must be a string or a number.');
  if (!isObject(params)) return invalid(id, codes.params, 'params must be an object.');
  return { kind: 'request', request: { id, method, params } };
}

export const invalid = (id: Id | null, code: number, message: string): Message => ({
  kind: 'invalid',
  id,
  error: { code, message },
});
