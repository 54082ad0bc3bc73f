import type { Server } from 'node:http';
import { expect } from 'chai';
import type pg from 'pg';
import { type Operation, operations } from '../../src/contract/document.ts';
import type { OperationId } from '../../src/contract/types.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { replaceCredential } from '../../src/operations/credentials/replace-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { createAdministrator, createUser } from '../../src/operations/people/create-account.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { actionContext, startWholeApp } from '../helper/fixtures.ts';
import { PageClient, password } from '../helper/page-client.ts';
import { recordStatements, type Statement } from '../helper/record-statements.ts';
import { RestClient } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, openTestDatabase, type TestDatabase } from '../helper/test-database.ts';
import { fillTables } from './many-rows.ts';

/** A node of EXPLAIN (FORMAT JSON), with PostgreSQL's property names. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The column that names the company, by tenant table; the table and the first column of each index. */
interface TenantSchema {
  readonly columns: ReadonlyMap<string, string>;
  readonly indexes: ReadonlyMap<string, { readonly table: string; readonly first: string }>;
}

async function readTenantSchema(pool: pg.Pool): Promise<TenantSchema> {
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
  const ownColumn = tables.map(({ name }) => [name, 'company_id'] as const);
  return {
    columns: new Map([...ownColumn, ['companies', 'id']]),
    indexes: new Map(indexes.map(({ name, ...index }) => [name, index])),
  };
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
  return [forValues, generic].map(
    ({ rows }) => (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan,
  );
}

/** How a plan reads tenant tables without an index that begins with the company; normally empty. */
function straysIn(schema: TenantSchema, node: PlanNode): string[] {
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
  const issue = (environment: Environment, access: 'read' | 'write' = 'write') =>
    issueCredential(ctx(), { companyId, environment, access, days: 30, label: 'plans' });

  before(async () => {
    // Filling the tables may take longer than the timeout of a request.
    own = await openTestDatabase({ statementTimeoutMs: 60_000 });
    if (!onCitus) await fillTables(own.database.pools.operations);
    ({ server: at, settle } = await startWholeApp({}, { db: own.database.db }));
    const company = { name: 'Oficina', plan: 'Especial', verified: true, productionApproved: true, autoPublish: true };
    ({ companyId } = await createCompany(ctx(), company));
    await setDistricts(ctx(), { companyId, districts: [minimalJob.district_id] });
    const client = async (environment: Environment) =>
      new RestClient(at, environment, (await issue(environment)).secret);
    clients = { sandbox: await client('sandbox'), production: await client('production') };
    // The first entry of the access log also deletes old ones of all companies.
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

  const create = async (client: RestClient): Promise<number> => (await client.create(minimalJob)).body.data.id;

  type Call = (client: RestClient) => Promise<unknown>;

  /** How the operations are called that need more than a GET of their path. */
  const calls: { readonly [O in OperationId]?: Call } = {
    listJobs: async (client) => {
      for (const status of ['pending', 'active', 'inactive', 'expired']) await client.get(`/jobs?status=${status}`);
      await client.get('/jobs?page=3&per_page=2');
      for (const query of ['', '&status=pending', '&status=active', '&status=expired', '&cursor=0.0.0.0'])
        await client.get(`/jobs?updated_since=2020-01-01T00:00:00Z${query}`);
    },
    createJob: async (client) => {
      const key = `plans-${Math.random()}`;
      const answers = [
        await client.create(fullJob(), key),
        await client.create(fullJob(), key),
        await client.create(minimalJob, key),
        await client.create({ ...minimalJob, district_id: 999_999 }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([201, 200, 409, 422]);
    },
    getJob: async (client) => {
      await client.get(`/jobs/${await create(client)}`);
      await client.get('/jobs/1');
    },
    updateJob: async (client) => client.patch(await create(client), { title: 'Outra', district_id: 13 }),
    withdrawJob: async (client) => {
      const id = await create(client);
      await client.withdraw(id);
      await client.withdraw(id);
    },
  };

  function callOf({ operationId, method, path }: Operation): Call {
    if (method === 'get' && !path.includes('{')) return calls[operationId] ?? ((client) => client.get(path));
    const call = calls[operationId];
    if (!call) throw new Error(`${operationId}: add how this test calls it`);
    return call;
  }

  for (const operation of operations.values())
    it(`${operation.operationId} and its authentication use indexes that begin with the company`, () =>
      expectNoStrays(async () => {
        const call = callOf(operation);
        await call(clients.sandbox);
        await call(clients.production);
      }));

  it('so do the changes of a main account', () =>
    expectNoStrays(async () => {
      const { credentialId } = await issue('sandbox', 'read');
      const replaced = await replaceCredential(ctx(), { companyId, credentialId, overlapHours: 1 });
      await revokeCredential(ctx(), { companyId, credentialId: replaced.credentialId });
      await resetSandbox(ctx(), { companyId });
    }));

  async function visit(portal: 'company' | 'administrator', email: string, paths: readonly string[]): Promise<void> {
    const client = await PageClient.signedIn(portal, email, at);
    for (const path of paths) expect((await client.get(path)).status, path).to.equal(200);
  }

  it("so do the dashboard's pages, except for finding the person", async () => {
    const job = `/jobs/production/${await create(clients.production)}`;
    await createUser(ctx(), { companyId, email: 'pessoa@example.com', role: 'main', password });
    const jobs = ['/jobs', '/jobs?environment=sandbox&status=expired&page=2', '/jobs?text=obra&sort=title'];
    const requests = ['/requests', '/requests?status=4xx', '/requests?text=none&sort=oldest'];
    const activity = ['/activity', '/activity?action=sandbox.reset', '/activity?text=obra&sort=oldest'];
    const paths = ['/', ...jobs, job, `${job}?before=999`, ...requests, '/credentials', '/sandbox', ...activity];
    // Sign-in, sessions and the audit trail find a person first, and the company through the person.
    await expectNoStrays(() => visit('company', 'pessoa@example.com', paths), /^Index Scan of users_(pkey|email_key) /);
  });

  it("the administration's pages, which read several companies, are answered", async () => {
    await createAdministrator(ctx(), { email: 'consola@example.com', password });
    const company = `/companies/${companyId}`;
    const job = `${company}/production/jobs/${await create(clients.production)}`;
    const review = ['/review', '/review?text=obra&sort=newest', `${company}/production/jobs?text=obra&sort=oldest`];
    const companies = ['/companies?sort=name', '/companies?text=ana@example.com&state=waiting', company];
    const audit = ['/audit', '/audit?before=9', '/audit?text=obra&sort=oldest'];
    await visit('administrator', 'consola@example.com', ['/', ...review, ...companies, job, `${job}/remove`, ...audit]);
  });
});
