import type { Server } from 'node:http';
import { expect } from 'chai';
import type pg from 'pg';
import { operations } from '../../src/contract/document.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { replaceCredential } from '../../src/operations/credentials/replace-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { createAdministrator, createUser } from '../../src/operations/people/create-account.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { makeCompany } from '../faults/subject.ts';
import { actionContext, startWholeApp } from '../helper/fixtures.ts';
import { PageClient, password } from '../helper/page-client.ts';
import { recordStatements, type Statement } from '../helper/record-statements.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, openTestDatabase, type TestDatabase } from '../helper/test-database.ts';
import { adminPaths, callOf, create, dashboardPaths, visit } from './every-call.ts';
import { fillTables } from './many-rows.ts';

/** A node of EXPLAIN (FORMAT JSON), with PostgreSQL's property names. */
type PlanNode = { readonly 'Node Type': string; readonly Plans?: readonly PlanNode[] } & {
  readonly [Property in 'Relation Name' | 'Index Name' | 'Index Cond']?: string;
};

/** The column that names the company, by tenant table; the table and the first column of each index. */
async function readTenantSchema(pool: pg.Pool) {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.attname = 'company_id' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  );
  const { rows: indexes } = await pool.query<{ name: string; table: string; first: string }>(
    `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table, a.attname::text AS first
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      WHERE c.relnamespace = 'public'::regnamespace`,
  );
  const columns = new Map(tables.map(({ name }) => [name, 'company_id']));
  return { columns: columns.set('companies', 'id'), indexes: new Map(indexes.map((index) => [index.name, index])) };
}

/** The plans of a statement: for its values, and the generic one of a prepared statement. None for what cannot be planned. */
async function plansOf(client: pg.PoolClient, { text, values }: Statement): Promise<PlanNode[]> {
  if (!/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text)) return [];
  const forValues = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
  await client.query(`PREPARE asked AS ${text}`);
  await client.query('SET plan_cache_mode = force_generic_plan');
  const nothing = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
  const generic = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE asked${nothing}`);
  await client.query('RESET plan_cache_mode');
  await client.query('DEALLOCATE asked');
  return [forValues, generic].map(({ rows }): PlanNode => rows[0]['QUERY PLAN'][0].Plan);
}

/** How a plan reads tenant tables without an index that begins with the company; normally empty. */
function straysIn(schema: Awaited<ReturnType<typeof readTenantSchema>>, node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap((inner) => straysIn(schema, inner));
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index, 'Index Cond': condition = '' } = node;
  if (index !== undefined) {
    const { table: indexed = '', first } = schema.indexes.get(index) ?? {};
    const column = schema.columns.get(indexed);
    const isOwn = column === undefined || (first === column && new RegExp(`\\b${column}\\b`).test(condition));
    return isOwn ? below : [`${type} of ${index} on ${indexed} where ${condition}`, ...below];
  }
  // A bitmap scan has its index in the node below; written rows are found by a node below.
  const isScan = type.endsWith('Scan') && type !== 'Bitmap Heap Scan';
  return isScan && schema.columns.has(table) ? [`${type} on ${table}`, ...below] : below;
}

describe('statements on large tenant tables', function () {
  this.timeout(180_000);
  let own: TestDatabase;
  let at: Server;
  let settle = async (): Promise<void> => undefined;
  let companyId: bigint;
  let clients: Record<Environment, RestClient>;

  const ctx = () => ({ ...actionContext(), db: own.database.db });

  before(async () => {
    // Filling the tables may take longer than the timeout of a request.
    own = await openTestDatabase({ statementTimeoutMs: 60_000 });
    if (!onCitus) await fillTables(own.database.pools.operations);
    ({ server: at, settle } = await startWholeApp({}, { db: own.database.db }));
    const made = await makeCompany(own.database);
    ({ companyId } = made);
    await setDistricts(ctx(), { companyId, districts: [minimalJob.district_id] });
    const production = new RestClient(at, 'production', made.token);
    clients = { sandbox: new RestClient(at, 'sandbox', made.sandbox), production };
    // The first entry of the request log also deletes old ones of all companies.
    await clients.sandbox.get('/account');
    await settle();
  });
  after(async () => {
    await settle();
    await own?.close();
  });

  /** The statements of `work` read tenant tables by indexes that begin with the company, except for the `known` reads. */
  async function expectNoStrays(work: () => Promise<unknown>, known: RegExp = /^$/): Promise<void> {
    const statements = await recordStatements(async () => {
      await work();
      await settle();
    });
    expect(statements.some(({ text }) => /company_id/.test(text))).to.equal(true);
    // On Citus the workers plan what reaches the tables, so there it counts only that every statement is accepted.
    if (onCitus) return;
    const pool = own.database.pools.operations;
    const schema = await readTenantSchema(pool);
    const client = await pool.connect();
    try {
      const strays: string[] = [];
      for (const statement of statements)
        for (const plan of await plansOf(client, statement)) strays.push(...straysIn(schema, plan));
      expect(strays.filter((stray) => !known.test(stray))).to.deep.equal([]);
    } finally {
      client.release();
    }
  }

  for (const operation of operations.values())
    it(`${operation.operationId} and its authentication use indexes that begin with the company`, () =>
      expectNoStrays(async () => {
        for (const client of Object.values(clients)) await callOf(operation)(client);
      }));

  it('so do the changes of a main account', () =>
    expectNoStrays(async () => {
      const credential = { companyId, environment: 'sandbox', access: 'read', days: 30, label: 'plans' } as const;
      const { credentialId } = await issueCredential(ctx(), credential);
      const replaced = await replaceCredential(ctx(), { companyId, credentialId, overlapHours: 1 });
      await revokeCredential(ctx(), { companyId, credentialId: replaced.credentialId });
      await resetSandbox(ctx(), { companyId });
    }));

  it("so do the dashboard's pages, except for finding the person", async () => {
    const paths = dashboardPaths(await create(clients.production));
    const email = 'pessoa@example.com';
    await createUser(ctx(), { companyId, email, role: 'main', password });
    const work = async () => visit(await PageClient.signedIn('company', email, at), paths);
    // Sign-in, sessions and the audit trail find a person first, and the company through the person.
    await expectNoStrays(work, /^Index Scan of users_(pkey|email_key) /);
  });

  it("the administration's pages, which read several companies, are answered", async () => {
    const email = 'consola@example.com';
    await createAdministrator(ctx(), { email, password });
    const paths = adminPaths(companyId, await create(clients.production));
    await visit(await PageClient.signedIn('administrator', email, at), paths);
  });
});
