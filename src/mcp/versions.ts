/** Every request of these versions names its version; `initialize` never negotiates them. */
export const modernVersions = ['2026-07-28'] as const;

/** Negotiated by `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** Everything that the endpoints serve, newest first. */
export const versions: readonly string[] = [...modernVersions, ...legacyVersions];

/** The version of clients that send no MCP-Protocol-Version header, and the only one with batches. */
export const versionWithoutHeader = '2025-03-26';

export const serverInfo = { name: 'vaga', title: 'Vaga job posting', version: '1.0.0' } as const;

export const capabilities = { tools: {} } as const;
