import { Prisma } from '../../generated/prisma/client.ts';
import { batchLoader } from '../database/batch-loader.ts';
import type { Database, Rows } from '../database/open.ts';
import type { Day } from '../domain/dates.ts';
import type { Tenant } from '../domain/environment.ts';
import { type Log, logLasting } from '../log.ts';

/** A credential with everything that decides whether it works. Times are in ISO 8601. */
export interface CredentialRecord {
  readonly id: number;
  readonly access: 'read' | 'write';
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly company: {
    readonly name: string;
    readonly verified: boolean;
    readonly suspendedAt: string | null;
    readonly approvedAt: string | null;
    readonly autoPublish: boolean;
  };
  readonly plan: {
    readonly name: string;
    readonly postingLimit: number;
    readonly apiEligible: boolean;
    readonly startedOn: Day;
    readonly endsAt: string | null;
  } | null;
  readonly grant: {
    readonly monthlyLimit: number;
    readonly startedOn: Day;
    readonly expiresOn: Day | null;
  } | null;
}

/** Finds a tenant's credential by its hash, with the facts about its company. Called by every request. */
export const findCredentialBySecret = async (
  db: Rows,
  tenant: Tenant,
  secretHash: Uint8Array<ArrayBuffer>,
): Promise<CredentialRecord | undefined> => (await look(db, { ...tenant, secretHash }))?.credential;

type Secret = Tenant & { readonly secretHash: Uint8Array<ArrayBuffer> };

const look = batchLoader<Secret, { readonly credential: CredentialRecord }>({
  types: ['bigint', 'environment', 'bytea'],
  partsOf: ({ companyId, environment, secretHash }) => [companyId, environment, secretHash],
  find: (companyId, environment, hash) => Prisma.sql`
    SELECT json_build_object(
             'id', c.id, 'access', c.access, 'expiresAt', c.expires_at,
             'revokedAt', c.revoked_at, 'lastUsedAt', c.last_used_at,
             'company', json_build_object('name', co.name, 'verified', co.verified, 'suspendedAt', co.suspended_at,
                                          'approvedAt', co.production_approved_at, 'autoPublish', co.auto_publish),
             'plan', CASE WHEN p.id IS NOT NULL THEN
               json_build_object('name', p.name, 'postingLimit', p.posting_limit, 'apiEligible', p.api_eligible,
                                 'startedOn', s.started_on, 'endsAt', s.ends_at) END,
             'grant', CASE WHEN g.company_id IS NOT NULL THEN
               json_build_object('monthlyLimit', g.monthly_limit, 'startedOn', g.started_on, 'expiresOn', g.expires_on) END
           ) AS credential
      FROM credentials c
      JOIN companies co ON co.id = c.company_id
      LEFT JOIN subscriptions s ON s.company_id = c.company_id
      LEFT JOIN plans p ON p.id = s.plan_id
      LEFT JOIN complimentary_grants g ON g.company_id = c.company_id
     WHERE c.company_id = ${companyId} AND c.secret_hash = ${hash} AND c.environment = ${environment}
     LIMIT 1`,
});

const intervalMs = 60_000;

/** Records when credentials were last used: in the background, at most once a minute per credential. */
export class LastUsed {
  readonly #database: Pick<Database, 'connectionsFor'>;
  readonly #log: Log;
  readonly #writing = new Map<number, Promise<unknown>>();

  constructor(database: Pick<Database, 'connectionsFor'>, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  record({ companyId }: Tenant, { id, lastUsedAt }: CredentialRecord, now: Date): void {
    if (this.#writing.has(id) || (lastUsedAt && now.getTime() - Date.parse(lastUsedAt) < intervalMs)) return;
    const write = this.#database
      .connectionsFor(companyId)
      .then(({ db }) => db.credential.updateMany({ where: { companyId, id: BigInt(id) }, data: { lastUsedAt: now } }))
      .catch((error: unknown) => logLasting(this.#log, 'last use of a credential was not written', { error }))
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, write);
  }

  /** Resolves when every pending write has ended. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
