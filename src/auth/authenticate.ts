import type { Rows } from '../database/open.ts';
import { type Caller, scopesOf } from '../domain/actor.ts';
import { type AccessFacts, entitlementOf, isGranted, isSubscribed } from '../domain/eligibility.ts';
import type { Environment, Tenant } from '../domain/environment.ts';
import { refusal } from '../domain/errors.ts';
import type { RequestTime } from '../domain/request-time.ts';
import { hashSecret, readSecret } from '../domain/token.ts';
import { type CredentialRecord, findCredential } from '../queries/credentials.ts';

/** A credential that exists and is in force; whether its company may call at all is `eligible`'s to say. */
export interface Authenticated {
  readonly tenant: Tenant;
  readonly credential: CredentialRecord;
}

/**
 * RFC 6750 bearer token, in the Authorization header alone. Refuses with one and the same 401 what is missing, repeated,
 * malformed, unknown, expired, revoked, or of the other environment.
 */
export async function authenticate(
  db: Rows,
  environment: Environment,
  authorization: readonly string[],
  now: Date,
): Promise<Authenticated> {
  const [header, ...more] = authorization;
  const secret = more.length === 0 ? bearerToken(header) : undefined;
  const tenant = secret === undefined ? undefined : readSecret(secret);
  if (secret === undefined || tenant?.environment !== environment) throw unauthorized();
  const credential = await findCredential(db, tenant, hashSecret(secret));
  if (!credential || credential.revokedAt || new Date(credential.expiresAt) <= now) throw unauthorized();
  return { tenant, credential };
}

const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\x21-\x7e]{1,256})$/i.exec(header ?? '')?.[1];

/** The tenant that a request names, unproved. */
export function claimedTenant(header: string | undefined): Tenant | undefined {
  const secret = bearerToken(header);
  return secret === undefined ? undefined : readSecret(secret);
}

const unauthorized = () =>
  refusal(
    401,
    'credential',
    'A valid credential of this environment is needed: Authorization: Bearer <ACCESS_TOKEN>.',
    {},
    { 'WWW-Authenticate': 'Bearer' },
  );

/** The caller that a credential stands for. Refuses with 403 `permission`, `plan` or `approval`. */
export function eligible({ tenant, credential }: Authenticated, time: RequestTime): Caller {
  const facts = standingOf(credential, time);
  return {
    tenant,
    credentialId: credential.id,
    scopes: scopesOf[credential.access],
    companyName: credential.company.name,
    planName: facts.plan?.name ?? null,
    autoPublish: credential.company.autoPublish,
    entitlement: entitlementOf(tenant.environment, facts, time.today),
  };
}

/** A subscription or grant that has ended counts as none. */
function standingOf({ company, plan, grant }: CredentialRecord, { now, today }: RequestTime): AccessFacts {
  return {
    verified: company.verified,
    suspended: company.suspendedAt !== null,
    approved: company.approvedAt !== null,
    plan: plan && isSubscribed(plan.endsAt === null ? null : new Date(plan.endsAt), now) ? plan : null,
    grant: grant && isGranted(grant.expiresOn, today) ? grant : null,
  };
}
