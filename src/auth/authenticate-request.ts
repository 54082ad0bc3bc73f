import type { Database } from '../database/open.ts';
import { type Caller, scopesOf } from '../domain/actor.ts';
import { type AccessFacts, entitlementOf, isGranted, isSubscribed } from '../domain/eligibility.ts';
import { type Environment, policy, type Tenant } from '../domain/environment.ts';
import { type ApiError, bearerChallenge, refusal } from '../domain/errors.ts';
import type { RequestTime } from '../domain/request-time.ts';
import { hashSecret, readSecret } from '../domain/token.ts';
import { type CredentialRecord, findCredentialBySecret } from '../queries/credential-lookup.ts';
import type { AddressLimit } from '../rate-limit/address-limit.ts';
import type { LastUsed } from './last-used.ts';
import type { MaintenanceSwitch } from './maintenance-switch.ts';

/** What authentication needs of a request, over REST or MCP. */
export interface ClientInfo {
  readonly environment: Environment;
  /** Came over https, or over plain http where that is allowed. */
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
 * Authenticates one request and returns its caller.
 * Throws, in this order: 400 `https`, 429 `address`, 503 `maintenance`, 401, 403 `permission` | `plan` | `approval`.
 */
export async function authenticateRequest(deps: AuthDeps, client: ClientInfo, time: RequestTime): Promise<Caller> {
  await checkClient(deps, client);
  await deps.maintenance.assertOff(time.now);

  const valid = await validCredential(deps.database, client, time.now);
  if (!valid) {
    await deps.addressLimit.penalize(client.address);
    throw unauthorized(client);
  }
  const caller = callerOf(valid, time);
  deps.lastUsed.record(valid.tenant, valid.credential, time.now);
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

interface ValidCredential {
  readonly tenant: Tenant;
  readonly credential: CredentialRecord;
}

/** Undefined if the credential is missing, repeated, malformed, unknown, expired, revoked, or of the other environment. */
async function validCredential(
  database: AuthDeps['database'],
  client: ClientInfo,
  now: Date,
): Promise<ValidCredential | undefined> {
  const [header, ...more] = client.authorization;
  const secret = more.length === 0 ? bearerToken(header) : undefined;
  const tenant = secret === undefined ? undefined : readSecret(secret);
  if (secret === undefined || tenant?.environment !== client.environment) return undefined;
  const { admission } = await database.connectionsFor(tenant.companyId);
  const credential = await findCredentialBySecret(admission, tenant, hashSecret(secret));
  // It ends by the earlier of two clocks, so that it does not live longer if one of them steps back.
  if (!credential || credential.revokedAt || credential.hasExpired || new Date(credential.expiresAt) <= now)
    return undefined;
  return { tenant, credential };
}

/** RFC 6750. */
const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\x21-\x7e]{1,256})$/i.exec(header ?? '')?.[1];

/** One body for every cause that the token's prefix does not show. RFC 6750 section 3.1: no error code where no bearer token was sent. */
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

/** Says what a token's prefix shows, valid or not: that it is of the other environment. */
function whatIsNeeded([header = '', ...more]: readonly string[], environment: Environment): string {
  const [prefix, owner] =
    environment === 'sandbox'
      ? [policy.production.tokenPrefix, "the sandbox's"]
      : [policy.sandbox.tokenPrefix, "production's"];
  const token = /^Bearer +(.*)/i.exec(header)?.[1];
  return more.length === 0 && token?.startsWith(prefix)
    ? `this is a ${prefix} token; the address is ${owner}`
    : 'Authorization: Bearer <ACCESS_TOKEN>';
}

const invalidToken = 'The token is malformed, unknown, expired, revoked or of the other environment.';

/** Throws 403 `permission`, `plan` or `approval`. */
function callerOf({ tenant, credential }: ValidCredential, time: RequestTime): Caller {
  const facts = accessFactsOf(credential, time);
  return {
    kind: 'credential',
    tenant,
    credentialId: credential.id,
    scopes: scopesOf[credential.access],
    companyName: credential.company.name,
    planName: facts.plan?.name ?? null,
    autoPublish: credential.company.autoPublish,
    entitlement: entitlementOf(tenant.environment, facts, time.today),
  };
}

/** Leaves out a subscription or grant that has ended. */
function accessFactsOf({ company, plan, grant }: CredentialRecord, { now, today }: RequestTime): AccessFacts {
  return {
    verified: company.verified,
    suspended: company.suspendedAt !== null,
    approved: company.approvedAt !== null,
    plan: plan && isSubscribed(plan.endsAt === null ? null : new Date(plan.endsAt), now) ? plan : null,
    grant: grant && isGranted(grant.expiresOn, today) ? grant : null,
  };
}
