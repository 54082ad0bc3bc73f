import { policy } from '../domain/environment.ts';
import type { ErrorDetails } from '../domain/errors.ts';
import { matchesPath } from './fast-routes.ts';

interface ErrorFields {
  readonly status: number;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** The error envelope (section 2.8). */
export const errorEnvelope = ({ status, message, details }: ErrorFields) => ({ error: { status, message, details } });

const serverErrorCode = -32000;

/** A JSON-RPC error without an id, for requests that are refused before their message is read. */
export const rpcError = ({ status, message, details }: ErrorFields) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: serverErrorCode, message, data: { status, ...details } },
});

const mcpPaths = Object.values(policy).map(({ mcpPath }) => ({ base: mcpPath, exact: true }));

/** The JSON of an error in the format of the path: a JSON-RPC error at the MCP endpoints, the envelope elsewhere. */
export const errorTextFor = (target: string, error: ErrorFields): string =>
  JSON.stringify(mcpPaths.some((path) => matchesPath(path, target)) ? rpcError(error) : errorEnvelope(error));
