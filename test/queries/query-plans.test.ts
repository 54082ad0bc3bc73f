import type { Server } from 'node:http';
import { expect } from 'chai';
import type pg from 'pg';
import { type Operation, operations } from '../../src/contract/document.ts';
import type { OperationId } from '../../src/contract/types.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { listAudit } from '../../src/operations/audit/list-audit.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { listCompanies } from '../../src/operations/companies/list-companies.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { locateCredential } from '../../src/operations/credentials/list-credentials.ts';
import { replaceCredential } from '../../src/operations/credentials/replace-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { approveJob } from '../../src/operations/jobs/review-job.ts';
import { searchQueue } from '../../src/operations/jobs/search-jobs.ts';
import { locateJob } from '../../src/operations/jobs/show-job.ts';
import { showWaiting } from '../../src/operations/jobs/show-waiting.ts';
import { createAdministrator, createUser } from '../../src/operations/people/create-account.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { reviewStatistics } from '../../src/operations/statistics/review-statistics.ts';
import { purgeRequests } from '../../src/queries/access-entries.ts';
import { actionContext, startWholeApp } from '../helper/fixtures.ts';
import { PageClient, password } from '../helper/page-client.ts';
import { recordStatements, type Statement } from '../helper/record-statements.ts';
import { RestClient } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, openTestDatabase, type TestDatabase } from '../helper/test-database.ts';
import { fillTables } from './many-rows.ts';
import {
  readsOf,
  readTenantSchema,
  sortsOf,
  strayReads,
  strayReadsOf,
  type TenantSchema,
  unboundedReads,
} from './query-plans.ts';

describe('statements on large tenant tables', function () {
  this.timeout(180_000);
  let own: TestDatabase;
  let schema: TenantSchema;
  let at: Server;
  let settle = async (): Promise<void> => undefined;
  let companyId: bigint;
  let clients: Record<Environment, RestClient>;

  const ctx = () => ({ ...actionContext(), db: own.database.db });
  const issue = (environment: Environment, access: 'read' | 'write' = 'write') =>
    issueCredential(ctx(), { companyId, environment, access, days: 30, label: 'plans' });

  before(async function () {
    // The workers plan what reaches the tables; see test/queries/citus-tasks.test.ts.
    if (onCitus) return this.skip();
    // Filling the tables may take longer than the timeout of a request.
    own = await openTestDatabase({ statementTimeoutMs: 60_000 });
    await fillTables(own.database.pools.operations);
    schema = await readTenantSchema(own.database.pools.operations);
    ({ server: at, settle } = await startWholeApp({}, { db: own.database.db }));
    const company = { name: 'Oficina', plan: 'Especial', verified: true, productionApproved: true, autoPublish: true };
    ({ companyId } = await createCompany(ctx(), company));
    await setDistricts(ctx(), { companyId, districts: [minimalJob.district_id] });
    const client = async (environment: Environment) =>
      new RestClient(at, environment, (await issue(environment)).secret);
    clients = { sandbox: await client('sandbox'), production: await client('production') };
    // The first entry of the access log also deletes old ones; that statement is checked separately.
    await clients.sandbox.get('/account');
    await settle();
  });
  after(async () => {
    await settle?.();
    await own?.close();
  });

  type Look = (client: pg.PoolClient, statement: Statement) => Promise<string[]>;

  /** The findings about each statement's plans, over one connection. */
  async function look(statements: readonly Statement[], at: Look): Promise<string[]> {
    const client = await own.database.pools.operations.connect();
    try {
      const found: string[] = [];
      for (const statement of statements) found.push(...(await at(client, statement)));
      return found;
    } finally {
      client.release();
    }
  }

  /** Reads that do not use an index that begins with the company. */
  const straysIn = (statements: readonly Statement[]): Promise<string[]> =>
    look(statements, (client, statement) => strayReads(client, schema, statement));

  /** A reset deletes at most as many rows as the sandbox's capacity, and returns none of them. */
  const resetsSandbox =
    /^DELETE FROM "public"."(jobs|idempotency_keys)" WHERE \([^)]*"company_id" = [^)]*"environment" = /;

  async function expectBounds(statements: readonly Statement[]): Promise<void> {
    const judged = statements.filter(({ text }) => !resetsSandbox.test(text));
    const found = await look(judged, async (client, statement) =>
      (await unboundedReads(client, schema, statement)).map((read) => `${read}: ${statement.text}`),
    );
    expect(found).to.deep.equal([]);
  }

  async function expectNoStrays(work: () => Promise<unknown>, known: RegExp = /^$/): Promise<void> {
    const statements = await recordStatements(async () => {
      await work();
      await settle();
    });
    expect(statements.some(({ text }) => /company_id/.test(text))).to.equal(true);
    expect((await straysIn(statements)).filter((stray) => !known.test(stray))).to.deep.equal([]);
    await expectBounds(statements);
  }

  async function create(client: RestClient, job: object = minimalJob): Promise<number> {
    return (await client.create(job)).body.data.id;
  }

  type Call = (client: RestClient) => Promise<unknown>;

  /** One for each shape of the statement that lists changed jobs. */
  const changeQueries = ['', '&status=pending', '&status=active', '&status=expired', '&cursor=0.0.0.0'];

  /** How the operations are called that need more than a GET of their path. */
  const calls: { readonly [O in OperationId]?: Call } = {
    listJobs: async (client) => {
      for (const status of ['pending', 'active', 'inactive', 'expired', 'denied'])
        await client.get(`/jobs?status=${status}`);
      await client.get('/jobs?page=3&per_page=2');
      for (const query of changeQueries) await client.get(`/jobs?updated_since=2020-01-01T00:00:00Z${query}`);
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
    updateJob: async (client) => {
      const id = await create(client);
      await client.patch(id, { title: 'Outra', district_id: 13 });
      // A job with a long history loses its oldest edits.
      for (const environment of ['sandbox', 'production'] as const)
        await own.database.db.job.updateMany({ where: { companyId, environment, id }, data: { revision: 500 } });
      await client.patch(id, { title: 'Mais outra' });
    },
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

  it("so do the dashboard's pages, except for finding the person", async () => {
    const jobId = await create(clients.production);
    await createUser(ctx(), { companyId, email: 'pessoa@example.com', role: 'main', password });
    // Sign-in, sessions and the audit trail find a person first, and the company through the person.
    await expectNoStrays(async () => {
      const client = await PageClient.signedIn('company', 'pessoa@example.com', at);
      const lists = [
        '/jobs?text=obra&sort=title',
        '/jobs?text=12&sort=changed&status=expired',
        '/jobs',
        '/jobs?environment=sandbox&status=expired&page=2',
        '/requests',
        '/requests?status=4xx',
        '/requests?text=none&sort=oldest',
      ];
      const job = `/jobs/production/${jobId}`;
      for (const path of [
        '/',
        ...lists,
        job,
        `${job}?before=999`,
        '/credentials',
        '/sandbox',
        '/activity',
        '/activity?action=sandbox.reset',
        '/activity?text=obra&sort=oldest',
      ])
        expect((await client.get(path)).status).to.equal(200);
    }, /^Index Scan of users_(pkey|email_key) /);
  });

  it("the administration's pages read a bounded number of rows, of all companies or of one", async () => {
    const jobId = await create(clients.production);
    await createAdministrator(ctx(), { email: 'consola@example.com', password });
    const statements = await recordStatements(async () => {
      const client = await PageClient.signedIn('administrator', 'consola@example.com', at);
      const company = `/companies/${companyId}`;
      const job = `${company}/production/jobs/${jobId}`;
      const lists = [
        '/review',
        '/review?text=obra&sort=newest',
        `${company}/production/jobs?text=obra&sort=oldest`,
        '/companies?sort=name',
        '/companies',
        '/companies?text=ana@example.com&state=waiting',
        '/audit',
        '/audit?before=9',
        '/audit?text=obra&sort=oldest',
      ];
      const settings = ['/plans', '/categories'];
      for (const path of [
        '/',
        ...lists,
        ...settings,
        company,
        `${company}?people-text=ana&people-sort=email`,
        `${company}/production/jobs`,
        job,
        `${job}?before=9`,
        `${job}/remove`,
      ])
        expect((await client.get(path)).status, path).to.equal(200);
    });
    await expectBounds(statements);
  });

  it('the check finds a list of a growing table without a LIMIT', async () => {
    const all = await recordStatements(() => own.database.db.jobEvent.findMany({ where: { companyId } }));
    const limited = await recordStatements(() => own.database.db.jobEvent.findMany({ where: { companyId }, take: 3 }));
    const found = (statements: readonly Statement[]) =>
      look(statements, (client, statement) => unboundedReads(client, schema, statement));
    expect((await found(all)).join()).to.match(/Scan on job_events/);
    expect(await found(limited)).to.deep.equal([]);
  });

  it('so do the changes of a main account', () =>
    expectNoStrays(async () => {
      const { credentialId } = await issue('sandbox', 'read');
      const replaced = await replaceCredential(ctx(), { companyId, credentialId, overlapHours: 1 });
      await revokeCredential(ctx(), { companyId, credentialId: replaced.credentialId });
      await resetSandbox(ctx(), { companyId });
    }));

  it('listJobs counts on an index only, and reads only the jobs of one page from the table', async () => {
    for (const query of ['', '?status=pending', '?status=active', '?status=expired']) {
      const sent = await recordStatements(() => clients.production.get(`/jobs${query}`));
      const lists = sent.filter(({ text }) => /FROM jobs/.test(text));
      expect(lists).to.have.length(1);
      const reads = await look(lists, (client, statement) => readsOf(client, 'jobs', statement));
      // In both plans, the node that looks up the ids.
      expect(reads.filter((read) => !read.startsWith('Index Only Scan'))).to.have.length(2);
      expect(reads.length).to.be.at.least(6);
    }
  });

  it('listJobs by updated_since reads two indexes in their order, and only the jobs of one page from the table', async () => {
    for (const query of changeQueries) {
      const path = `/jobs?updated_since=2020-01-01T00:00:00Z${query}`;
      const sent = await recordStatements(() => clients.production.get(path));
      const lists = sent.filter(({ text }) => /FROM jobs/.test(text));
      expect(lists).to.have.length(1);
      const reads = await look(lists, (client, statement) => readsOf(client, 'jobs', statement));
      const ranges = reads.filter((read) => read !== 'Index Scan of jobs_pkey');
      expect(new Set(ranges), query).to.deep.equal(
        new Set(
          ['Index Only Scan of jobs_updated_idx', 'Index Only Scan of jobs_expiry_idx'].slice(0, indexesOf(query)),
        ),
      );
      // In both plans, the node that looks up the page.
      expect(reads.length - ranges.length, query).to.equal(2);
      expect(await look(lists, (client, statement) => sortsOf(client, 'jobs', statement)), query).to.deep.equal([]);
    }
  });

  /** Only expired jobs have changed without an update. */
  const indexesOf = (query: string): number => (/pending|active/.test(query) ? 1 : 2);

  /** Other reads of tenant tables: by operators and administrators across companies, and by maintenance jobs. */
  const acrossCompanies: Record<string, () => Promise<unknown>> = {
    'a job of which an operator knows the id alone': () => locateJob(ctx(), { jobId: 1n }),
    'a credential of which an operator knows the id alone': () => locateCredential(ctx(), { credentialId: 1n }),
    'the review queue, by an index of its own': () => searchQueue(ctx(), { page: 1 }),
    'how many wait for an administrator': () => showWaiting(ctx()),
    'waiting jobs by age, and denials and refused requests by reason': () => reviewStatistics(ctx()),
    'companies by a part of their name': () => listCompanies(ctx(), { page: 1, text: 'oficina' }),
    'the audit trail of all companies': () => listAudit(ctx(), {}),
    'deleting old requests, company by company': () => purgeRequests(own.database.db, new Date(0), 10),
  };

  for (const [purpose, work] of Object.entries(acrossCompanies))
    it(`is not bound to one company: ${purpose}`, async () => {
      const statements = await recordStatements(work);
      expect(await straysIn(statements)).to.not.deep.equal([]);
      await expectBounds(statements);
    });

  it('refused requests of all companies are counted from an index of their own', async () => {
    const sent = (await recordStatements(() => reviewStatistics(ctx()))).filter(({ text }) =>
      /FROM request_log/.test(text),
    );
    const reads = await look(sent, (client, statement) => readsOf(client, 'request_log', statement));
    expect(new Set(reads)).to.deep.equal(new Set(['Index Only Scan of request_log_refused_idx']));
  });

  it('the statements inside the functions that change jobs use indexes that begin with the company', async function () {
    // auto_explain tells the plans of nested statements; the embedded database has no such extension.
    if (own.databaseUrl === undefined) return this.skip();
    const plans = new Set<string>();
    const settings = [
      `session_preload_libraries = 'auto_explain'`,
      'auto_explain.log_min_duration = 0',
      'auto_explain.log_nested_statements = on',
      'auto_explain.log_format = json',
      'client_min_messages = log',
    ];
    const name = new URL(own.databaseUrl).pathname.slice(1);
    for (const setting of settings) await own.database.pools.admission.query(`ALTER DATABASE ${name} SET ${setting}`);
    const database = await openDatabase({ databaseUrl: own.databaseUrl, dataDir: ':memory:' });
    database.pools.operations.on('acquire', (client) => {
      client.removeAllListeners('notice');
      client.on('notice', ({ message = '' }) => plans.add(message.replace(/^[^{]*/, '')));
    });
    const { server, settle } = await startWholeApp({}, { db: database.db });
    const credential = await issue('production');
    for (const id of ['createJob', 'updateJob', 'withdrawJob'] as const)
      await calls[id]?.(new RestClient(server, 'production', credential.secret));
    const jobId = BigInt(await create(clients.production));
    await own.database.db.job.updateMany({ where: { companyId, id: jobId }, data: { status: 'pending' } });
    await approveJob({ ...ctx(), db: database.db }, { companyId, environment: 'production', jobId });
    await settle();
    await database.close();
    for (const setting of settings)
      await own.database.pools.admission.query(`ALTER DATABASE ${name} RESET ${setting.replace(/ =.*/, '')}`);
    const nested = [...plans].filter((plan) => /of_company/.test(plan));
    const written = (start: string) => nested.filter((plan) => plan.includes(`"Query Text": "${start}`)).length;
    expect(written('INSERT INTO')).to.be.at.least(3);
    expect(written('UPDATE jobs SET')).to.equal(2);
    expect(written('DELETE FROM job_events')).to.be.at.least(1);
    expect(nested.flatMap((plan) => strayReadsOf(schema, plan))).to.deep.equal([]);
  });
});
