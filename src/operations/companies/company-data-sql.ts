import { Prisma } from '../../../generated/prisma/client.ts';
import { storedModels } from '../../../generated/stored-fields.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import { exportTag } from '../../domain/environment.ts';
import { hasOwnOperations } from '../../domain/own-operations.ts';
import { named, owned } from '../kit/clauses-sql.ts';
import { rowsAtOnce } from '../kit/declare.ts';

type Models = Prisma.TypeMap['model'];
type ScalarsOf<Model extends Prisma.ModelName> = Models[Model]['payload']['scalars'];

/** Models whose rows belong to a company. */
type TenantModel = { [M in Prisma.ModelName]: 'companyId' extends keyof ScalarsOf<M> ? M : never }[Prisma.ModelName];
/** Models of the contract's stored resources, except jobs. */
type StoredModel = Exclude<Capitalize<(typeof storedModels)[keyof typeof storedModels]>, 'Job'>;
/** Tenant models whose rows belong to one environment. */
type OfEnvironment = { [M in TenantModel]: 'environment' extends keyof ScalarsOf<M> ? M : never }[TenantModel];

interface TenantTable {
  readonly table: string;
  /** The `record` of each row in the company's export, then the columns that order the rows. */
  readonly exported: readonly [record: string, ...key: string[]] | 'not at all';
  /** Columns that the export leaves out: secrets, and copies of texts for searches. */
  readonly hidden?: readonly string[];
  /** Whether a member of the service's staff may be the `actor` of a row. */
  readonly hasActors?: boolean;
  readonly erased: 'in batches' | 'with the company' | 'never';
  /** What a sandbox reset calls the rows that it deletes. Rows without a name belong to others. */
  readonly counted?: string;
}

/** What a company's export, its erasure and its sandbox reset do with each tenant table. They process the tables in this order. */
const tenantTables = {
  Subscription: { table: 'subscriptions', exported: ['subscription', 'company_id'], erased: 'with the company' },
  ComplimentaryGrant: {
    table: 'complimentary_grants',
    exported: ['complimentary_grant', 'company_id'],
    erased: 'with the company',
  },
  AllowedDistrict: {
    table: 'allowed_districts',
    exported: ['allowed_district', 'district_id'],
    erased: 'with the company',
  },
  User: {
    table: 'users',
    exported: ['person', 'id'],
    hidden: ['password_hash', 'link_hash'],
    erased: 'in batches',
  },
  Credential: {
    table: 'credentials',
    exported: ['credential', 'id'],
    hidden: ['secret_hash'],
    erased: 'in batches',
    reset: 'kept',
  },
  Job: {
    table: 'jobs',
    exported: ['job', 'environment', 'id'],
    hidden: ['title_folded'],
    erased: 'in batches',
    reset: 'deleted',
    counted: 'jobs',
  },
  JobEvent: {
    table: 'job_events',
    exported: ['job_event', 'environment', 'job_id', 'id'],
    hasActors: true,
    erased: 'in batches',
    reset: 'deleted',
  },
  IdempotencyKey: {
    table: 'idempotency_keys',
    exported: 'not at all',
    erased: 'in batches',
    reset: 'deleted',
    counted: 'keys',
  },
  PostingUsage: { table: 'posting_usage', exported: 'not at all', erased: 'with the company' },
  LoggedRequest: {
    table: 'request_log',
    exported: ['request', 'environment', 'id'],
    erased: 'in batches',
    reset: 'kept',
  },
  AuditEntry: {
    table: 'audit_entries',
    exported: ['audit_entry', 'id'],
    hidden: ['details_folded'],
    hasActors: true,
    erased: 'never',
    reset: 'kept',
  },
} as const satisfies {
  readonly [M in Exclude<TenantModel, StoredModel>]: M extends OfEnvironment
    ? TenantTable & { readonly reset: 'deleted' | 'kept' }
    : TenantTable;
};

const storedTables = Object.entries(storedModels).flatMap(([table, model]) =>
  hasOwnOperations(table)
    ? []
    : [
        {
          table,
          exported: [model, 'environment', 'id'] as const,
          erased: 'in batches' as const,
          reset: 'deleted',
          counted: table,
        },
      ],
);

/** Whether the contract stores other resources than jobs. */
export const storesOthers = storedTables.length > 0;

const tables: readonly (TenantTable & { readonly reset?: string })[] = [
  ...Object.values(tenantTables),
  ...storedTables,
];

const ofCompanies: TenantTable = {
  table: 'companies',
  exported: ['company', 'id'],
  hidden: ['name_folded'],
  erased: 'never',
};

/** Matches an actor of the service's own staff. A company must see only the kind of such an actor. */
const staff = /^(administrator|operator):.*$/s;

/**
 * Yields all rows of a company's exported tables, without secrets. Reads few rows at a time, to bound memory. Unless `hasStaff`, an
 * actor of the service's staff is shortened to its kind: `administrator` or `operator`.
 */
export async function* readCompany(
  db: Db,
  companyId: bigint,
  { hasStaff }: { readonly hasStaff: boolean },
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (const { table, exported, hidden = [], hasActors = false } of [ofCompanies, ...tables]) {
    if (exported === 'not at all') continue;
    const [record, ...key] = exported;
    const owner = named(table === 'companies' ? 'id' : 'company_id');
    const columns = Prisma.join(key.map(named));
    const types = key.map((column) => (column === 'environment' ? named(column) : Prisma.sql`bigint`));
    let isBeyond = Prisma.empty;
    const rowsMax = table in storedModels ? rowsAtOnce.resources : rowsAtOnce.others;
    for (let read: number = rowsMax; read === rowsMax; ) {
      const rows: { line: Record<string, unknown>; key: string[] }[] = await db.$queryRaw`
        SELECT to_jsonb(t) - ${hidden}::text[] || jsonb_build_object(${exportTag}::text, ${record}::text) AS line,
               ARRAY[${Prisma.join(key.map((column) => Prisma.sql`${named(column)}::text`))}] AS key
          FROM ${named(table)} t WHERE ${owner} = ${companyId} ${isBeyond} ORDER BY ${columns} LIMIT ${rowsMax}::int`;
      for (const { line } of rows)
        yield hasStaff || !hasActors ? line : { ...line, actor: String(line.actor).replace(staff, '$1') };
      const last = rows.at(-1)?.key.map((text, n) => Prisma.sql`${text}::text::${types[n]}`);
      if (last) isBeyond = Prisma.sql`AND (${columns}) > (${Prisma.join(last)})`;
      read = rows.length;
    }
  }
}

const deletedAtOnce = 1000;

/**
 * Deletes a company's page sessions, and its rows in the tables that are erased in batches: a thousand rows at a time, each batch in its own
 * transaction. May be repeated.
 */
export async function deleteRows(db: Db, companyId: bigint): Promise<void> {
  await db.$executeRaw`
    DELETE FROM page_sessions WHERE realm = 'company'
       AND person_id = ANY (ARRAY(SELECT id FROM users WHERE company_id = ${companyId}))`;
  for (const { table, erased } of tables) {
    if (erased !== 'in batches') continue;
    const deleteSome = () => db.$executeRaw`
      DELETE FROM ${named(table)} WHERE company_id = ${companyId} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${named(table)} WHERE company_id = ${companyId} LIMIT ${deletedAtOnce}::int))`;
    // Fewer rows than asked for do not mean the end: a row of the batch may be gone meanwhile.
    while ((await deleteSome()) > 0);
  }
}

/**
 * Deletes the sandbox rows of every table marked `reset: 'deleted'`, in the caller's transaction. Returns the number of deleted rows of each
 * `counted` name.
 */
export async function deleteSandbox(
  tx: Tx,
  companyId: bigint,
): Promise<{ readonly deleted: Readonly<Record<string, number>>; readonly isChanged: boolean }> {
  const deleted: Record<string, number> = {};
  let isChanged = false;
  for (const { table, reset, counted } of tables) {
    if (reset !== 'deleted') continue;
    const rows = await tx.$executeRaw`
      DELETE FROM ${named(table)} WHERE ${owned({ companyId, environment: 'sandbox' })}`;
    if (rows > 0) isChanged = true;
    if (counted) deleted[counted] = rows;
  }
  return { deleted, isChanged };
}

/** Deletes a company, and the rows that requests in progress have added since `deleteRows`. Its audit entries stay. */
export async function deleteCompany(tx: Tx, companyId: bigint): Promise<void> {
  // The delete cascades to the other tables. job_events has no foreign key, and users has none if the companies are on nodes.
  await tx.company.delete({ where: { id: companyId }, select: { id: true } });
  await tx.jobEvent.deleteMany({ where: { companyId } });
  await tx.user.deleteMany({ where: { companyId } });
}
