/**
 * The two eras of MCP: legacy versions (2025-11-25 and before) begin with `initialize`; in modern ones (2026-07-28 and later) every
 * request describes itself in `_meta` and in headers.
 */
export type Era = 'legacy' | 'modern';

const firstModernVersion = '2026-07-28';

/** Whether a version is of the modern era, served or not. Versions are dates. */
export const isModernVersion = (version: unknown): version is string =>
  typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= firstModernVersion;

export const versionHeader = 'mcp-protocol-version';

/** The era of a request before its message is read. */
export const eraOfHeader = (headers: Readonly<Record<string, unknown>>): Era =>
  isModernVersion(headers[versionHeader]) ? 'modern' : 'legacy';
