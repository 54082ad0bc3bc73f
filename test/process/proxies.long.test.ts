import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request as requestPlainly } from 'node:http';
import { Agent, request } from 'node:https';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { makeCompany, placeAt, unlimited, withStore } from '../faults/subject.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { databaseUrl, newCompany } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { longestFormBytes } from '../helper/longest-form.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const nginx = '/usr/sbin/nginx';
const caddy = '/usr/bin/caddy';
const host = 'api.example.com';
type Headers = Record<string, string>;

type Ports = Readonly<{ tls: number; plain: number; services: readonly number[] }>;

/** A proxy with its sample configuration. */
class SampleProxy {
  readonly program: string;
  readonly #start: (folder: string, ports: Ports) => Promise<ChildProcess>;
  #child: ChildProcess | undefined;
  tls = 0;
  plain = 0;

  constructor(program: string, start: (folder: string, ports: Ports) => Promise<ChildProcess>) {
    this.program = program;
    this.#start = start;
  }

  /** In front of the services. Resolves when it answers. */
  async start(): Promise<void> {
    [this.tls, this.plain] = [await freePort(), await freePort()];
    const child = await this.#start(ownFolder(), { tls: this.tls, plain: this.plain, services: servicePorts });
    this.#child = child;
    while (child.exitCode === null) {
      const answer = await this.ask('/readyz').catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(50);
    }
    throw new Error(`${this.program} did not come up`);
  }

  stop = () => this.#child?.kill('SIGTERM');

  /** Sends a request over TLS. */
  ask = (path: string, headers?: Headers, body?: string, agent: Agent | false = false, method = methodOf(body)) =>
    this.#answer(request({ ...this.#options(path, headers), method, port: this.tls, agent }), body);

  askPlain = (path: string, headers?: Headers) =>
    this.#answer(requestPlainly({ ...this.#options(path, headers), port: this.plain, agent: false }));

  /** More simultaneous requests than the proxy has worker processes. */
  askEveryWorker = (path = '/readyz', headers?: Headers) =>
    Promise.all(Array.from({ length: 16 }, () => this.ask(path, headers)));

  #options(path: string, headers?: Headers) {
    const to = { host: '127.0.0.1', servername: host, rejectUnauthorized: false };
    return { ...to, path, headers: { Host: host, ...headers } };
  }

  async #answer(sent: ClientRequest, body?: string) {
    const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }
}

const methodOf = (body?: string): string => (body === undefined ? 'GET' : 'POST');

type Answer = Awaited<ReturnType<SampleProxy['ask']>>;

const outcomeOf = ({ status, body }: Answer) => [status, JSON.parse(body).error.details.reason];

const authorized = async (access: 'read' | 'write' = 'read') => ({
  Authorization: `Bearer ${await (await newCompany()).secret('sandbox', access)}`,
  'Content-Type': 'application/json',
});

const sample = (name: string): string => readFileSync(join(packageRoot, 'scripts/deploy', name), 'utf8');

/** nginx with its sample configuration, and the ports and the certificate of this test. */
async function startNginx(folder: string, ports: Ports, compression = 'gzip off;'): Promise<ChildProcess> {
  const { key, certificate } = makeCertificate(folder, host);
  const config = sample('nginx.conf')
    .replace('gzip off;', compression)
    .replace('pid /run/nginx.pid', `pid ${join(folder, 'nginx.pid')}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.tls} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${ports.plain}`)
    .replace('127.0.0.1:3000 ', `127.0.0.1:${ports.services[0]} `)
    .replace('127.0.0.1:3001 ', `127.0.0.1:${ports.services[1]} `)
    .replace('/etc/ssl/vaga/fullchain.pem', certificate)
    .replace('/etc/ssl/vaga/privkey.pem', key);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, config);
  return spawn(nginx, ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
}

/** Caddy with its sample configuration, and a certificate of its own making. */
async function startCaddy(folder: string, { tls, plain, services }: Ports): Promise<ChildProcess> {
  const own = ['admin off', 'local_certs', 'skip_install_trust', `https_port ${tls}`, `http_port ${plain}`];
  const file = join(folder, 'Caddyfile');
  const config = sample('Caddyfile')
    .replace('vaga-1:3000', `127.0.0.1:${services[0]}`)
    .replace('vaga-2:3000', `127.0.0.1:${services[1]}`);
  await writeFile(file, `{\n${own.join('\n')}\n}\n${config}`);
  const env = { DOMAIN: host, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(caddy, ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' });
}

const proxies = [new SampleProxy(caddy, startCaddy), new SampleProxy(nginx, startNginx)];
/** Those that are installed. All are in front of the same services. */
const installed = proxies.filter(({ program }) => existsSync(program));
let servicePorts: readonly number[] = [];
let services: ServiceProcess[] = [];

const startService = (port: number, env: Headers = {}) => {
  const address = { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `https://${host}`, PORT: String(port) };
  // Longer than Caddy needs to notice that a process is not ready.
  const settings = { NODE_ENV: 'production', DRAIN_NOTICE_SECONDS: '3', DATABASE_URL: databaseUrl() ?? '' };
  return ServiceProcess.listening({ ...address, ...unlimited, ...settings, ...env });
};

/** Processes that the test no longer needs. */
async function killServices(): Promise<void> {
  for (const service of services.splice(0)) {
    service.signal('SIGKILL');
    await service.ended();
  }
}

/** The tests of every proxy. */
function passesOn({ ask, askPlain }: SampleProxy): void {
  it('https is accepted, plain http is refused', async () => {
    const headers = await authorized();
    const path = '/sandbox/v1/account';
    for (const lied of [{}, { 'X-Forwarded-Proto': 'http' }])
      expect((await ask(path, { ...headers, ...lied })).status).to.equal(200);
    expect(outcomeOf(await askPlain(path, { ...headers, 'X-Forwarded-Proto': 'https' }))).to.deep.equal([400, 'https']);
    expect(String((await ask('/dashboard/sign-in')).headers['set-cookie'])).to.match(/; Secure/);
  });

  it('a body over the limit gets the service’s error envelope', async () => {
    const headers = { ...(await authorized('write')), 'Idempotency-Key': 'big' };
    const answer = await ask('/sandbox/v1/jobs', headers, `{"title":"${'x'.repeat(140_000)}"}`);
    expect(outcomeOf(answer)).to.deep.equal([413, 'body_size']);
  });

  it('the longest form gets the service’s answer, and so does a longer one', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
    const begun = `email=a&typed=job.title%3D${'%2520'.repeat(1000)}`;
    const emojis = '%25F0%259F%2598%2580'.repeat(Math.floor((longestFormBytes - begun.length) / 20));
    const longest = `${begun}${emojis}`.padEnd(longestFormBytes, 'x');
    const send = (form: string) => ask('/dashboard/jobs/sandbox/1/update', headers, form);
    for (const [form, status, text] of [
      [longest, 403, 'This form is out of date.'],
      [`${longest}x`, 413, 'The form is too large.'],
    ] as const) {
      const answer = await send(form);
      expect(answer.status, text).to.equal(status);
      expect(answer.headers).to.have.property('x-request-id');
      expect(answer.body).to.include(text);
    }
  });

  it('MCP accepts the public name as Host and Origin', async () => {
    const headers = await authorized();
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (const [Origin, status] of [
      [`https://${host}`, 200],
      ['https://evil.example', 403],
    ] as const)
      expect((await ask('/sandbox/mcp', { ...headers, Origin }, message)).status, Origin).to.equal(status);
  });
}

/** A request over TLS and the status of its answer (0 for none). */
interface Asked {
  readonly isRead: boolean;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly send: () => Promise<number>;
}

/** Clients that read and create over kept connections, one request after the other, until they are stopped. */
class Load {
  readonly asked: Asked[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #programs: Promise<void>[];
  #stopped = false;

  readonly proxy: SampleProxy;
  readonly #companyId: bigint;

  private constructor(
    proxy: SampleProxy,
    { companyId, token }: { companyId: bigint; token: string },
    programs: number,
  ) {
    this.proxy = proxy;
    this.#companyId = companyId;
    this.#programs = Array.from({ length: programs }, () => this.#run({ Authorization: `Bearer ${token}` }));
  }

  /** With a company of its own. */
  static async start(proxy: SampleProxy, programs: number): Promise<Load> {
    const place = placeAt(databaseUrl() ?? '', async () => undefined);
    return new Load(proxy, await withStore(place, makeCompany), programs);
  }

  async #run(headers: Headers): Promise<void> {
    for (let isRead = false; !this.#stopped; isRead = !isRead) {
      const send = isRead
        ? this.#sender('/v1/options', headers)
        : this.#sender('/v1/jobs', createHeaders(headers), body);
      const sentAt = performance.now();
      const status = await send();
      this.asked.push({ isRead, sentAt, endedAt: performance.now(), send, status });
    }
  }

  #sender(path: string, headers: Headers, body?: string): Asked['send'] {
    return () =>
      this.proxy.ask(path, headers, body, this.#agent).then(
        ({ status }) => status,
        () => 0,
      );
  }

  /** The creates that were neither answered nor made. */
  failures = (): Asked[] => this.asked.filter(({ status }) => status !== 200 && status !== 201);

  /** Resolves when one of its creates has reached this service. */
  async reaches(service: ServiceProcess): Promise<void> {
    const line = new RegExp(`"operation":"createJob".*"company":${this.#companyId}\\b`);
    while (!line.test(service.output)) await this.progress(1);
  }

  /** Resolves after this many further requests. */
  async progress(count: number): Promise<void> {
    for (const all = this.asked.length + count; this.asked.length < all; ) await sleep(10);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#programs);
    this.#agent.destroy();
  }
}

const body = JSON.stringify(minimalJob);
const createHeaders = (headers: Headers): Headers => ({
  ...headers,
  'Content-Type': 'application/json',
  'Idempotency-Key': randomUUID(),
});

/** Replaces each process by a new one at the same port, and waits until the proxies use the new one. */
async function replaceEach(loads: readonly Load[], end: (service: ServiceProcess) => Promise<unknown>): Promise<void> {
  const progress = () => Promise.all(loads.map((load) => load.progress(50)));
  for (const [n, port] of servicePorts.entries()) {
    await progress();
    await end(services[n] as ServiceProcess);
    await progress();
    const service = await startService(port);
    services[n] = service;
    await Promise.all(loads.map((load) => load.reaches(service)));
  }
}

/**
 * Before 2.11.2, Caddy loses the body when it tries the other process (caddyserver/caddy#7546): creates fail until its health check has
 * failed.
 */
const losesBodies = ({ program }: SampleProxy): boolean =>
  program === caddy &&
  execFileSync(caddy, ['version'], { encoding: 'utf8' })
    .replace(/^v/, '')
    .localeCompare('2.11.2', 'en', { numeric: true }) < 0;

function hideThatAProcessIsReplaced(): void {
  let loads: Load[];
  beforeEach(async () => {
    loads = await Promise.all(installed.map((proxy) => Load.start(proxy, 4)));
  });
  const stop = () => Promise.all(loads.map((load) => load.stop()));
  afterEach(stop);

  it('no client notices a rolling restart under load', async () => {
    await replaceEach(loads, async (service) => expect(await service.stop()).to.equal(0));
    await stop();
    for (const load of loads) expect(load.failures(), load.proxy.program).to.deep.equal([]);
  });

  it('kill -9 of a process fails no read, and only creates in flight, which can be repeated', async () => {
    const deaths: { killedAt: number; diedAt: number }[] = [];
    await replaceEach(loads, async (service) => {
      const killedAt = performance.now();
      service.signal('SIGKILL');
      await service.ended();
      deaths.push({ killedAt, diedAt: performance.now() });
    });
    await stop();
    for (const load of loads)
      for (const { isRead, sentAt, endedAt, send } of load.failures()) {
        const wasInFlight = deaths.some(({ killedAt, diedAt }) => sentAt < diedAt && endedAt > killedAt);
        const about = `${load.proxy.program} from ${sentAt} to ${endedAt}: ${JSON.stringify(deaths)}`;
        expect({ isRead, wasInFlight: wasInFlight || losesBodies(load.proxy) }, about).to.deep.equal({
          isRead: false,
          wasInFlight: true,
        });
        expect(await send()).to.be.oneOf([200, 201]);
      }
  });
}

function avoidsAHangingProcess(proxy: SampleProxy): void {
  it('while a process hangs, the other one gets the requests', async () => {
    const load = await Load.start(proxy, 8);
    try {
      await load.progress(50);
      services[0]?.signal('SIGSTOP');
      // If half of them went to the hanging process, this would take minutes.
      await load.progress(400);
    } finally {
      services[0]?.signal('SIGCONT');
      await load.stop();
    }
  });
}

/** Sends a malformed chunk. */
async function sendMalformedChunk({ tls: port }: SampleProxy, headers: Headers): Promise<void> {
  const sent = [
    'POST /sandbox/v1/jobs HTTP/1.1',
    ...Object.entries({ Host: host, ...headers, 'Transfer-Encoding': 'chunked' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    'no chunk',
    '',
  ];
  const socket = connectTls({ port, host: '127.0.0.1', servername: host, rejectUnauthorized: false });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  socket.write(sent.join('\r\n'));
  socket.resume();
  await once(socket, 'close');
}

function blamesNobodyForAClient(proxy: SampleProxy): void {
  it('a client’s malformed chunks do not take a process out of service', async () => {
    const headers = await authorized('write');
    for (let n = 0; n < 4; n++) {
      await sendMalformedChunk(proxy, createHeaders(headers));
      for (const { status } of await proxy.askEveryWorker()) expect(status).to.equal(200);
    }
  });
}

/** The last test. */
function answerWhileNoneIsReady(): void {
  it('while no process is ready, clients get the processes’ own answers', async () => {
    const headers = await authorized('write');
    await killServices();
    for (const proxy of installed)
      for (const { status } of await proxy.askEveryWorker()) expect(status, proxy.program).to.be.oneOf([502, 503]);
    const readOnly = new URL(databaseUrl() ?? '');
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const start = (port: number) => startService(port, { DATABASE_URL: readOnly.href });
    services = await Promise.all(servicePorts.map(start));
    for (const { program, ask, askEveryWorker } of installed) {
      for (const answer of await askEveryWorker()) expect(outcomeOf(answer), program).to.deep.equal([503, 'database']);
      expect((await ask('/sandbox/v1/options', headers)).status, program).to.equal(200);
      const created = await ask('/sandbox/v1/jobs', createHeaders(headers), body);
      expect(outcomeOf(created), program).to.deep.equal([503, 'database']);
      expect(created.headers, program).to.have.property('retry-after');
    }
  });
}

/** The tests of nginx alone. */
function isOneAddressOfTwoProcesses({ ask, askPlain }: SampleProxy): void {
  it('discovery works with the public name in every address, and OAuth metadata stays a 404', async () => {
    for (const path of ['/mcp/server-card', '/sandbox/mcp/server-card', '/.well-known/ai-catalog.json']) {
      const { status, headers, body } = await ask(path, { Host: 'evil.example' });
      expect([status, headers['access-control-allow-origin']], body).to.deep.equal([200, '*']);
      expect(body).to.include(`https://${host}/`);
      expect(body).not.to.match(/127\.0\.0\.1|evil/);
    }
    expect(outcomeOf(await askPlain('/mcp/server-card'))).to.deep.equal([400, 'https']);
    expect(outcomeOf(await ask('/.well-known/oauth-protected-resource/mcp'))).to.deep.equal([404, 'path']);
  });
}

function keepsTagsStrong({ ask }: SampleProxy): void {
  const gzip = 'gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1;';
  const compressing = new SampleProxy(nginx, (folder, ports) => startNginx(folder, ports, gzip));
  after(compressing.stop);

  it('does not compress, so that If-Match works; where it does, the 412 says so', async () => {
    await compressing.start();
    const headers = { ...(await authorized('write')), 'Accept-Encoding': 'gzip' };
    const made = await ask('/sandbox/v1/jobs', createHeaders(headers), body);
    const path = `/sandbox/v1/jobs/${JSON.parse(made.body).data.id}`;
    const change = (etag = '') => ask(path, { ...headers, 'If-Match': etag }, '{"title":"Outra"}', false, 'PATCH');
    const weak = await compressing.ask(path, headers);
    expect(weak.headers).to.include({ 'content-encoding': 'gzip', etag: `W/${made.headers.etag}` });
    const refused = await change(weak.headers.etag);
    expect(outcomeOf(refused)).to.deep.equal([412, 'changed']);
    expect(JSON.parse(refused.body).error.message).to.include('compress');
    const strong = await ask(path, headers);
    expect(strong.headers).to.include({ etag: made.headers.etag }).and.not.have.property('content-encoding');
    expect((await change(strong.headers.etag)).status).to.equal(200);
  });
}

function asksTheOtherOne({ askEveryWorker }: SampleProxy): void {
  it('while a process hangs, the other one answers reads', async function () {
    // Shorter than nginx' timeout for other requests.
    this.timeout(35_000);
    const headers = await authorized('write');
    services[0]?.signal('SIGSTOP');
    try {
      const answers = await askEveryWorker('/sandbox/v1/options', headers);
      for (const { status } of answers) expect(status).to.equal(200);
    } finally {
      services[0]?.signal('SIGCONT');
    }
  });
}

describe('the sample configuration', () => {
  before(async function startProxies() {
    if (databaseUrl() === undefined || installed.length === 0) return this.skip();
    servicePorts = [await freePort(), await freePort()];
    services = await Promise.all(servicePorts.map((port) => startService(port)));
    for (const proxy of installed) await proxy.start();
  });
  after(async () => {
    for (const proxy of installed) proxy.stop();
    await killServices();
  });

  for (const proxy of proxies)
    describe(`of ${basename(proxy.program)}`, () => {
      before(function isInstalled() {
        if (!installed.includes(proxy)) this.skip();
      });
      passesOn(proxy);
      avoidsAHangingProcess(proxy);
      blamesNobodyForAClient(proxy);
      if (proxy.program !== nginx) return;
      isOneAddressOfTwoProcesses(proxy);
      keepsTagsStrong(proxy);
      asksTheOtherOne(proxy);
    });

  describe('of each proxy, in front of the same processes', () => {
    hideThatAProcessIsReplaced();
    answerWhileNoneIsReady();
  });
});
