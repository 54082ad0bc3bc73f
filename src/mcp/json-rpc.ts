import type { JsonText } from '../contract/types.ts';
import { isJsonObject } from '../domain/json-object.ts';
import { type RpcErrorBody, rpcFailure } from '../server/error-body.ts';
import type { Era } from '../server/mcp-era.ts';

/** The JSON of an id, which is a string or a number. JSON-RPC 2.0 also allows null; MCP does not. */
export type Id = string;
export type Params = Readonly<Record<string, unknown>>;

export interface Request {
  readonly kind: 'request';
  readonly id: Id;
  readonly method: string;
  readonly params: Params;
}

/** A message that is refused. `status` is the HTTP status; `id` is null if the message has no readable id. */
export interface InvalidMessage {
  readonly kind: 'invalid';
  readonly id: Id | null;
  readonly status: number;
  readonly error: RpcErrorBody;
}

/** A message that gets a response. */
export type AnsweredMessage = Request | InvalidMessage;

/** A message from a client. Notifications and responses get no answer. */
export type Message = AnsweredMessage | { readonly kind: 'silent' };

export const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  /** Defined by MCP 2026-07-28. */
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** A protocol error; the message is safe to show. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Wraps JSON in text without joining its pieces. */
export const around = (before: string, text: JsonText, after: string): JsonText =>
  typeof text === 'string'
    ? `${before}${text}${after}`
    : {
        length: text.length,
        *[Symbol.iterator]() {
          yield before;
          yield* text;
          yield after;
        },
      };

/** The JSON of a response, built from the members of its result as JSON. */
export const response = (id: Id, members: JsonText): JsonText =>
  around(`{"jsonrpc":"2.0","id":${id},"result":{`, members, '}}');

/** The JSON of an error response. */
export const failure = (id: Id | null, error: RpcErrorBody, era: Era = 'legacy'): string => rpcFailure(era, id, error);

/** A number as it was sent, because JavaScript would round it or write it differently. */
export class ExactNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** PHP writes an empty object as an empty list. */
export const orEmptyObject = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

export function readMessage(value: unknown): Message {
  if (!isJsonObject(value)) return invalid(null, codes.request, 'A JSON-RPC message is an object.');
  const id = messageId(value);
  const { method } = value;
  const params = orEmptyObject(value.params ?? {});
  if (value.jsonrpc !== '2.0') return invalid(id, codes.request, 'jsonrpc must be "2.0".');
  const isResponse = method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
  if (isResponse) return { kind: 'silent' };
  if (typeof method !== 'string') return invalid(id, codes.request, 'method must be a string.');
  if (!Object.hasOwn(value, 'id')) return { kind: 'silent' };
  if (id === null) return invalid(null, codes.request, 'id must be a string or a number.');
  if (!isJsonObject(params)) return invalid(id, codes.params, 'params must be an object.', 200);
  return { kind: 'request', id, method, params };
}

export const invalid = (id: Id | null, code: number, message: string, status = 400): InvalidMessage => ({
  kind: 'invalid',
  id,
  status,
  error: { code, message },
});

/** The id of a message, even one that is otherwise invalid. Null if there is none. */
export function messageId(message: unknown): Id | null {
  const id = isJsonObject(message) ? message.id : undefined;
  if (id instanceof ExactNumber) return id.literal;
  return typeof id === 'string' || Number.isFinite(id) ? JSON.stringify(id) : null;
}
