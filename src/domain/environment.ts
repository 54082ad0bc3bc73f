export type Environment = 'sandbox' | 'production';

/** One row of company and environment: every query of the service takes it. */
export interface Tenant {
  readonly companyId: bigint;
  readonly environment: Environment;
}

interface EnvironmentPolicy {
  readonly tokenPrefix: string;
  readonly restBase: string;
  readonly mcpPath: string;
  /** False: a created job stays pending whatever the company is authorized to do. */
  readonly publishes: boolean;
  readonly checksDistricts: boolean;
  /** Whether a request may ask for a failure by X-Simulate. */
  readonly simulates: boolean;
}

/** All that differs between the two environments, in one place. */
export const policy: Readonly<Record<Environment, EnvironmentPolicy>> = {
  sandbox: {
    tokenPrefix: 'vaga_test_',
    restBase: '/sandbox/v1',
    mcpPath: '/sandbox/mcp',
    publishes: false,
    checksDistricts: false,
    simulates: true,
  },
  production: {
    tokenPrefix: 'vaga_live_',
    restBase: '/v1',
    mcpPath: '/mcp',
    publishes: true,
    checksDistricts: true,
    simulates: false,
  },
};

/** The environment that a path belongs to, known or not. */
export const environmentOfPath = (path: string): Environment => (isBelow('/sandbox', path) ? 'sandbox' : 'production');

/** Whether a request's target, with or without its query, is a base path or lies below it. */
export function isBelow(base: string, target: string): boolean {
  if (!target.startsWith(base)) return false;
  const next = target[base.length];
  return next === undefined || next === '/' || next === '?' || next === '#';
}
