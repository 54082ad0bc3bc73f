import type { Server } from 'node:http';
import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { listAudit } from '../../src/operations/audit/list-audit.ts';
import { approveCompany, suspendCompany } from '../../src/operations/companies/change-company.ts';
import { listCompanies } from '../../src/operations/companies/list-companies.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
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
import { actionContext, databaseUrl, db, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { PageClient, password } from '../helper/page-client.ts';
import { recordStatements, type Statement } from '../helper/record-statements.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, onServer } from '../helper/test-database.ts';

/** The task counts in a plan of Citus: how many shards each part reads or writes; none for what stays on the coordinator. */
function tasksIn(plan: unknown): number[] {
  if (Array.isArray(plan)) return plan.flatMap(tasksIn);
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([name, value]) => (name === 'Task Count' ? [Number(value)] : tasksIn(value)));
}

/** The statements that do not go to exactly one shard, nor stay on the coordinator. */
const wideOf = (statements: readonly Statement[]): Promise<Statement[]> =>
  onServer(databaseUrl() ?? '', async (client) => {
    const wide: Statement[] = [];
    for (const statement of statements) {
      if (!/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(statement.text)) continue;
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${statement.text}`, [...statement.values]);
      const tasks = tasksIn(rows[0]['QUERY PLAN']);
      if (tasks.length > 1 || tasks.some((count) => count !== 1)) wide.push(statement);
    }
    return wide;
  });

const ctx = () => actionContext();

describe('statements on Citus', function () {
  this.timeout(180_000);
  let acme: TestCompany;
  let clients: Record<Environment, RestClient>;
  let at: Server;
  let settle: () => Promise<void>;

  before(async function () {
    if (!onCitus) return this.skip();
    const app = await startWholeApp();
    ({ server: at, settle } = app);
    acme = await newCompany({ autoPublish: true });
    clients = {
      sandbox: await acme.writer('sandbox', at),
      production: await acme.writer('production', at),
    };
    // The first entry of the access log also deletes old ones.
    await clients.sandbox.get('/account');
    await settle();
  });

  const record = (work: () => Promise<unknown>): Promise<Statement[]> =>
    recordStatements(async () => {
      await work();
      await settle();
    });

  const create = async (client: RestClient): Promise<number> => (await client.create(minimalJob)).body.data.id;

  const ofACompany: Record<string, (client: RestClient) => Promise<unknown>> = {
    getAccount: (client) => client.get('/account'),
    listCategories: (client) => client.get('/categories'),
    listRegions: (client) => client.get('/regions'),
    listOptions: (client) => client.get('/options'),
    listJobs: async (client) => {
      for (const status of ['pending', 'active', 'inactive', 'expired']) await client.get(`/jobs?status=${status}`);
      await client.get('/jobs?page=3&per_page=2');
      for (const query of ['', '&status=active', '&status=expired', '&cursor=0.0.0.0'])
        await client.get(`/jobs?updated_since=2020-01-01T00:00:00Z${query}`);
    },
    createJob: async (client) => {
      const key = `tasks-${Math.random()}`;
      for (const job of [fullJob(), fullJob(), minimalJob]) await client.create(job, key);
      await client.create({ ...minimalJob, district_id: 999_999 });
    },
    getJob: async (client) => client.get(`/jobs/${await create(client)}`),
    updateJob: async (client) => client.patch(await create(client), { title: 'Outra', district_id: 13 }),
    withdrawJob: async (client) => {
      const id = await create(client);
      await client.withdraw(id);
      await client.withdraw(id);
    },
  };

  for (const [operation, work] of Object.entries(ofACompany))
    it(`of ${operation} each go to one shard`, async () => {
      const statements = await record(async () => {
        await work(clients.sandbox);
        await work(clients.production);
      });
      expect(await wideOf(statements)).to.deep.equal([]);
    });

  it('of the changes to a company each go to one shard', async () => {
    const other = await newCompany();
    const companyId = other.id;
    const jobId = BigInt(await create(await other.writer('production', at)));
    const statements = await record(async () => {
      await approveJob(ctx(), { companyId, environment: 'production', jobId });
      await setDistricts(ctx(), { companyId, districts: [minimalJob.district_id] });
      const { credentialId } = await other.issue('sandbox', 'read');
      const replaced = await replaceCredential(ctx(), { companyId, credentialId, overlapHours: 1 });
      await revokeCredential(ctx(), { companyId, credentialId: replaced.credentialId });
      await resetSandbox(ctx(), { companyId });
      await suspendCompany(ctx(), { companyId });
      await approveCompany(ctx(), { companyId });
    });
    expect(await wideOf(statements)).to.deep.equal([]);
  });

  it('of the dashboard’s pages each go to one shard, except for the names in its activity', async () => {
    const email = `tarefas-${acme.id}@example.com`;
    await createUser(ctx(), { companyId: acme.id, email, role: 'main', password });
    const id = await create(clients.production);
    const statements = await record(async () => {
      const client = await PageClient.signedIn('company', email, at);
      const lists = ['/jobs', '/jobs?environment=sandbox&status=expired&page=2', '/requests', '/requests?status=4xx'];
      lists.push('/jobs?text=obra&sort=title', '/jobs?text=12&sort=changed&status=expired');
      for (const path of ['/', ...lists, `/jobs/production/${id}`, '/credentials', '/sandbox', '/activity'])
        expect((await client.get(path)).status, path).to.equal(200);
    });
    const wide = await wideOf(statements);
    expect(wide.filter(({ text }) => !text.includes('FROM audit_entries'))).to.deep.equal([]);
  });

  /** All that reads several companies, and what bounds it. */
  const wide: Record<string, { work: () => Promise<unknown>; bound: RegExp }> = {
    'a job of which an operator knows the id alone': {
      work: () => locateJob(ctx(), { jobId: 1n }).catch(() => undefined),
      bound: /LIMIT/,
    },
    'a credential of which an operator knows the id alone': {
      work: () => locateCredential(ctx(), { credentialId: 1n }),
      bound: /LIMIT/,
    },
    'the review queue, by an index of its own': {
      work: () => searchQueue(ctx(), { page: 1 }),
      bound: /LIMIT|count\(/,
    },
    'how many wait for an administrator': { work: () => showWaiting(ctx()), bound: /LIMIT|count\(/ },
    'waiting jobs by age, and denials and refused requests by reason': {
      work: () => reviewStatistics(ctx()),
      bound: /LIMIT|count\(/,
    },
    'companies by a part of their name': {
      work: () => listCompanies(ctx(), { page: 1, text: 'oficina' }),
      bound: /LIMIT|count\(/,
    },
    'the names of companies in the audit trail': { work: () => listAudit(ctx(), {}), bound: /LIMIT/ },
    'which companies have old requests, which are then deleted company by company': {
      work: () => purgeRequests(db(), new Date(0), 10),
      bound: /LIMIT/,
    },
  };

  for (const [purpose, { work, bound }] of Object.entries(wide))
    it(`may go to all shards, with a bound: ${purpose}`, async () => {
      const found = await wideOf(await record(work));
      expect(found).to.not.deep.equal([]);
      for (const { text } of found) expect(text).to.match(bound);
    });

  it('of the administration’s pages are accepted', async () => {
    const email = `tarefas-${acme.id}@example.org`;
    await createAdministrator(ctx(), { email, password });
    const id = await create(clients.production);
    const client = await PageClient.signedIn('administrator', email, at);
    const company = `/companies/${acme.id}`;
    const job = `${company}/production/jobs/${id}`;
    const lists = [
      '/review',
      '/review?text=obra&sort=newest',
      '/companies?sort=name',
      '/companies',
      '/companies?text=ana@example.com&state=waiting',
      '/audit',
      '/audit?before=9',
      '/audit?text=obra&sort=oldest',
    ];
    for (const path of [
      '/',
      ...lists,
      '/plans',
      '/categories',
      company,
      `${company}?people-text=ana&people-sort=email`,
      `${company}/production/jobs`,
      job,
      `${job}/remove`,
    ])
      expect((await client.get(path)).status, path).to.equal(200);
  });
});
