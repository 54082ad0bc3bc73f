/** Section 9, newest first. The SDK knows more; no others are offered. */
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

export type ProtocolVersion = (typeof protocolVersions)[number];

/** What a client without the MCP-Protocol-Version header speaks, and the only version with batches. */
export const versionWithoutHeader: ProtocolVersion = '2025-03-26';

export const isSupported = (version: unknown): version is ProtocolVersion =>
  protocolVersions.some((known) => known === version);

/** The version that `initialize` answers: the client's where we have it, else our newest. */
export const negotiate = (wanted: string): ProtocolVersion => (isSupported(wanted) ? wanted : protocolVersions[0]);
