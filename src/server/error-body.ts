import { protocolOfPath } from '../domain/environment.ts';
import type { ErrorDetails } from '../domain/errors.ts';
import type { Era } from './mcp-era.ts';

interface ErrorFields {
  readonly status: number;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** The error envelope (section 2.8). */
export const errorEnvelope = ({ status, message, details }: ErrorFields) => ({ error: { status, message, details } });

export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The JSON of an error response; `id` is JSON. Without an id, the legacy era sends null and the modern era omits it. */
export const rpcFailure = (era: Era, id: string | null, { code, message, data }: RpcErrorBody): string =>
  `{"jsonrpc":"2.0",${era === 'modern' && id === null ? '' : `"id":${id},`}"error":${JSON.stringify({ code, message, data })}}`;

/** The code of our own refusals in the legacy era. In the modern era, MCP reserves such codes, so our refusals use the HTTP status. */
const legacyCode = -32000;

/** The JSON of the error response for a refused message. `id` is null if the message has none. */
export const rpcRefusal = (era: Era, id: string | null, { status, message, details }: ErrorFields): string =>
  rpcFailure(era, id, { code: era === 'modern' ? status : legacyCode, message, data: { status, ...details } });

/**
 * The refusal of a request of which no message's id was read, with its media type. At the MCP endpoints, it is plain text: after a JSON-RPC
 * error without an id, clients wait until their timeout. Elsewhere, it is the envelope.
 */
export const unreadRefusal = (target: string, error: ErrorFields): readonly [type: string, text: string] =>
  protocolOfPath(target) === 'mcp'
    ? ['text/plain', error.message]
    : ['application/json', JSON.stringify(errorEnvelope(error))];
