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

interface Fixture {
  readonly proxy: TcpProxy;
  readonly backend: LimitBackend;
  /** Another process on the same counts, which no proxy cuts off. */
  readonly other: LimitBackend;
  /** Messages logged so far; `said` resolves with the next that matches. */
  readonly lines: string[];
  said(wanted: RegExp): Promise<void>;
  /** The window ends an hour later, as if the server's clock had stepped back. */
  endLater(key: string): Promise<unknown>;
  close(): Promise<void>;
}

function listen(): Pick<Fixture, 'lines' | 'said'> & { log: Log } {
  const stream = new PassThrough();
  const lines: string[] = [];
  stream.on('data', (line: Buffer) => lines.push(JSON.parse(String(line)).msg));
  const said = async (wanted: RegExp): Promise<void> => {
    while (!lines.some((line) => wanted.test(line))) await once(stream, 'data');
  };
  return { log: pino(stream), lines, said };
}

const through = (url: string, proxy: TcpProxy): string => {
  const own = new URL(url);
  own.host = `127.0.0.1:${proxy.port}`;
  return own.href;
};

async function overRedis(url: string): Promise<Fixture> {
  const { hostname, port } = new URL(url);
  const proxy = await TcpProxy.to({ host: hostname, port: Number(port || 6379) });
  const { log, ...heard } = listen();
  const backend = await redisBackend(through(url, proxy), log);
  const other = await redisBackend(url, log);
  const admin = new Redis(url);
  const endLater = (key: string) => admin.pexpire(key, 3_660_000);
  const close = async (): Promise<void> => {
    admin.disconnect();
    backend.close();
    other.close();
    proxy.close();
  };
  return { proxy, backend, other, ...heard, endLater, close };
}

async function overPostgresql(url: string): Promise<Fixture> {
  const { hostname, port } = new URL(url);
  const proxy = await TcpProxy.to({ host: hostname, port: Number(port || 5432) });
  const { log, ...heard } = listen();
  const pools = [through(url, proxy), url].map((connectionString) => {
    const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 500, query_timeout: 500 });
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool.on('error', () => undefined);
  });
  const [backend, other] = pools.map((pool) => postgresqlBackend(pool, log)) as [LimitBackend, LimitBackend];
  const endLater = async (key: string) =>
    pools[1]?.query('UPDATE rate_limits SET expire = expire + 3600000 WHERE key = $1', [key]);
  const close = async (): Promise<void> => {
    backend.close();
    other.close();
    proxy.close();
    await Promise.all(pools.map((pool) => pool.end()));
  };
  return { proxy, backend, other, ...heard, endLater, close };
}

const open = {
  Redis: () => process.env.REDIS_URL && overRedis(process.env.REDIS_URL),
  PostgreSQL: () => databaseUrl() && overPostgresql(databaseUrl() as string),
};

for (const name of ['Redis', 'PostgreSQL'] as const) {
  describe(`limits shared in ${name}`, function () {
    this.timeout(60_000);
    let fixture: Fixture;
    let settings: { requestsPerMinute: number; limitsNamespace: string };

    beforeEach(async function () {
      const opened = await open[name]();
      if (!opened) return this.skip();
      fixture = opened;
      const limitsNamespace = randomBytes(6).toString('hex');
      settings = { requestsPerMinute: 10, limitsNamespace };
    });
    afterEach(() => fixture?.close());

    const left = async (limit: RequestLimit, companyId = 1n): Promise<number | 'refused'> =>
      limit.consume({ companyId, environment: 'sandbox' }, 1).then(
        ({ remaining }) => remaining,
        () => 'refused' as const,
      );

    it('are counted together by two processes', async () => {
      const [one, other] = [new RequestLimit(settings, fixture.backend), new RequestLimit(settings, fixture.other)];
      expect([await left(one), await left(other), await left(one)]).to.deep.equal([9, 8, 7]);
      const rest = await Promise.all(Array.from({ length: 20 }, (_, n) => left(n % 2 ? one : other)));
      expect(rest.filter((value) => value !== 'refused')).to.have.length(7);
      expect(await left(one)).to.equal('refused');
    });

    it('a clock that steps by an hour closes no window for longer, and ends one early at most', async () => {
      const limit = new RequestLimit(settings, fixture.backend);
      const fill = () => Promise.all(Array.from({ length: 11 }, () => left(limit)));
      await fill();
      const wrong = install({ now: Date.now() + 3_600_000, toFake: ['Date'] });
      try {
        expect(await left(limit), 'the server has the clock').to.equal('refused');
        wrong.setSystemTime(Date.now() - 3_600_000);
        expect(await left(limit)).to.equal(9);
        await fill();
      } finally {
        wrong.uninstall();
      }
      await fixture.endLater(`${settings.limitsNamespace}:company:sandbox:1`);
      const other = new RequestLimit(settings, fixture.other);
      expect(await left(other)).to.equal(9);
    });

    if (name === 'Redis')
      it('losing Redis’ scripts is no outage', async () => {
        const limit = new RequestLimit(settings, fixture.backend);
        expect(await left(limit)).to.equal(9);
        const admin = new Redis(process.env.REDIS_URL ?? '');
        await admin.script('FLUSH');
        admin.disconnect();
        expect(await left(limit)).to.equal(8);
        expect(fixture.lines).to.deep.equal([]);
      });

    if (name === 'Redis')
      it('a reply that this process reads late because it is busy counts', async () => {
        const other = new RequestLimit(settings, fixture.other);
        const counted = left(other);
        const busyUntil = performance.now() + 700;
        while (performance.now() < busyUntil);
        expect([await counted, await left(other)]).to.deep.equal([9, 8]);
        expect([fixture.lines, fixture.other.insurance?.fallbacks]).to.deep.equal([[], 0]);
      });

    for (const [title, lose] of [
      ['gone', (proxy: TcpProxy) => proxy.cut()],
      ['silent', (proxy: TcpProxy) => proxy.hold()],
    ] as const) {
      it(`are counted in this process while it is ${title}, with one warning, and are shared again afterwards`, async () => {
        const [one, other] = [new RequestLimit(settings, fixture.backend), new RequestLimit(settings, fixture.other)];
        expect(await left(one)).to.equal(9);
        lose(fixture.proxy);
        const alone = await Promise.all(Array.from({ length: 12 }, () => left(one)));
        expect(alone.filter((value) => value !== 'refused')).to.have.length(10);
        expect(fixture.lines).to.deep.equal(['request limits are counted by this process alone']);
        expect(fixture.backend.insurance?.isActive).to.equal(true);
        expect(fixture.backend.insurance?.fallbacks).to.be.at.least(12);
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
    }
  });
}
