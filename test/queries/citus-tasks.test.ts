import type { Server } from 'node:http';
import { expect } from 'chai';
import { operations } from '../../src/contract/document.ts';
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
import { showRequest } from '../../src/operations/requests/list-requests.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { reviewStatistics } from '../../src/operations/statistics/review-statistics.ts';
import { purgeRequests } from '../../src/telemetry/request-log-sql.ts';
import { actionContext, databaseUrl, db, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { newAdministrator, newUser, PageClient } from '../helper/page-client.ts';
import { recordStatements, type Statement } from '../helper/record-statements.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, onServer } from '../helper/test-database.ts';
import { adminPaths, callOf, create, dashboardPaths, visit } from './every-call.ts';

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
    ({ server: at, settle } = await startWholeApp());
    acme = await newCompany({ autoPublish: true });
    clients = { sandbox: await acme.writer('sandbox', at), production: await acme.writer('production', at) };
    // The first entry of the request log also deletes old ones.
    await clients.sandbox.get('/account');
    await settle();
  });

  /** The statements of `work` that do not go to one shard. */
  async function wideIn(work: () => Promise<unknown>): Promise<Statement[]> {
    const recorded = await recordStatements(async () => {
      await work();
      await settle();
    });
    return wideOf(recorded);
  }

  for (const operation of operations.values())
    it(`of ${operation.operationId} each go to one shard`, async () => {
      const call = callOf(operation);
      for (const client of Object.values(clients)) expect(await wideIn(() => call(client))).to.deep.equal([]);
    });

  it('of the changes to a company each go to one shard', async () => {
    const other = await newCompany();
    const companyId = other.id;
    const jobId = BigInt(await create(await other.writer('production', at)));
    const wide = await wideIn(async () => {
      await approveJob(ctx(), { companyId, environment: 'production', jobId });
      await setDistricts(ctx(), { companyId, districts: [minimalJob.district_id] });
      const { credentialId } = await other.issue('sandbox', 'read');
      const replaced = await replaceCredential(ctx(), { companyId, credentialId, overlapHours: 1 });
      await revokeCredential(ctx(), { companyId, credentialId: replaced.credentialId });
      for (const change of [resetSandbox, suspendCompany, approveCompany]) await change(ctx(), { companyId });
    });
    expect(wide).to.deep.equal([]);
  });

  it('of the dashboard’s pages each go to one shard, except for the names in its activity', async () => {
    const id = await create(clients.production);
    const email = await newUser(acme);
    const wide = await wideIn(async () => visit(await PageClient.signedIn('company', email, at), dashboardPaths(id)));
    expect(wide.filter(({ text }) => !text.includes('FROM audit_entries'))).to.deep.equal([]);
  });

  /** All that reads several companies; a LIMIT bounds each, or it only counts. */
  const found: Record<string, () => Promise<unknown>> = {
    'a job of which an operator knows the id alone': () => locateJob(ctx(), { jobId: 1n }).catch(() => undefined),
    'a credential of which an operator knows the id alone': () => locateCredential(ctx(), { credentialId: 1n }),
    'a request of which an operator knows the id alone': () =>
      showRequest(ctx(), { requestId: 'none' }).catch(() => undefined),
    'the names of companies in the audit trail': () => listAudit(ctx(), {}),
    'which companies have old requests, deleted company by company': () => purgeRequests(db(), new Date(0), 10),
  };
  const counted: typeof found = {
    'the review queue, by an index of its own': () => searchQueue(ctx(), { page: 1 }),
    'what waits for an administrator, and denials and refused requests by reason': () => reviewStatistics(ctx(), {}),
    'companies by a part of their name': () => listCompanies(ctx(), { page: 1, text: 'oficina' }),
  };

  for (const [purpose, work] of Object.entries({ ...found, ...counted }))
    it(`may go to all shards, with a bound: ${purpose}`, async () => {
      const wide = await wideIn(work);
      expect(wide).to.not.deep.equal([]);
      for (const { text } of wide) expect(text).to.match(purpose in found ? /LIMIT/ : /LIMIT|count\(/);
    });

  it('of the administration’s pages are accepted', async () => {
    const client = await PageClient.signedIn('administrator', await newAdministrator(), at);
    await visit(client, adminPaths(acme.id, await create(clients.production)));
  });
});
