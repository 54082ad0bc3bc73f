import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { prismaOver, serverPool } from '../../src/database/pool.ts';
import { openLog } from '../../src/log.ts';
import { sessionSecret } from '../../src/session-secret.ts';
import { newCompany, startApp } from '../helper/fixtures.ts';
import { newUser, PageClient, password, textOf } from '../helper/page-client.ts';

describe('pages served by several processes', () => {
  it('share sessions', async () => {
    const [here, there] = [await startApp(), await startApp()];
    const email = await newUser(await newCompany());
    const client = await PageClient.signedIn('company', email, here);
    const other = new PageClient('company', there);
    for (const [name, value] of client.cookies) other.cookies.set(name, value);
    expect(textOf(await other.get('/account'), 'main')).to.contain(email);
  });

  it('share the count of failed sign-ins', async () => {
    const shared = { LIMITS_NAMESPACE: `sign-in-${process.pid}` };
    const servers = [await startApp(shared), await startApp(shared)];
    const email = await newUser(await newCompany());
    const statuses = [];
    for (let i = 0; i < 12; i++) {
      const client = new PageClient('company', servers[i % 2]);
      statuses.push((await client.signIn(email, 'uma-senha-errada')).status);
    }
    expect(statuses.filter((status) => status === 422)).to.have.length(10);
    const right = await new PageClient('company', servers[0]).signIn(email, password);
    expect([right.status, Number(right.headers['retry-after']) > 60]).to.deep.equal([429, true]);
  });

  it('show a page when the database is away', async () => {
    const timeouts = { connectTimeoutMs: 1000, statementTimeoutMs: 1000, idleInTransactionTimeoutMs: 1000 };
    const nobody = serverPool('postgresql://vaga@127.0.0.1:1/vaga', { poolSize: 1, ...timeouts });
    const at = await startApp({}, { db: prismaOver(nobody, { namedStatements: true }) });
    const signedIn = await PageClient.signedIn('company', await newUser(await newCompany()));
    const client = new PageClient('company', at);
    for (const [name, value] of signedIn.cookies) client.cookies.set(name, value);
    const page = await client.get('/jobs');
    expect([page.status, page.headers['content-type']]).to.deep.equal([503, 'text/html; charset=utf-8']);
    expect(textOf(page, 'h1')).to.equal('Not available');
    const visitor = new PageClient('company', at);
    const anonymous = new PageClient('company');
    const form = await anonymous.get('/sign-in');
    for (const [name, value] of anonymous.cookies) visitor.cookies.set(name, value);
    expect((await visitor.submit(form, '/sign-in', { email: 'ana@example.com', password })).status).to.equal(503);
  });
});

describe('the session secret', () => {
  it('is kept in a file that only its owner can read, and stays the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vaga-secret-'));
    try {
      const config = readConfig({ DATA_DIR: folder });
      const log = openLog('silent');
      const [first, second] = [
        await sessionSecret(config, 'embedded', log),
        await sessionSecret(config, 'embedded', log),
      ];
      expect(first).to.have.length.above(40).and.to.equal(second);
      expect((await stat(join(folder, 'session-secret'))).mode & 0o777).to.equal(0o600);
      expect(await sessionSecret(config, 'server', log)).not.to.equal(await sessionSecret(config, 'server', log));
      const set = readConfig({ SESSION_SECRET: 'x'.repeat(32) });
      expect(await sessionSecret(set, 'server', log)).to.equal('x'.repeat(32));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
