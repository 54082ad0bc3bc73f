import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import supertest from 'supertest';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Rows } from '../../src/database/pool.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { logLasting, openLog } from '../../src/log.ts';
import { release } from '../../src/release.ts';
import { toRefusal } from '../../src/server/answer.ts';
import { openMetrics } from '../../src/server/metrics-server.ts';
import { databaseFigures } from '../../src/telemetry/database-figures-sql.ts';
import type { LoggedRequest } from '../../src/telemetry/logged-request.ts';
import { Readiness } from '../../src/telemetry/readiness.ts';
import { MinuteSample, RequestLog } from '../../src/telemetry/request-log.ts';
import { purgeRequests } from '../../src/telemetry/request-log-sql.ts';
import { portOf } from '../helper/address.ts';
import { db, everywhere, later, newCompany, startApp, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { absentDatabase } from '../helper/test-database.ts';
import { times } from '../helper/times.ts';

const silent = openLog('silent');
const dayMs = 86_400_000;

const entryOf = ({ id }: TestCompany, own: Partial<LoggedRequest> = {}): LoggedRequest => ({
  companyId: id,
  environment: 'sandbox',
  at: new Date(),
  requestId: 'r',
  credentialId: 1,
  traceparent: null,
  protocol: 'rest',
  operation: 'getJob',
  status: 200,
  reason: null,
  fields: [],
  resourceId: null,
  message: null,
  latencyMs: 3,
  ...own,
});

const logAt = (now: number): RequestLog => new RequestLog(everywhere(db()), silent, () => new Date(now));

const countOf = ({ id }: TestCompany): Promise<number> => db().loggedRequest.count({ where: { companyId: id } });

describe('RequestLog', () => {
  it('drops and counts entries beyond 10,000 waiting ones, and writes the rest on flush', async () => {
    const acme = await newCompany();
    const requestLog = logAt(Date.now());
    // The first 500 are being written, 10,000 wait, 100 are too many.
    for (let n = 0; n < 10_600; n++) requestLog.record(entryOf(acme));
    expect(requestLog.dropped).to.equal(100);
    await requestLog.flush();
    expect(await countOf(acme)).to.equal(10_500);
  });

  it('when the database fails, only entries are lost, and they are counted', async () => {
    const acme = await newCompany();
    const store = await openDatabase({ dataDir: ':memory:' });
    await store.close();
    const requestLog = new RequestLog(store, silent, () => new Date());
    for (let n = 0; n < 3; n++) requestLog.record(entryOf(acme));
    await requestLog.flush();
    expect(requestLog.dropped).to.equal(3);
  });

  it('entries of an erased company do not lose another company’s entries', async () => {
    const acme = await newCompany();
    const requestLog = logAt(Date.now());
    for (let n = 0; n < 20; n++) requestLog.record(entryOf(acme, n === 7 ? { companyId: 2n ** 50n } : {}));
    await requestLog.flush();
    expect([await countOf(acme), requestLog.dropped]).to.deep.equal([19, 1]);
  });

  it('deletes entries older than seven days, and no younger ones', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    // Years ago, so that the purge deletes no entries of other tests.
    const now = Date.now() - 3650 * dayMs;
    const requestLog = logAt(now);
    for (const days of [30, 8, 7.01, 6.99, 0])
      requestLog.record(entryOf(acme, { at: new Date(now - days * dayMs), requestId: days > 7 ? 'old' : 'young' }));
    requestLog.record(entryOf(other, { environment: 'production', at: new Date(now - 9 * dayMs) }));
    await requestLog.flush();
    expect(await countOf(acme)).to.equal(5);
    await purgeRequests(db(), new Date(now));
    const rows = await db().loggedRequest.findMany({ where: { companyId: acme.id } });
    expect(rows.map(({ requestId }) => requestId)).to.deep.equal(['young', 'young']);
    expect(await countOf(other)).to.equal(0);
  });

  it('samples at most 10,000 keys per minute', () => {
    const sample = new MinuteSample();
    const now = new Date();
    for (let key = 0; key < 10_000; key++) expect(sample.takes(String(key), now)).to.equal(true);
    expect([sample.takes('another', now), sample.takes('7', now)]).to.deep.equal([false, true]);
    expect(sample.takes('another', new Date(now.getTime() + 60_000))).to.equal(true);
  });
});

describe('the request log of a company past its limit', () => {
  const statusesOf = async ({ id }: TestCompany, protocol: 'rest' | 'mcp'): Promise<Record<string, number>> => {
    const where = { companyId: id, protocol };
    const rows = await db().loggedRequest.groupBy({ by: ['status'], where, _count: true });
    return Object.fromEntries(rows.map(({ status, _count }) => [String(status), _count]));
  };

  it('lists its refusals over REST and MCP, but does not grow with a flood of them', async () => {
    const { server, settle } = await startWholeApp({ REQUESTS_PER_MINUTE: '3' });
    const [byRest, byMcp] = [await newCompany(), await newCompany()];
    const reader = await byRest.reader('sandbox', server);
    const agent = new McpClient(server, 'sandbox', await byMcp.secret('sandbox', 'read'));
    const flood = async (): Promise<void> => {
      // Each is a request.
      for (let n = 0; n < 15; n++) await agent.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await Promise.all(Array.from({ length: 15 }, () => [reader.get('/account'), agent.request('tools/list')]).flat());
      await settle();
    };
    // From the first millisecond of a minute on.
    await later(60_000 - (Date.now() % 60_000), async () => {
      for (let n = 0; n < 2; n++) {
        await flood();
        expect(await statusesOf(byRest, 'rest')).to.deep.equal({ 200: 3, 429: 10 });
        expect(await statusesOf(byMcp, 'mcp')).to.deep.equal({ 202: 3, 429: 10 });
      }
    });
  });
});

const unused = { totalCount: 0, idleCount: 0, waitingCount: 0 };
const pools = [{ ...unused, totalCount: 1, idleCount: 1 }, { ...unused, totalCount: 3, idleCount: 2 }, unused];

const gauges = {
  vaga_requests_in_flight: 0,
  vaga_sanitizer_running: 1,
  vaga_sanitizer_waiting: 2,
  vaga_sanitizer_ended_total: 3,
  vaga_pool_connections: 4,
  vaga_pool_idle: 3,
  vaga_overload_refusals_total: 0,
  vaga_request_log_dropped_total: 0,
  vaga_backup_age_seconds: 7,
};

describe('metrics', () => {
  let metrics: Awaited<ReturnType<typeof openMetrics>>;
  let read: (path?: string) => Promise<Response>;
  let secret: string;
  before(async () => {
    const port = await freePort();
    metrics = await openMetrics({ host: '127.0.0.1', port });
    read = (path = '/metrics') => fetch(`http://127.0.0.1:${port}${path}`);
    const { server, app } = await startWholeApp({}, { observe: metrics.observe });
    const sanitizer = { running: 1, waiting: 2, ended: 3 };
    const current = { pools, sanitizer, certificateEndsAt: new Date(7000), backupAgeSeconds: 7 };
    const database = databaseFigures({ pages: db() });
    metrics.watch(() => ({ app: app.stats(), ...current, database }));
    const acme = await newCompany();
    secret = await acme.secret('sandbox', 'read');
    for (const path of ['/account', '/jobs/1234567']) await (await acme.reader('sandbox', server)).get(path);
    await new McpClient(server, 'sandbox', secret).request('tools/list');
  });
  after(() => metrics.close());

  it('a figure that cannot be read is a 500, and ends nothing', async () => {
    const port = await freePort();
    const broken = await openMetrics({ host: '127.0.0.1', port });
    broken.watch(() => {
      throw new Error('none');
    });
    for (const status of [500, 500]) expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).to.equal(status);
    broken.close();
  });

  it('count responses by operation, protocol, environment and status, and report current values', async () => {
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
    const { version, commit } = release;
    expect(text).to.include(`\nvaga_build_info{version="${version}",commit="${commit}"} 1\n`);
    expect(text)
      .to.match(/\nvaga_database_bytes [1-9]\d+\n/)
      .and.match(/\nvaga_reviews_waiting \d+\n/);
    expect(text).to.contain('nodejs_eventloop_lag_p99_seconds').and.not.contain(secret);
    expect((await read('/')).status).to.equal(404);
  });

  it('include each metric and label of the alerts and the dashboard, and the guide says what to do for each alert', async () => {
    const served = await (await read()).text();
    const sample = (name: string) => readFile(join(packageRoot, 'scripts/deploy', name), 'utf8');
    const [alerts, dashboard, guide] = await Promise.all(['alerts.yml', 'dashboard.json', 'operate.md'].map(sample));
    for (const text of [alerts, dashboard]) {
      const names = text?.match(/\b(vaga|process|nodejs)(_[a-z0-9]+)+/g) ?? [];
      expect(names).to.have.length.above(10);
      for (const name of names) expect(served).to.match(new RegExp(`^${name}[{ ]`, 'm'));
      for (const [, label] of text?.matchAll(/(?:[{,]|by \()(\w+)(?:=~?\\?"|\))/g) ?? [])
        if (label !== 'job' && label !== 'instance') expect(served).to.include(`${label}="`);
    }
    const named = alerts?.matchAll(/alert: (\w+)/g) ?? [];
    for (const [, alert] of named) expect(guide).to.include(`\`${alert}\``);
  });

  it('are not served without a port; a port in use stops the start with one line', async () => {
    expect(readConfig({}).metrics).to.equal(undefined);
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = portOf(taken);
    const failure = await openMetrics({ host: '127.0.0.1', port }).catch((error: Error) => error.message);
    expect(failure).to.match(new RegExp(`^cannot listen on .*METRICS_PORT ${port}: EADDRINUSE$`));
    taken.close();
  });
});

describe('health', () => {
  it('/healthz and /readyz answer everybody, even over plain http behind a proxy', async () => {
    const at = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
    for (let i = 0; i < 5; i++) {
      const alive = await supertest(at).get('/healthz');
      const ready = await supertest(at).get('/readyz').set('X-Forwarded-Proto', 'http');
      expect([alive.status, alive.body]).to.deep.equal([200, { status: 'ok', ...release }]);
      expect([ready.status, ready.body]).to.deep.equal([200, { status: 'ready' }]);
    }
  });

  it('of many who ask at once is one query', async () => {
    const { admission, ...database } = everywhere(db());
    let asked = 0;
    const counted: Rows = {
      ...admission,
      rows: (query) => {
        asked += 1;
        return admission.rows(query);
      },
    };
    const readiness = new Readiness({ ...database, admission: counted }, openLog('silent'));
    for (let round = 1; round <= 2; round++) {
      expect(await Promise.all(times(10, () => readiness.state()))).to.deep.equal(times(10, () => ({ missing: [] })));
      expect(asked).to.equal(round);
    }
  });

  it('without its database, a process runs but is not ready', async () => {
    const at = await startApp({}, { db: absentDatabase() });
    expect((await supertest(at).get('/healthz')).status).to.equal(200);
    const ready = await supertest(at).get('/readyz');
    const { error, ...state } = ready.body;
    expect([ready.status, state]).to.deep.equal([503, { status: 'not ready', missing: 'database' }]);
    expect([error.status, error.details.reason]).to.deep.equal([503, 'database']);
  });

  it('a condition of many requests is logged when it begins and, with their number, when it ends', async () => {
    const { log, lines, next } = recordedLog();
    const failing = Object.assign(new Error('away'), { code: '08006' });
    for (let n = 0; n < 3; n++) expect(toRefusal(failing, log, `${n}`)).to.include({ status: 503, code: 'database' });
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ msg: 'the database cannot answer', requestId: '0' });
    const from = performance.now();
    for (let n = 0; n < 3; n++) logLasting(log, 'it rains', { where: 'Porto' }, 20);
    const ended = await next(({ msg }) => msg === 'ended: it rains');
    expect(ended).to.include({ count: 3 });
    expect(ended.seconds).to.be.within(0, Math.round((performance.now() - from) / 1000));
    expect(lines).to.have.length(3);
  });

  it('when changes find no disk space, a process is ready for reads and says so', async () => {
    const { log } = recordedLog();
    const at = await startApp({}, { log });
    toRefusal(Object.assign(new Error('full'), { code: '53100' }), log, 'x');
    const { status, body } = await supertest(at).get('/readyz');
    expect([status, body]).to.deep.equal([200, { status: 'ready', missing: 'disk space' }]);
  });
});
