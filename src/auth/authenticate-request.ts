import type { Database } from '../database/open.ts';
import type { Caller, Rights } from '../domain/actor.ts';
import type { RequestTime } from '../domain/dates.ts';
import { type AccessFacts, accessFactsOf, entitlementOf, isValidCredential } from '../domain/eligibility.ts';
import { type Environment, policy, type Tenant } from '../domain/environment.ts';
import { type ApiError, bearerChallenge, refusal } from '../domain/errors.ts';
import { hashSecret, readSecret } from '../domain/token.ts';
import type { AddressLimit } from '../rate-limit/request-limits.ts';
import { type CredentialRecord, findCredentialBySecret, type LastUsed } from './credential-lookup-sql.ts';
import type { MaintenanceSwitch } from './maintenance-sql.ts';

/** The parts of a request that authentication needs, over REST or MCP. */
export interface ClientInfo {
  readonly environment: Environment;
  /** Whether the request came over https, or over plain http where that is allowed. */
  readonly isSecure: boolean;
  /** The client's IP address, as seen through trusted proxies. */
  readonly address: string;
  /** Every Authorization header of the request. */
  readonly authorization: readonly string[];
}

export interface AuthDeps {
  readonly database: Pick<Database, 'connectionsFor'>;
  readonly addressLimit: AddressLimit;
  readonly maintenance: MaintenanceSwitch;
  readonly lastUsed: LastUsed;
}

/**
 * Authenticates a request that passed checkClient, and returns its caller. Calls `identified` with a known credential even if the request is
 * then refused, so that the company sees refused requests too. Throws, in this order: 503 `maintenance`, 429 `address`, 401, 403
 * `permission`, `plan` or `approval`.
 */
export async function authenticateRequest(
  deps: AuthDeps,
  client: ClientInfo,
  time: RequestTime,
  identified: (credential: IssuedCredential) => void,
): Promise<Caller> {
  await deps.maintenance.assertOff(time.now);

  const issued = await issuedCredential(deps, client);
  if (issued) identified(issued);
  if (!issued || !isValid(issued, client.environment, time.now)) throw unauthorized(client);
  const caller = callerOf(issued, time);
  deps.lastUsed.record(issued.tenant, issued.credential, time.now);
  return caller;
}

/** Checks that need no credential. Throws 400 `https`, 429 `address`. */
export async function checkClient(
  { addressLimit }: Pick<AuthDeps, 'addressLimit'>,
  { isSecure, address }: Pick<ClientInfo, 'isSecure' | 'address'>,
): Promise<void> {
  if (!isSecure) throw refusal(400, 'https', 'HTTPS is required.');
  await addressLimit.consume(address);
}

/** A credential that exists, whether or not it works. */
export interface IssuedCredential {
  readonly tenant: Tenant;
  readonly credential: CredentialRecord;
}

/**
 * Finds the request's credential. Returns undefined if it is missing, repeated, malformed or unknown. An unknown credential costs a lookup,
 * so it counts against the client's address. Throws 429 `address`.
 */
async function issuedCredential(
  { database, addressLimit }: AuthDeps,
  { address, authorization: [header, ...more] }: ClientInfo,
): Promise<IssuedCredential | undefined> {
  const secret = more.length === 0 ? bearerToken(header) : undefined;
  const tenant = secret === undefined ? undefined : readSecret(secret);
  if (secret === undefined || !tenant) return undefined;
  await addressLimit.assertMayLookUp(address);
  const { admission } = await database.connectionsFor(tenant.companyId);
  const credential = await findCredentialBySecret(admission, tenant, hashSecret(secret));
  if (credential) return { tenant, credential };
  await addressLimit.penalize(address);
  return undefined;
}

const isValid = ({ tenant, credential }: IssuedCredential, environment: Environment, now: Date): boolean =>
  tenant.environment === environment && isValidCredential(credential, now);

/** Returns the token of an Authorization header (RFC 6750). */
const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\x21-\x7e]{1,256})$/i.exec(header ?? '')?.[1];

/** All causes get the same body, unless the token's prefix shows the cause. RFC 6750 section 3.1: no error code without the Bearer scheme. */
function unauthorized({ authorization, environment }: ClientInfo): ApiError {
  const hasToken = authorization.some((header) => /^Bearer( |$)/i.test(header));
  const challenge = bearerChallenge(hasToken ? { error: 'invalid_token', error_description: invalidToken } : {});
  return refusal(
    401,
    'credential',
    `A valid credential of this environment is needed: ${whatIsNeeded(authorization, environment)}.`,
    {},
    { 'WWW-Authenticate': challenge },
  );
}

/** Says what the header must contain, or that the token is of the other environment, as the prefix of even an invalid token shows. */
function whatIsNeeded([header = '', ...more]: readonly string[], environment: Environment): string {
  const [prefix, owner] =
    environment === 'sandbox'
      ? [policy.production.tokenPrefix, "the sandbox's"]
      : [policy.sandbox.tokenPrefix, "production's"];
  const token = /^Bearer +(.*)/i.exec(header)?.[1];
  return more.length === 0 && token?.startsWith(prefix)
    ? `this is a ${prefix} credential; the address is ${owner}`
    : 'Authorization: Bearer <ACCESS_TOKEN>';
}

const invalidToken = 'The token is malformed, unknown, expired, revoked or of the other environment.';

/** Throws 403 `permission`, `plan` or `approval`. */
function callerOf({ tenant, credential }: IssuedCredential, time: RequestTime): Caller {
  const facts = accessFactsOf(credential, time);
  return {
    kind: 'credential',
    tenant,
    credentialId: credential.id,
    access: credential.access,
    companyName: credential.company.name,
    planName: facts.plan?.name ?? null,
    autoPublish: credential.company.autoPublish,
    entitlement: entitlementOf(tenant.environment, facts, time),
    // Computed only when read: most requests write nothing.
    get rights() {
      return rightsOf(credential, facts);
    },
  };
}

function rightsOf(credential: CredentialRecord, judged: AccessFacts): Rights {
  const { id, access, expiresAt, revokedAt, company, plan, grant } = credential;
  const facts = {
    ...{ credential: id, access, expires_at: expiresAt, revoked_at: revokedAt },
    ...{ verified: company.verified, suspended_at: company.suspendedAt, approved_at: company.approvedAt },
    auto_publish: company.autoPublish,
    ...(plan && { plan_limit: plan.postingLimit, plan_eligible: plan.apiEligible }),
    ...(plan && { plan_started_on: plan.startedOn, plan_ends_at: plan.endsAt }),
    ...(grant && { grant_limit: grant.monthlyLimit }),
    ...(grant && { grant_started_on: grant.startedOn, grant_expires_on: grant.expiresOn }),
  };
  const lastUntil = (later: RequestTime): boolean => {
    const then = accessFactsOf(credential, later);
    return isValidCredential(credential, later.now) && then.plan === judged.plan && then.grant === judged.grant;
  };
  return { facts, lastUntil };
}
