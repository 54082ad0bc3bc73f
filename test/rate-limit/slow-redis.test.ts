import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { type LimitBackend, redisBackend } from '../../src/rate-limit/limit-backend.ts';
import { RequestLimit } from '../../src/rate-limit/request-limit.ts';
import { freePort } from '../helper/free-port.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';

const messages = ['request limits are counted by this process alone', 'request limits are shared again'];
/** Longer than a request may wait for Redis, and than the pause between two attempts to use it again. */
const sleepSeconds = '1.2';

describe('a Redis that answers too late', function () {
  this.timeout(30_000);
  const undo: (() => unknown)[] = [];

  before(function () {
    if (!process.env.REDIS_URL) this.skip();
  });
  afterEach(() => {
    for (const step of undo.splice(0)) step();
  });

  /** Counts requests over a connection to `url`; `admin` is another one to the same server. */
  async function limitIn(url: string, admin: Redis) {
    const { log, lines, next } = recordedLog();
    const backend: LimitBackend = await redisBackend(url, log);
    undo.push(() => backend.close());
    const limitsNamespace = randomBytes(6).toString('hex');
    const limit = new RequestLimit({ requestsPerMinute: 1_000_000, limitsNamespace }, backend);
    const consume = () => limit.consume({ companyId: 1n, environment: 'sandbox' }, 1);
    return {
      consume,
      /** Sends requests until something has happened. */
      consumeUntil: async (happened: Promise<unknown>): Promise<void> => {
        let hasHappened = false;
        const waiting = happened.then(() => {
          hasHappened = true;
        });
        for (; !hasHappened; await new Promise(setImmediate)) await consume();
        await waiting;
      },
      inRedis: async () => Number(await admin.get(`${limitsNamespace}:company:sandbox:1`)),
      logged: () => lines.map(({ msg }) => msg),
      isShared: () => next(({ msg }) => msg === messages[1]),
    };
  }

  const adminOf = (url: string): Redis => {
    const admin = new Redis(url);
    undo.push(() => admin.disconnect());
    return admin;
  };

  it('always is not used until it answers in time', async () => {
    const url = process.env.REDIS_URL ?? '';
    const admin = adminOf(url);
    const { proxy, through } = await TcpProxy.before(url, 6379);
    undo.push(() => proxy.close());
    const { consume, consumeUntil, inRedis, logged, isShared } = await limitIn(through, admin);
    await consume();
    proxy.slow(300);
    await consume();
    const counted = await inRedis();
    for (let attempt = 0; attempt < 3; attempt++) await consumeUntil(proxy.connection());
    expect(await inRedis()).to.equal(counted);
    expect(logged()).to.deep.equal([messages[0]]);
    proxy.slow(0);
    await isShared();
    await consume();
    expect(await inRedis()).to.equal(counted + 1);
    expect(logged()).to.deep.equal(messages);
  });

  it('again and again is not used whenever it is in time for a moment', async function () {
    const url = await startRedis((server) => undo.push(() => server.kill()));
    if (!url) return this.skip();
    const admin = adminOf(url);
    const monitor = await admin.monitor();
    undo.push(() => monitor.disconnect());
    const { consume, consumeUntil, inRedis, logged, isShared } = await limitIn(url, admin);
    const connected = new EventEmitter();
    let isSleepy = true;
    const sleep = () => admin.call('DEBUG', 'SLEEP', sleepSeconds).catch(() => undefined);
    // The last command of a new connection.
    monitor.on('monitor', (_time: string, [command]: string[]) => {
      if (command?.toLowerCase() !== 'info') return;
      if (isSleepy) void sleep();
      connected.emit('info');
    });
    await consume();
    void sleep();
    // The request that was late is counted by then.
    await consumeUntil(once(connected, 'info'));
    const counted = await inRedis();
    for (let attempt = 0; attempt < 2; attempt++) await consumeUntil(once(connected, 'info'));
    isSleepy = false;
    expect(await inRedis()).to.equal(counted);
    expect(logged()).to.deep.equal([messages[0]]);
    await isShared();
    await consume();
    expect(await inRedis()).to.equal(counted + 1);
    expect(logged()).to.deep.equal(messages);
  });
});

/** A server of its own; undefined where it is not installed. */
async function startRedis(started: (server: ChildProcess) => void): Promise<string | undefined> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--enable-debug-command', 'yes'];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started(server);
  const isStarted = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve(true));
  });
  return (await isStarted) ? `redis://127.0.0.1:${port}` : undefined;
}
