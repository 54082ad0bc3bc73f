import type { Server } from 'node:http';
import { expect } from 'chai';
import { operations } from '../../src/contract/document.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { createAdministrator, createUser } from '../../src/operations/users/people/create-account.ts';
import { adminPages } from '../../src/web/admin/admin.ts';
import { runInProcess } from '../cli/run-cli.ts';
import { adminPaths, callOf, dashboardPaths } from '../database/every-call.ts';
import { later } from '../helper/clock.ts';
import { startWholeApp } from '../helper/fixtures.ts';
import { has, PageClient, password, textOf } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { Skipped } from './fault.ts';
import { PrivateCitus } from './private-citus.ts';
import type { PrivatePostgres } from './private-postgres.ts';
import { makeCompany, operatorOf } from './subject.ts';

interface Company {
  readonly id: bigint;
  readonly token: string;
  readonly email: string;
  readonly jobId: number;
  readonly worker: PrivatePostgres;
}

/** Notes the answers that are the service's failure. */
class Watched extends RestClient {
  readonly failed: string[] = [];

  override async send(...sent: Parameters<RestClient['send']>): ReturnType<RestClient['send']> {
    const answer = await super.send(...sent);
    if (answer.status >= 500) this.failed.push(`${sent[0]} ${sent[1]}: ${answer.status}`);
    return answer;
  }
}

const administrator = 'administradora@example.com';

describe('while a node of Citus is away', () => {
  let cluster: PrivateCitus;
  let database: Database;
  let server: Server;
  let admin: PageClient;
  /** Each on a worker of its own: of one that stays, and of one that is stopped. */
  let here: Company;
  let away: Company;

  async function newCompany(unlike?: Company): Promise<Company> {
    const { companyId: id, token } = await makeCompany(database);
    const worker = await cluster.workerOf(id);
    if (worker === unlike?.worker) return newCompany(unlike);
    const email = `pessoa${id}@example.com`;
    await createUser(operatorOf(database), { companyId: id, email, role: 'main', password });
    await database.db.company.update({ where: { id }, data: { name: `Firma ${id}`, autoPublish: false } });
    const client = new RestClient(server, 'production', token);
    const { body } = await client.create({ ...minimalJob, title: `Vaga da firma ${id}` });
    await client.get('/jobs/0');
    return { id, token, email, jobId: body.data.id, worker };
  }

  before(async function () {
    try {
      cluster = await PrivateCitus.make();
    } catch (error) {
      if (error instanceof Skipped) this.skip();
      throw error;
    }
    const { url } = cluster.coordinator;
    await migrateServer(url);
    // A node that works is not left out, however slow this machine is.
    database = await openDatabase({ databaseUrl: url, dataDir: ':memory:', nodeWaitMs: 5000 });
    const app = await startWholeApp({}, { database });
    server = app.server;
    here = await newCompany();
    away = await newCompany(here);
    await app.settle();
    await createAdministrator(operatorOf(database), { email: administrator, password });
    admin = await PageClient.signedIn('administrator', administrator, server);
  });
  after(async () => {
    await database?.close();
    await cluster?.remove();
  });

  /** Without a node while `work` runs. */
  async function without(node: PrivatePostgres, work: () => Promise<void>): Promise<void> {
    await node.stop('immediate');
    try {
      await work();
    } finally {
      await node.start();
    }
  }

  const notice = (page: Awaited<ReturnType<PageClient['get']>>): boolean =>
    has(page, 'main .alert') && textOf(page, 'main .alert').includes('on these nodes');

  const fill = (path: string, { id, jobId, email }: Company): string =>
    path
      .replace(':company', String(id))
      .replace(':environment', 'production')
      .replace(':job', String(jobId))
      .replace(':email', path.startsWith('/administrators') ? administrator : email)
      .replace(':category', '101')
      .replace(':plan', '1');
  const own = adminPages.routes.filter(({ method, path }) => method === 'get' && !/:(credential|request)/.test(path));
  /** Every page of the administration, about this company where it is about one. */
  const pathsOf = (company: Company): string[] => [
    ...own.map(({ path }) => fill(path, company)),
    ...adminPaths(company.id, company.jobId),
    `/companies/${company.id}/production/jobs/${company.jobId}?pass=1`,
  ];

  it('every page of the administration is served, lists say what they leave out, and only its companies are refused', async () => {
    const lists = ['', '/review', '/review?text=firma', '/companies', '/companies?text=firma', '/companies?sort=name'];
    const searches = ['/jobs', '/jobs?text=vaga', '/jobs?sort=title', '/requests', '/audit', '/audit?text=x'];
    const finds = ['Firma', away.email, here.email, String(here.id)].map((text) => `/find?text=${text}`);
    for (const path of [...lists.slice(0, 2), ...finds])
      expect(notice(await admin.get(path)), `${path} before`).to.equal(false);
    await without(away.worker, async () => {
      for (const path of pathsOf(here)) expect((await admin.get(path)).status, path).to.be.below(400);
      for (const path of [...lists, ...searches, ...finds.slice(0, 2)]) {
        const page = await admin.get(path);
        expect([page.status, notice(page)], path).to.deep.equal([200, true]);
        if (!/text=x|^\/find.*@/.test(path)) expect(page.text, path).to.not.contain(`Firma ${away.id}<`);
      }
      for (const path of ['/companies', '/review', '/jobs'])
        expect((await admin.get(path)).text, path).to.contain(`Firma ${here.id}`);
      expect((await admin.get('/audit')).text).to.contain(`Company ${away.id}`);
      expect((await admin.get(`/audit?companyId=${away.id}`)).status).to.equal(200);
      // Whether there is such a company is unknown.
      for (const path of [`/audit?companyId=Firma+${away.id}`, `/companies/${away.id}`, `/jobs?companyId=Firma+x`])
        expect((await admin.get(path)).status, path).to.equal(503);
    });
    for (const path of lists.slice(0, 2)) expect(notice(await admin.get(path)), `${path} afterwards`).to.equal(false);
  });

  it('a node that hangs is left out of lists after a wait, as if it were down', async () => {
    expect(notice(await admin.get('/companies')), 'before').to.equal(false);
    await away.worker.signal('SIGSTOP');
    try {
      for (const path of ['/companies', '/jobs?text=vaga', '/audit']) {
        const page = await admin.get(path);
        expect([page.status, notice(page)], path).to.deep.equal([200, true]);
      }
      const { text } = await admin.get('/companies');
      expect([text.includes(`Firma ${here.id}`), text.includes(`Firma ${away.id}<`)]).to.deep.equal([true, false]);
      expect((await admin.get(`/companies/${here.id}`)).status).to.equal(200);
    } finally {
      await away.worker.signal('SIGCONT');
    }
  });

  it('commands print what they leave out', async () => {
    const settings = { DATABASE_URL: cluster.coordinator.url };
    await without(away.worker, async () => {
      const json = async (...args: string[]) =>
        JSON.parse((await runInProcess([...args, '--json'], { settings })).stdout);
      const listed = await json('company', 'list');
      expect(listed.left_out_nodes).to.have.length(1);
      expect(listed.companies.map(({ company_id: id }: { company_id: number }) => id)).to.include(Number(here.id));
      expect(listed.companies.map(({ company_id: id }: { company_id: number }) => id)).to.not.include(Number(away.id));
      expect((await json('job', 'review')).left_out_nodes).to.deep.equal(listed.left_out_nodes);
      const { stdout } = await runInProcess(['job', 'search'], { settings });
      expect(stdout).to.contain(`without the companies of nodes that do not answer: ${listed.left_out_nodes}`);
      expect((await json('job', 'show', '--id', String(away.jobId))).error.code).to.equal('database');
    });
    expect(
      await runInProcess(['company', 'list', '--json'], { settings }).then(({ stdout }) => JSON.parse(stdout)),
    ).not.to.have.property('left_out_nodes');
  });

  it('the API answers without the coordinator for companies that it has served, and nobody can sign in', async () => {
    const clients = [here, away].map(({ token }) => new Watched(server, 'production', token));
    for (const client of clients) expect((await client.get('/account')).status).to.equal(200);
    const person = await PageClient.signedIn('company', here.email, server);
    await without(cluster.coordinator, async () => {
      // No list is reused from before.
      await later(2000, async () => {
        for (const client of clients)
          for (const operation of operations.values()) {
            await callOf(operation)(client);
            expect(client.failed, operation.operationId).to.deep.equal([]);
          }
      });
      for (const path of pathsOf(here)) expect((await admin.get(path)).status, path).to.equal(503);
      for (const path of dashboardPaths(here.jobId)) expect((await person.get(path)).status, path).to.equal(503);
      expect((await new PageClient('company', server).signIn(here.email)).status).to.equal(503);
    });
  });
});
