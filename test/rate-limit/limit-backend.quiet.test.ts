import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { pino } from 'pino';
import type { Log } from '../../src/log.ts';
import { type LimitBackend, postgresqlBackend, redisBackend } from '../../src/rate-limit/limit-backend.ts';
import { RequestLimit } from '../../src/rate-limit/request-limit.ts';
import { databaseUrl } from '../helper/fixtures.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import { times } from '../helper/times.ts';

interface Fixture {
  readonly proxy: TcpProxy;
  readonly backend: LimitBackend;
  /** Another process on the same counts, which no proxy cuts off. */
  readonly other: LimitBackend;
  /** Messages logged so far; `said` resolves with the next that matches. */
  readonly lines: string[];
  said(wanted: RegExp): Promise<void>;
  /** Has a key's window end an hour later. */
  endLater(key: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a backend on this address, and what closes it and moves a window. */
type Open = (url: string, log: Log) => Promise<readonly [LimitBackend, () => unknown, Fixture['endLater']]>;

const overRedis: Open = async (url, log) => {
  const admin = new Redis(url, { lazyConnect: true });
  return [await redisBackend(url, log), () => admin.disconnect(), (key) => admin.pexpire(key, 3_660_000)];
};
const overPostgresql: Open = async (connectionString, log) => {
  const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 500, query_timeout: 500 });
  pool.on('connect', (client) => client.on('error', () => undefined)).on('error', () => undefined);
  const later = 'UPDATE rate_limits SET expire = expire + 3600000 WHERE key = $1';
  return [postgresqlBackend(pool, log), () => pool.end(), (key) => pool.query(later, [key])];
};

async function openFixture(open: Open, url: string, defaultPort: number): Promise<Fixture> {
  const { proxy, through } = await TcpProxy.before(url, defaultPort);
  const stream = new PassThrough();
  const log = pino(stream);
  const lines: string[] = [];
  stream.on('data', (line: Buffer) => lines.push(JSON.parse(String(line)).msg));
  const said = async (wanted: RegExp): Promise<void> => {
    while (!lines.some((line) => wanted.test(line))) await once(stream, 'data');
  };
  const opened = [await open(through, log), await open(url, log)] as const;
  const [[backend], [other, , endLater]] = opened;
  const close = async (): Promise<void> => {
    for (const [each] of opened) each.close();
    proxy.close();
    for (const [, end] of opened) await end();
  };
  return { proxy, backend, other, lines, said, endLater, close };
}

for (const [name, open, url, port] of [
  ['Redis', overRedis, () => process.env.REDIS_URL, 6379],
  ['PostgreSQL', overPostgresql, databaseUrl, 5432],
] as const)
  describe(`limits shared in ${name}`, function () {
    this.timeout(60_000);
    let fixture: Fixture;
    let one: RequestLimit;
    let other: RequestLimit;
    let limitsNamespace: string;

    beforeEach(async function () {
      const address = url();
      if (!address) return this.skip();
      fixture = await openFixture(open, address, port);
      limitsNamespace = randomBytes(6).toString('hex');
      const settings = { requestsPerMinute: 10, limitsNamespace };
      [one, other] = [new RequestLimit(settings, fixture.backend), new RequestLimit(settings, fixture.other)];
    });
    afterEach(() => fixture?.close());

    const left = async (limit: RequestLimit, companyId = 1n): Promise<number | 'refused'> =>
      limit.consume({ companyId, environment: 'sandbox' }, 1).then(
        ({ remaining }) => remaining,
        () => 'refused' as const,
      );
    /** How many of so many simultaneous requests pass. */
    const passed = async (count: number, limitOf: (n: number) => RequestLimit): Promise<number> =>
      (await Promise.all(times(count, (n) => left(limitOf(n))))).filter((value) => value !== 'refused').length;

    it('are counted together by two processes', async () => {
      expect([await left(one), await left(other), await left(one)]).to.deep.equal([9, 8, 7]);
      expect(await passed(20, (n) => (n % 2 ? one : other))).to.equal(7);
      expect(await left(one)).to.equal('refused');
    });

    it('a clock that steps by an hour closes no window for longer, and ends one early at most', async () => {
      const fill = () => passed(11, () => one);
      await fill();
      const wrong = install({ now: Date.now() + 3_600_000, toFake: ['Date'] });
      try {
        expect(await left(one), 'the server has the clock').to.equal('refused');
        wrong.setSystemTime(Date.now() - 3_600_000);
        expect(await left(one)).to.equal(9);
        await fill();
      } finally {
        wrong.uninstall();
      }
      await fixture.endLater(`${limitsNamespace}:company:sandbox:1`);
      expect(await left(other)).to.equal(9);
    });

    if (name === 'Redis') {
      it('losing Redis’ scripts is no outage', async () => {
        expect(await left(one)).to.equal(9);
        const admin = new Redis(process.env.REDIS_URL ?? '');
        await admin.script('FLUSH');
        admin.disconnect();
        expect(await left(one)).to.equal(8);
        expect(fixture.lines).to.deep.equal([]);
      });

      it('a reply that this process reads late because it is busy counts', async () => {
        const counted = left(other);
        const busyUntil = performance.now() + 700;
        while (performance.now() < busyUntil);
        expect([await counted, await left(other)]).to.deep.equal([9, 8]);
        expect([fixture.lines, fixture.other.insurance?.fallbacks]).to.deep.equal([[], 0]);
      });
    }

    for (const [title, lose] of [
      ['gone', (proxy: TcpProxy) => proxy.cut()],
      ['silent', (proxy: TcpProxy) => proxy.hold()],
    ] as const)
      it(`are counted in this process while it is ${title}, with one warning, and are shared again afterwards`, async () => {
        expect(await left(one)).to.equal(9);
        lose(fixture.proxy);
        expect(await passed(12, () => one)).to.equal(10);
        expect(fixture.lines).to.have.length(1);
        expect(fixture.backend.insurance?.isActive).to.equal(true);
        expect(await left(other), 'others share on').to.equal(8);
        fixture.proxy.open();
        let isAgain = false;
        const again = fixture.said(/shared again/).then(() => {
          isAgain = true;
        });
        for (let company = 100n; !isAgain; company++) {
          await left(one, company);
          await new Promise(setImmediate);
        }
        await again;
        expect([await left(one, 2n), await left(other, 2n)]).to.deep.equal([9, 8]);
      });
  });
