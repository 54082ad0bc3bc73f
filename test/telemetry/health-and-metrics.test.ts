import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import supertest from 'supertest';
import { openMetrics } from '../../src/server/metrics-server.ts';
import { portOf } from '../helper/address.ts';
import { newCompany, startApp, startWholeApp } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { absentDatabase } from '../helper/test-database.ts';

const unused = { totalCount: 0, idleCount: 0, waitingCount: 0 };
const pools = [{ ...unused, totalCount: 1, idleCount: 1 }, { ...unused, totalCount: 3, idleCount: 2 }, unused];

const gauges = {
  vaga_requests_in_flight: 0,
  vaga_sanitizer_running: 1,
  vaga_sanitizer_waiting: 2,
  vaga_sanitizer_ended_total: 3,
  vaga_pool_connections: 4,
  vaga_pool_idle: 3,
  vaga_limits_shared: 0,
  vaga_overload_refusals_total: 0,
  vaga_request_log_dropped_total: 0,
};

describe('metrics', () => {
  it('count responses by operation, protocol, environment and status, and report current values', async () => {
    const port = await freePort();
    const metrics = await openMetrics({ host: '127.0.0.1', port });
    try {
      const { server, app } = await startWholeApp({}, { observe: metrics.observe });
      const sanitizer = { running: 1, waiting: 2, ended: 3 };
      metrics.watch(() => ({ app: app.stats(), pools, sanitizer, insurance: undefined }));
      const acme = await newCompany();
      const reader = await acme.reader('sandbox', server);
      for (const path of ['/account', '/jobs/1234567']) await reader.get(path);
      const secret = await acme.secret('sandbox', 'read');
      await new McpClient(server, 'sandbox', secret).request('tools/list');
      const read = (path = '/metrics') => fetch(`http://127.0.0.1:${port}${path}`);
      const answer = await read();
      expect(answer.headers.get('content-type')).to.contain('text/plain');
      const text = await answer.text();
      for (const [operation, protocol, status] of [
        ['getAccount', 'rest', 200],
        ['getJob', 'rest', 404],
        ['none', 'mcp', 200],
      ] as const) {
        const labels = `operation="${operation}",protocol="${protocol}",environment="sandbox",status="${status}"`;
        expect(text).to.include(`\nvaga_request_duration_seconds_count{${labels}} 1\n`);
      }
      // A second reading does not add up the counters.
      for (const shown of [text, await (await read()).text()])
        for (const [name, value] of Object.entries(gauges)) expect(shown).to.include(`\n${name} ${value}\n`);
      expect(text).to.contain('nodejs_eventloop_lag_p99_seconds').and.not.contain(secret);
      expect((await read('/')).status).to.equal(404);
    } finally {
      metrics.close();
    }
  });

  it('are not served without a port, and a port in use stops the start with one line', async () => {
    expect((await openMetrics(undefined)).observe).to.equal(undefined);
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = portOf(taken);
    const failure = await openMetrics({ host: '127.0.0.1', port }).catch((error: Error) => error.message);
    expect(failure).to.match(new RegExp(`^cannot listen on .*METRICS_PORT ${port}: EADDRINUSE$`));
    taken.close();
  });
});

describe('health', () => {
  it('/healthz and /readyz answer everybody, also over plain http behind a proxy', async () => {
    const at = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
    for (let i = 0; i < 5; i++) {
      const alive = await supertest(at).get('/healthz');
      const ready = await supertest(at).get('/readyz').set('X-Forwarded-Proto', 'http');
      expect([alive.status, alive.body]).to.deep.equal([200, { status: 'ok' }]);
      expect([ready.status, ready.body]).to.deep.equal([200, { status: 'ready' }]);
    }
  });

  it('without its database a process runs and is not ready', async () => {
    const at = await startApp({}, { db: absentDatabase() });
    expect((await supertest(at).get('/healthz')).status).to.equal(200);
    const ready = await supertest(at).get('/readyz');
    const { error, ...state } = ready.body;
    expect([ready.status, state]).to.deep.equal([503, { status: 'not ready', missing: 'database' }]);
    expect([error.status, error.details.reason]).to.deep.equal([503, 'database']);
  });
});
