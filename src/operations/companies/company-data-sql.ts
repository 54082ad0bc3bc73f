import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';

/** The data stored about a company: the name of each record, its table, and the order of the company's rows. */
const records = [
  ['company', 'companies', ['id']],
  ['subscription', 'subscriptions', ['company_id']],
  ['complimentary_grant', 'complimentary_grants', ['company_id']],
  ['allowed_district', 'allowed_districts', ['district_id']],
  ['person', 'users', ['id']],
  ['credential', 'credentials', ['id']],
  ['job', 'jobs', ['environment', 'id']],
  ['job_event', 'job_events', ['environment', 'job_id', 'id']],
  ['request', 'request_log', ['environment', 'id']],
  ['audit_entry', 'audit_entries', ['id']],
] as const;

const secrets = ['password_hash', 'link_hash', 'secret_hash'];
/** Copies of texts for searches. */
const folded = ['name_folded', 'title_folded', 'details_folded'];
const rowsAtOnce = 100;

/** Who of the service has acted, which is not a company's to know. */
const staff = /^(administrator|operator):.*$/s;

/** Reads all data of a company, a hundred rows at a time, so that memory holds neither all of its jobs nor its whole history. */
export async function* readCompany(
  db: Db,
  companyId: bigint,
  { hasStaff }: { readonly hasStaff: boolean },
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (const [record, table, key] of records) {
    const owner = Prisma.raw(table === 'companies' ? 'id' : 'company_id');
    const columns = Prisma.raw(key.join());
    const types = key.map((column) => Prisma.raw(column === 'environment' ? column : 'bigint'));
    let isBeyond = Prisma.empty;
    for (let read = rowsAtOnce; read === rowsAtOnce; ) {
      const rows: { line: Record<string, unknown>; key: string[] }[] = await db.$queryRaw`
        SELECT jsonb_build_object('record', ${record}::text) || to_jsonb(t) - ${[...secrets, ...folded]}::text[] AS line,
               ARRAY[${Prisma.raw(key.map((column) => `${column}::text`).join())}] AS key
          FROM ${Prisma.raw(table)} t WHERE ${owner} = ${companyId} ${isBeyond} ORDER BY ${columns} LIMIT ${rowsAtOnce}::int`;
      for (const { line } of rows)
        yield hasStaff ? line : { ...line, ...('actor' in line && { actor: String(line.actor).replace(staff, '$1') }) };
      const last = rows.at(-1)?.key.map((text, n) => Prisma.sql`${text}::text::${types[n]}`);
      if (last) isBeyond = Prisma.sql`AND (${columns}) > (${Prisma.join(last)})`;
      read = rows.length;
    }
  }
}

const deletedAtOnce = 1000;

/** Deletes the numerous rows of a company, a thousand at a time, each batch in its own transaction. May be repeated. */
export async function deleteRows(db: Db, companyId: bigint): Promise<void> {
  await db.$executeRaw`
    DELETE FROM page_sessions WHERE realm = 'company'
       AND person_id = ANY (ARRAY(SELECT id FROM users WHERE company_id = ${companyId}))`;
  for (const name of ['users', 'credentials', 'jobs', 'job_events', 'idempotency_keys', 'request_log']) {
    const table = Prisma.raw(name);
    const deleteSome = () => db.$executeRaw`
      DELETE FROM ${table} WHERE company_id = ${companyId} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE company_id = ${companyId} LIMIT ${deletedAtOnce}::int))`;
    while ((await deleteSome()) === deletedAtOnce);
  }
}

/** Deletes a company, with rows that requests in progress have added meanwhile. Its audit entries stay. */
export async function deleteCompany(tx: Tx, companyId: bigint): Promise<void> {
  // All other tables refer to the company; these two do not.
  await tx.company.delete({ where: { id: companyId }, select: { id: true } });
  await tx.jobEvent.deleteMany({ where: { companyId } });
  await tx.user.deleteMany({ where: { companyId } });
}
