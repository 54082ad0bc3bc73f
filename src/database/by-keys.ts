import { Prisma } from '../../generated/prisma/client.ts';

/** A row of a company's, whose primary key begins with the company. */
export interface OwnedKey {
  readonly companyId: bigint;
  readonly id: bigint;
}

/**
 * Rows of a table by their keys, of several companies. Conditions on the company and on the id by themselves would look up each id in each
 * company.
 */
export const byKeys = (table: 'credentials' | 'jobs', keys: readonly OwnedKey[]): Prisma.Sql => {
  const companyIds = keys.map(({ companyId }) => companyId);
  const name = Prisma.raw(table);
  return Prisma.sql`
    unnest(${companyIds}::bigint[], ${keys.map(({ id }) => id)}::bigint[]) AS asked (company_id, id) JOIN ${name} USING (company_id, id)
     WHERE ${name}.company_id = ANY (${[...new Set(companyIds)]}::bigint[])`;
};
