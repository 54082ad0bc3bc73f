import type { Server } from 'node:http';
import { expect } from 'chai';
import { operations } from '../../src/contract/document.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { listAudit } from '../../src/operations/audit/people/list-audit.ts';
import { approveCompany, suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { listCompanies } from '../../src/operations/companies/people/list-companies.ts';
import { resetSandbox } from '../../src/operations/companies/people/reset-sandbox.ts';
import { setDistricts } from '../../src/operations/companies/people/set-districts.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { locateCredential } from '../../src/operations/credentials/people/list-credentials.ts';
import { replaceCredential } from '../../src/operations/credentials/people/replace-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { findUnread } from '../../src/operations/jobs/job-search-sql.ts';
import { approveJob } from '../../src/operations/jobs/people/review-job.ts';
import { searchAllJobs, searchQueue, showNextInQueue } from '../../src/operations/jobs/people/search-jobs.ts';
import { locateJob } from '../../src/operations/jobs/people/show-job.ts';
import { searchRequests } from '../../src/operations/requests/people/list-requests.ts';
import { reviewStatistics } from '../../src/operations/statistics/people/review-statistics.ts';
import { createAdministrator, createUser } from '../../src/operations/users/people/create-account.ts';
import { purgeRequests } from '../../src/telemetry/request-log-sql.ts';
import { makeCompany } from '../faults/subject.ts';
import { actionContext, startWholeApp } from '../helper/fixtures.ts';
import { PageClient, password } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, openTestDatabase, type TestDatabase } from '../helper/test-database.ts';
import { citusJudge } from './citus-refusals.ts';
import { adminPaths, callOf, create, dashboardPaths, visit } from './every-call.ts';
import { fillTables } from './many-rows.ts';
import { recordStatements, type Statement, wideReads } from './recorded-statements.ts';

describe('statements on large tenant tables', () => {
  let own: TestDatabase;
  let at: Server;
  let settle = async (): Promise<void> => undefined;
  let companyId: bigint;
  let clients: Record<Environment, RestClient>;

  const ctx = () => ({ ...actionContext(), db: own.database.db });

  before(async () => {
    // Filling the tables may take longer than the timeout of a request.
    own = await openTestDatabase();
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

  /** Finds what Citus would refuse, without Citus. Returns the statements whose rows may be on several nodes. */
  async function expectTaken(statements: readonly Statement[]): Promise<string[]> {
    const client = await own.database.pools.operations.connect();
    const spread: string[] = [];
    try {
      const judge = await citusJudge(client);
      for (const { text } of statements) {
        if (!/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text)) continue;
        const { refusals, isSpread } = await judge(text);
        expect(refusals, text).to.deep.equal([]);
        if (isSpread) spread.push(text);
      }
    } finally {
      client.release();
    }
    return spread;
  }

  /** Expects from the plans that the statements of `work` concern one company's rows, except the `known` ones. */
  async function expectOneCompany(work: () => Promise<unknown>, known: RegExp = /^$/): Promise<void> {
    const statements = await recordStatements(async () => {
      await work();
      await settle();
    });
    expect(statements.some(({ text }) => /company_id/.test(text))).to.equal(true);
    const wide = await wideReads(own.database.pools.operations, statements);
    expect(wide.filter((read) => !known.test(read))).to.deep.equal([]);
    expect((await expectTaken(statements)).filter((text) => !known.test(text))).to.deep.equal([]);
  }

  for (const operation of operations.values())
    it(`${operation.operationId} and its authentication read only one company’s rows, by indexes that begin with the company`, () =>
      expectOneCompany(async () => {
        for (const client of Object.values(clients)) await callOf(operation)(client);
      }));

  it('a company’s changes read only its rows', async () => {
    const other = await makeCompany(own.database);
    const { companyId } = other;
    await own.database.db.company.update({ where: { id: companyId }, data: { autoPublish: false } });
    const jobId = BigInt(await create(new RestClient(at, 'production', other.token)));
    await expectOneCompany(async () => {
      await approveJob(ctx(), { companyId, environment: 'production', jobId });
      await setDistricts(ctx(), { companyId, districts: [minimalJob.district_id] });
      const credential = { companyId, environment: 'sandbox', access: 'read', days: 30, label: 'plans' } as const;
      const { credentialId } = await issueCredential(ctx(), credential);
      const replaced = await replaceCredential(ctx(), { companyId, credentialId, overlapHours: 1 });
      await revokeCredential(ctx(), { companyId, credentialId: replaced.credentialId });
      for (const change of [resetSandbox, suspendCompany, approveCompany]) await change(ctx(), { companyId });
    });
  });

  it('the dashboard’s pages read only the company’s rows, except for finding a person', async () => {
    const paths = dashboardPaths(await create(clients.production));
    const email = 'pessoa@example.com';
    await createUser(ctx(), { companyId, email, role: 'main', password });
    const work = async () => visit(await PageClient.signedIn('company', email, at), paths);
    // Sign-in, sessions and the audit trail first find a person, and through the person the company. The activity page names its companies.
    await expectOneCompany(work, /FROM audit_entries|^Index Scan of users_(pkey|email_idx) /);
  });

  it('the administration’s pages, which read several companies, work', async () => {
    const email = 'consola@example.com';
    await createAdministrator(ctx(), { email, password });
    const paths = adminPaths(companyId, await create(clients.production));
    const statements = await recordStatements(async () =>
      visit(await PageClient.signedIn('administrator', email, at), paths),
    );
    await expectTaken(statements);
  });

  it('a job by its id, and the newest jobs of all companies or an environment, are a range of their index', async () => {
    // The workers of Citus plan this.
    if (onCitus) return;
    const rows = 100;
    const readsOf = async (work: () => Promise<unknown>) =>
      wideReads(own.database.pools.operations, await recordStatements(work));
    const reads = {
      'by its id': await readsOf(() => locateJob(ctx(), { jobId: 1n }).catch(() => undefined)),
      newest: await readsOf(() => findUnread(own.database.db, {}, rows)),
      production: await readsOf(() => findUnread(own.database.db, { environment: 'production' }, rows)),
      sandbox: await readsOf(() => findUnread(own.database.db, { environment: 'sandbox' }, rows)),
    };
    const ranges = { 'by its id': '= ANY', newest: '$', production: '< 0', sandbox: '> 0' };
    for (const [name, range] of Object.entries(ranges)) {
      const those = reads[name as keyof typeof ranges];
      expect(those, name).to.not.deep.equal([]);
      for (const read of those)
        expect(read).to.match(new RegExp(`^Index (Only )?Scan of jobs_newest_idx on jobs where .*${range}`));
    }
  });

  /** All statements that read several companies. Each has a LIMIT, or only counts. */
  const acrossCompanies: Record<string, [bound: RegExp, work: () => Promise<unknown>]> = {
    'a job by its id': [/LIMIT/, () => locateJob(ctx(), { jobId: 1n }).catch(() => undefined)],
    'a credential by its id': [/LIMIT/, () => locateCredential(ctx(), { credentialId: 1n })],
    'a request by its id': [/LIMIT/, () => searchRequests(ctx(), { text: 'none' })],
    'refused requests': [/LIMIT/, () => searchRequests(ctx(), {})],
    'refused requests of a time': [/LIMIT/, () => searchRequests(ctx(), { from: '2026-01-01T10:42' })],
    'the names of companies in the audit trail': [/LIMIT/, () => listAudit(ctx(), {})],
    'which companies have old requests': [/LIMIT/, () => purgeRequests(own.database.db, new Date(0))],
    'the review queue, by an index of its own': [/LIMIT|count\(/, () => searchQueue(ctx(), { page: 1 })],
    'jobs by words of their title or company, or an id': [
      /LIMIT|jobs.id = ANY/,
      () => searchAllJobs(ctx(), { text: '12' }),
    ],
    'what comes next in it': [
      /LIMIT|count\(/,
      async () =>
        showNextInQueue(ctx(), {
          companyId,
          environment: 'production',
          jobId: BigInt(await create(clients.production)),
        }),
    ],
    'what waits for an administrator, and why': [/LIMIT|count\(/, () => reviewStatistics(ctx(), {})],
    'companies by a part of their name': [/LIMIT|count\(/, () => listCompanies(ctx(), { page: 1, text: 'oficina' })],
  };

  for (const [purpose, [bound, work]] of Object.entries(acrossCompanies))
    it(`a bounded statement may go to all shards of Citus: ${purpose}`, async () => {
      const statements = await recordStatements(work);
      expect(await expectTaken(statements)).to.not.deep.equal([]);
      if (!onCitus) return;
      const wide = await wideReads(own.database.pools.operations, statements);
      expect(wide).to.not.deep.equal([]);
      for (const statement of wide) expect(statement).to.match(bound);
    });
});
