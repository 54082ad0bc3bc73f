import { type Caller, scopesOf } from '../domain/caller.ts';
import { type Day, dateToDay } from '../domain/dates.ts';
import { entitlementOf, type Standing } from '../domain/eligibility.ts';
import type { Environment, Tenant } from '../domain/environment.ts';
import { refusal } from '../domain/errors.ts';
import type { Moment } from '../domain/moment.ts';
import { hashSecret, readSecret } from '../domain/token.ts';
import { type CredentialRecord, findCredential } from '../store/credentials.ts';
import type { Db } from '../store/open.ts';

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
  db: Db,
  environment: Environment,
  authorization: readonly string[],
  now: Date,
): Promise<Authenticated> {
  const [header, ...more] = authorization;
  const secret = more.length === 0 ? /^Bearer +([\x21-\x7e]{1,256})$/i.exec(header ?? '')?.[1] : undefined;
  const tenant = secret === undefined ? undefined : readSecret(secret);
  if (secret === undefined || tenant?.environment !== environment) throw unauthorized();
  const credential = await findCredential(db, tenant, hashSecret(secret));
  if (!credential || credential.revokedAt || credential.expiresAt <= now) throw unauthorized();
  return { tenant, credential };
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
export function eligible({ tenant, credential }: Authenticated, { now, today }: Moment): Caller {
  return {
    tenant,
    credentialId: credential.credentialId,
    scopes: scopesOf[credential.access],
    companyName: credential.companyName,
    planName: activePlan(credential, now)?.name ?? null,
    autoPublish: credential.autoPublish,
    entitlement: entitlementOf(tenant.environment, standingOf(credential, { now, today }), today),
  };
}

function standingOf(credential: CredentialRecord, { now, today }: Moment): Standing {
  return {
    verified: credential.verified,
    suspended: credential.suspendedAt !== null,
    approved: credential.approvedAt !== null,
    plan: activePlan(credential, now),
    grant: activeGrant(credential, today),
  };
}

function activePlan(credential: CredentialRecord, now: Date): Standing['plan'] {
  const { planName: name, postingLimit, apiEligible, subscribedOn, subscriptionEndsAt } = credential;
  if (name === null || postingLimit === null || apiEligible === null || subscribedOn === null) return null;
  if (subscriptionEndsAt && subscriptionEndsAt <= now) return null;
  return { name, postingLimit, apiEligible, startedOn: dateToDay(subscribedOn) };
}

function activeGrant(credential: CredentialRecord, today: Day): Standing['grant'] {
  const { grantLimit, grantStartedOn, grantExpiresOn } = credential;
  if (grantLimit === null || grantStartedOn === null) return null;
  if (grantExpiresOn && dateToDay(grantExpiresOn) < today) return null;
  return { monthlyLimit: grantLimit, startedOn: dateToDay(grantStartedOn) };
}
