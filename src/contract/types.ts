import type { components, operations, ParameterDefaults } from '../../generated/openapi.ts';
import type { FieldError } from '../domain/message.ts';

export type Schemas = components['schemas'];
export type OperationId = keyof operations;

type Parameters<O extends OperationId, In extends string> = operations[O]['parameters'] extends { [K in In]?: infer P }
  ? NonNullable<P> extends never
    ? Record<never, never>
    : NonNullable<P> & Required<Pick<NonNullable<P>, keyof P & Defaulted<O, In>>>
  : Record<never, never>;

/** The names of the parameters in a place that have a default. */
type Defaulted<O extends OperationId, In extends string> = ParameterDefaults[O] extends { [K in In]: infer Names }
  ? Names
  : never;

type RequestBody<O extends OperationId> = operations[O] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? B
  : undefined;

export type Query<O extends OperationId> = Parameters<O, 'query'>;

/** The valid input of an operation, with the contract's defaults. Header names are spelled as in the contract. `Reads` are the query parameters that a function reads. */
export interface Input<O extends OperationId, Reads extends keyof Query<O> = never> {
  readonly path: Parameters<O, 'path'>;
  readonly query: Pick<Query<O>, Reads>;
  readonly header: Parameters<O, 'header'>;
  readonly body: RequestBody<O>;
}

/**
 * JSON that is too large to hold in memory, serialized piece by piece while it is sent. For ten of the longest lists at once, the memory
 * peak is 0.5 GB lower, and other requests wait 0.1 s instead of 2 s.
 */
interface JsonPieces extends Iterable<string> {
  /** How many characters the source data of the JSON has. That data stays in memory until the last piece is sent. */
  readonly length: number;
}

/** The pieces of a long list. */
interface ListPieces extends JsonPieces {
  /** The list itself. Its items are made while they are read. */
  readonly list: { readonly data: Iterable<object>; readonly meta: object };
}

/** JSON text, in pieces if it is large. */
export type JsonText = string | JsonPieces;

type SuccessStatus = 200 | 201 | 202 | 204;

/** Headers that are set outside the operations. */
export const commonHeaders = [
  'X-API-Environment',
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'X-Simulate-Ignored',
  'Cache-Control',
] as const;
type CommonHeader = (typeof commonHeaders)[number];

type OwnHeaders<H> = { [K in keyof H as string extends K ? never : K extends CommonHeader ? never : K]: H[K] };

interface Json<B> {
  content: { 'application/json': B };
}

/** Tools get a body for a 204 if the contract has one under `x-mcp`. */
type BodyOf<Responses, S extends keyof Responses> =
  Responses[S] extends Json<infer B>
    ? { readonly body: B; readonly text?: string } | { readonly body?: undefined; readonly pieces: ListPieces }
    : Responses extends { 'x-mcp': Json<infer B> }
      ? { readonly body: B }
      : { readonly body?: undefined };

type HeadersOf<Response> = Response extends { headers: infer H }
  ? keyof OwnHeaders<H> extends never
    ? { readonly headers?: undefined }
    : { readonly headers: OwnHeaders<H> }
  : { readonly headers?: undefined };

type ReplyTo<Responses> = {
  [S in keyof Responses & SuccessStatus]: { readonly status: S } & BodyOf<Responses, S> & HeadersOf<Responses[S]>;
}[keyof Responses & SuccessStatus];

/** Maps each operation to `unknown` if its function reads all query parameters, otherwise to a text that names an unread one. */
export type Complete<Functions extends { readonly [O in OperationId]: { readonly run: unknown } }> = {
  readonly [O in OperationId]: Exclude<keyof Query<O>, ReadBy<Functions[O]['run']>> extends infer Unread extends string
    ? [Unread] extends [never]
      ? unknown
      : `no function reads the parameter ${Unread} of ${O}`
    : never;
};
type ReadBy<Run> = Run extends (ctx: never, input: infer I extends { readonly query: unknown }) => unknown
  ? keyof I['query']
  : never;

/** A successful answer that the contract declares. Refusals are thrown as ApiError. */
export type Reply<O extends OperationId> = ReplyTo<operations[O]['responses']>;

/** The reply of any operation. */
export interface PlainReply {
  readonly status: number;
  /** With status 204, only tools get the body; REST sends none. */
  readonly body?: unknown;
  /** The body as JSON, if the operation has already made it. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A long list, instead of `body`. */
  readonly pieces?: ListPieces | undefined;
}

/** A request without its protocol. Parameters have the contract's types if the adapter could convert them. */
export interface PlainRequest {
  readonly operationId: OperationId;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  /** The value of X-Simulate, unless the environment ignores it. */
  readonly simulation?: string | undefined;
  readonly body?: unknown;
  /** Errors that the adapter has found, such as a wrong `view` of a tool call. */
  readonly errors?: readonly FieldError[];
  /** Why the body is not JSON. */
  readonly bodyError?: string;
  /** The number of unknown parameters, if they are too many to be named. `query` then lacks them. */
  readonly unknownNames?: number;
}
