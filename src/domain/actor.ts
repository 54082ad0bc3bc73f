import type { Entitlement } from './eligibility.ts';
import type { Tenant } from './environment.ts';

export type Scope = 'jobs:read' | 'jobs:write' | 'reference:read';
export type Access = 'read' | 'write';

/** Who calls: a credential that works now, and what its company may do. */
export interface Caller {
  readonly tenant: Tenant;
  readonly credentialId: number;
  readonly scopes: ReadonlySet<Scope>;
  readonly companyName: string;
  readonly planName: string | null;
  readonly autoPublish: boolean;
  readonly entitlement: Entitlement;
}

/** Who acted, as a job's history names a credential. */
export const actorOf = ({ credentialId }: Caller): string => `credential:${credentialId}`;

const readScopes: readonly Scope[] = ['jobs:read', 'reference:read'];

/** Section 5.6: write includes the read scopes. */
export const scopesOf: Readonly<Record<Access, ReadonlySet<Scope>>> = {
  read: new Set(readScopes),
  write: new Set([...readScopes, 'jobs:write']),
};

/** Whose pages: a company's dashboard, or the administrator's console. Neither's sessions open the other. */
export type Portal = 'company' | 'administrator';
