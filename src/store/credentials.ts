import type { Tenant } from '../domain/environment.ts';
import type { Db } from './open.ts';

/** A credential with all that decides whether it may work now. Times are instants, days are dates at midnight UTC. */
export interface CredentialRecord {
  credentialId: bigint;
  access: 'read' | 'write';
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  companyName: string;
  verified: boolean;
  suspendedAt: Date | null;
  approvedAt: Date | null;
  autoPublish: boolean;
  planName: string | null;
  postingLimit: number | null;
  apiEligible: boolean | null;
  subscribedOn: Date | null;
  subscriptionEndsAt: Date | null;
  grantLimit: number | null;
  grantStartedOn: Date | null;
  grantExpiresOn: Date | null;
}

/** One query, because every request asks it: the credential of this tenant with this hash, and its company's standing. */
export async function findCredential(
  db: Db,
  tenant: Tenant,
  secretHash: Uint8Array<ArrayBuffer>,
): Promise<CredentialRecord | undefined> {
  const rows = await db.$queryRaw<CredentialRecord[]>`
    SELECT c.id AS "credentialId", c.access::text AS access, c.expires_at AS "expiresAt", c.revoked_at AS "revokedAt",
           c.last_used_at AS "lastUsedAt", co.name AS "companyName", co.verified, co.suspended_at AS "suspendedAt",
           co.production_approved_at AS "approvedAt", co.auto_publish AS "autoPublish", p.name AS "planName",
           p.posting_limit AS "postingLimit", p.api_eligible AS "apiEligible", s.started_on AS "subscribedOn",
           s.ends_at AS "subscriptionEndsAt", g.monthly_limit AS "grantLimit", g.started_on AS "grantStartedOn",
           g.expires_on AS "grantExpiresOn"
      FROM credentials c
      JOIN companies co ON co.id = c.company_id
      LEFT JOIN subscriptions s ON s.company_id = c.company_id
      LEFT JOIN plans p ON p.id = s.plan_id
      LEFT JOIN complimentary_grants g ON g.company_id = c.company_id
     WHERE c.company_id = ${tenant.companyId} AND c.secret_hash = ${secretHash}
       AND c.environment = ${tenant.environment}::environment`;
  return rows[0];
}

/** Remembers that a credential was used. */
export async function touchCredential(db: Db, companyId: bigint, credentialId: bigint, now: Date): Promise<void> {
  await db.credential.updateMany({ where: { companyId, id: credentialId }, data: { lastUsedAt: now } });
}
