export type Environment = 'sandbox' | 'production';

/** A company in one environment; nearly every query takes it. */
export interface Tenant {
  readonly companyId: bigint;
  readonly environment: Environment;
}

/** A filter by company, environment or both. An undefined property matches everything. */
export type PartialTenant = { readonly [Key in keyof Tenant]?: Tenant[Key] | undefined };

/** The name, in each line of a company's export, of what the line is. No stored field may have it. */
export const exportTag = 'record';

interface EnvironmentPolicy {
  readonly tokenPrefix: string;
  readonly restBase: string;
  readonly mcpPath: string;
  /** If false, a created job stays pending even with auto-publish. */
  readonly publishes: boolean;
  readonly checksDistricts: boolean;
  /** Whether X-Simulate works. */
  readonly simulates: boolean;
  /** Refuses a create past the posting quota or the sandbox's capacity. */
  readonly quotaMessage: string;
}

/** Every difference between the two environments. */
export const policy: Readonly<Record<Environment, EnvironmentPolicy>> = {
  sandbox: {
    tokenPrefix: 'vaga_test_',
    restBase: '/sandbox/v1',
    mcpPath: '/sandbox/mcp',
    publishes: false,
    checksDistricts: false,
    simulates: true,
    quotaMessage:
      "The sandbox is full. In the dashboard (/dashboard), the company's main account can reset it, which removes all its jobs.",
  },
  production: {
    tokenPrefix: 'vaga_live_',
    restBase: '/v1',
    mcpPath: '/mcp',
    publishes: true,
    checksDistricts: true,
    simulates: false,
    quotaMessage: 'The posting limit is used up.',
  },
};

export const environments = ['production', 'sandbox'] as const satisfies readonly Environment[];

/** Returns the environment of a path, even if nothing is at that path. */
export const environmentOfPath = (path: string): Environment => (isBelow('/sandbox', path) ? 'sandbox' : 'production');

export type Protocol = 'rest' | 'mcp';

/** The protocol of a request target; undefined for pages and documents. */
export const protocolOfPath = (target: string): Protocol | undefined => {
  const { restBase, mcpPath } = policy[environmentOfPath(target)];
  if (isBelow(restBase, target)) return 'rest';
  return target.split(/[?#]/, 1)[0]?.replace(/\/$/, '') === mcpPath ? 'mcp' : undefined;
};

/** Whether a request target is a base path or lies below it. The target may have a query. */
function isBelow(base: string, target: string): boolean {
  if (!target.startsWith(base)) return false;
  const next = target[base.length];
  return next === undefined || next === '/' || next === '?' || next === '#';
}
