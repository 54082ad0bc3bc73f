import { Prisma } from '../../../generated/prisma/client.ts';
import { batchLoader } from '../../database/batch-loader.ts';
import type { Db } from '../../database/open.ts';
import type { Tenant } from '../../domain/environment.ts';
import { owned } from '../clauses-sql.ts';
import type { StoredJob } from './job.ts';

// job_id is 0 while a create runs. The conditions say `job_id > 0`, as their partial index does.

/** Finds the idempotency key that created a job. Undefined for a job that was created without one. */
export const findKey = async (db: Db, tenant: Tenant, jobId: bigint): Promise<string | undefined> =>
  (await look(db, { ...tenant, jobId }))?.key;

const look = batchLoader<Tenant & { readonly jobId: bigint }, { key: string }>({
  types: ['bigint', 'environment', 'bigint'],
  partsOf: ({ companyId, environment, jobId }) => [companyId, environment, jobId],
  find: (companyId, environment, jobId) => Prisma.sql`
    SELECT key FROM idempotency_keys
     WHERE company_id = ${companyId} AND environment = ${environment} AND job_id = ${jobId} AND job_id > 0 LIMIT 1`,
});

/** Finds the keys of jobs, by the jobs' ids. */
export async function findKeys(db: Db, tenant: Tenant, jobs: readonly StoredJob[]): Promise<Record<string, string>> {
  const ids = jobs.map(({ id }) => BigInt(id));
  const found = await db.$queryRaw<{ id: string; key: string }[]>`
    SELECT job_id::text AS id, key FROM idempotency_keys WHERE ${owned(tenant)} AND job_id > 0 AND job_id = ANY (${ids}::bigint[])`;
  return Object.fromEntries(found.map(({ id, key }) => [id, key]));
}
