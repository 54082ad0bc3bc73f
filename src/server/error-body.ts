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

/** The JSON of the error response for a refused request. `id` is null if the message was not read. */
export const rpcRefusal = (era: Era, id: string | null, { status, message, details }: ErrorFields): string =>
  rpcFailure(era, id, { code: era === 'modern' ? status : legacyCode, message, data: { status, ...details } });

/** The JSON of an error in the format of the path: a JSON-RPC error at the MCP endpoints, the envelope elsewhere. */
export const errorTextFor = (target: string, error: ErrorFields, era: Era = 'legacy'): string =>
  protocolOfPath(target) === 'mcp' ? rpcRefusal(era, null, error) : JSON.stringify(errorEnvelope(error));
