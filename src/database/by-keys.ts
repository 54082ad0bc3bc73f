import { Prisma } from '../../generated/prisma/client.ts';

/** The primary key of a company's row. It begins with the company. */
export interface OwnedKey {
  readonly companyId: bigint;
  readonly id: bigint;
}

/**
 * Returns the SQL after FROM for the rows with these keys. The caller may append conditions with AND. Keys of several companies are joined:
 * one condition on the companies and another on the ids would look up each id in each company.
 */
export function byKeys(table: Prisma.Sql, keys: readonly OwnedKey[]): Prisma.Sql {
  const [companyIds, ids] = [keys.map(({ companyId }) => companyId), keys.map(({ id }) => id)];
  const [only = 0n, ...others] = new Set(companyIds);
  return others.length === 0
    ? Prisma.sql`${table} WHERE company_id = ${only} AND id = ANY (${ids}::bigint[])`
    : Prisma.sql`unnest(${companyIds}::bigint[], ${ids}::bigint[]) AS asked (company_id, id) JOIN ${table} USING (company_id, id) WHERE true`;
}
