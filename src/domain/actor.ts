import type { operations } from '../../generated/openapi.ts';
import type { RequestTime } from './dates.ts';
import type { Entitlement } from './eligibility.ts';
import type { Tenant } from './environment.ts';

/** Who signs in to which pages: a company's people to the dashboard, administrators to the administration. */
export type Portal = 'company' | 'administrator';

/** Where each portal's pages are. */
export const portalBase: Readonly<Record<Portal, string>> = { company: '/dashboard', administrator: '/admin' };

export type Access = 'read' | 'write';
export type Scope = NonNullable<
  operations['getJob']['responses'][403]['content']['application/json']['error']['details']['required_scope']
>;

/** What a caller was judged by. A write compares it, under its locks, with what is stored then. */
export interface Rights {
  /** By the names that hold_rights reads, see prisma/functions.sql. An absent fact is null. */
  readonly facts: Readonly<Record<string, number | string | boolean | null>>;
  /** Whether a credential, plan or grant that had not ended when the caller was judged has not ended by `later` either. */
  readonly lastUntil: (later: RequestTime) => boolean;
}

/** A credential that works now, and what its company may do. */
export interface Caller {
  readonly kind: 'credential';
  readonly credentialId: number;
  readonly tenant: Tenant;
  readonly access: Access;
  readonly companyName: string;
  readonly planName: string | null;
  readonly autoPublish: boolean;
  readonly entitlement: Entitlement;
  readonly rights: Rights;
}

/** Who acts. An operator uses the command line; `name` comes from an option, a setting or the machine's account. */
export type Actor =
  | Caller
  | { readonly kind: 'user'; readonly id: bigint; readonly companyId: bigint; readonly role: 'main' | 'sub' }
  | { readonly kind: 'administrator'; readonly id: bigint }
  | { readonly kind: 'operator'; readonly name?: string };

/** An actor as the audit trail and the history of a job store it: `credential:5`, `user:12`, `administrator:7`, `operator:ana`. */
export function actorName(actor: Actor): string {
  if (actor.kind === 'operator') return actor.name === undefined ? actor.kind : `${actor.kind}:${actor.name}`;
  return `${actor.kind}:${actor.kind === 'credential' ? actor.credentialId : actor.id}`;
}

/** The labels of credentials and the e-mail addresses of people, by `actorName`. Removed credentials and people are absent. */
export type ActorNames = ReadonlyMap<string, string>;

/** Section 5.6: read access has every `...:read`, and write access every scope of the contract. */
export const hasScope = ({ access }: Pick<Caller, 'access'>, scope: Scope): boolean =>
  access === 'write' || scope.endsWith(':read');
