import { environments, policy } from '../domain/environment.ts';
import type { ErrorDetails } from '../domain/errors.ts';
import type { Era } from '../domain/mcp-era.ts';

interface ErrorFields {
  readonly status: number;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** The error envelope (section 2.8). */
export const errorEnvelope = ({ status, message, details }: ErrorFields) => ({ error: { status, message, details } });

/** The code of our own refusals in the legacy era. In the modern one the reserved range is MCP's, and the HTTP status is the code. */
const legacyCode = -32000;

/** A JSON-RPC error for a refused request; `id` is null if its message was not read. */
export const rpcError = ({ status, message, details }: ErrorFields, era: Era, id: string | number | null = null) => ({
  jsonrpc: '2.0',
  ...(era === 'modern' && id === null ? {} : { id }),
  error: { code: era === 'modern' ? status : legacyCode, message, data: { status, ...details } },
});

/** With its query, or as the path is written. */
const isMcp = (target: string): boolean =>
  environments.some((environment) => policy[environment].mcpPath === target.split(/[?#]/, 1)[0]?.replace(/\/$/, ''));

/** The JSON of an error in the format of the path: a JSON-RPC error at the MCP endpoints, the envelope elsewhere. */
export const errorTextFor = (target: string, error: ErrorFields, era: Era = 'legacy'): string =>
  JSON.stringify(isMcp(target) ? rpcError(error, era) : errorEnvelope(error));
