import type { Server } from 'node:http';
import { expect } from 'chai';
import supertest from 'supertest';
import { prismaOver, serverPool } from '../../src/database/pool.ts';
import { startApp } from '../helper/fixtures.ts';

const ask = (at: Server, path: string) => supertest(at).get(path);

describe('health', () => {
  it('/healthz and /readyz answer everybody, also over plain http behind a proxy', async () => {
    const at = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
    for (let i = 0; i < 5; i++) {
      const [process, ready] = [await ask(at, '/healthz'), await ask(at, '/readyz').set('X-Forwarded-Proto', 'http')];
      expect([process.status, process.body]).to.deep.equal([200, { status: 'ok' }]);
      expect([ready.status, ready.body]).to.deep.equal([200, { status: 'ready' }]);
    }
  });

  it('without its database a process runs and is not ready', async () => {
    const timeouts = { connectTimeoutMs: 1000, statementTimeoutMs: 1000, idleInTransactionTimeoutMs: 1000 };
    const nobody = serverPool('postgresql://vaga@127.0.0.1:1/vaga', { poolSize: 1, ...timeouts });
    const at = await startApp({}, { db: prismaOver(nobody, { namedStatements: true }) });
    expect((await ask(at, '/healthz')).status).to.equal(200);
    const ready = await ask(at, '/readyz');
    const { error, ...state } = ready.body;
    expect([ready.status, state]).to.deep.equal([503, { status: 'not ready', missing: 'database' }]);
    expect([error.status, error.details.reason]).to.deep.equal([503, 'database']);
  });
});
