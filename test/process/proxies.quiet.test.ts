import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request } from 'node:https';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { databaseUrl, newCompany } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const nginx = '/usr/sbin/nginx';
const caddy = '/usr/bin/caddy';
const host = 'api.example.com';
type Headers = Record<string, string>;

/** Asks over TLS, or over plain http at the port for that. */
async function ask(path: string, headers: Headers = {}, body?: string, port = ports.tls) {
  const method = body === undefined ? 'GET' : 'POST';
  const options = { port, host: '127.0.0.1', path, method, headers: { Host: host, ...headers }, agent: false as const };
  const isTls = port === ports.tls;
  const sent = isTls ? request({ ...options, servername: host, rejectUnauthorized: false }) : requestPlainly(options);
  const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

const askPlain = (path: string, headers?: Headers) => ask(path, headers, undefined, ports.plain);

const outcomeOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  JSON.parse(body).error.details.reason,
];

const authorized = async (access: 'read' | 'write' = 'read') => ({
  Authorization: `Bearer ${await (await newCompany()).secret('sandbox', access)}`,
  'Content-Type': 'application/json',
});

type Ports = Readonly<{ tls: number; plain: number; services: readonly number[] }>;
const sample = (name: string): string => readFileSync(join(packageRoot, 'scripts/deploy', name), 'utf8');

/** nginx with its sample configuration, and the ports and the certificate of this test. */
async function startNginx(folder: string, ports: Ports): Promise<ChildProcess> {
  const { key, certificate } = makeCertificate(folder, host);
  const config = sample('nginx.conf')
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
  const config = sample('Caddyfile').replace('vaga:3000', `127.0.0.1:${services[0]}`);
  await writeFile(file, `{\n${own.join('\n')}\n}\n${config}`);
  const env = { DOMAIN: host, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(caddy, ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' });
}

let ports: Ports;
let services: readonly ServiceProcess[] = [];

/** Tests behind a proxy; skipped where it is not installed. */
function describeBehind(program: string, start: typeof startNginx, tests: () => void = () => undefined): void {
  let proxy: ChildProcess;
  describe(`of ${basename(program)}`, () => {
    before(async function startProxy() {
      if (!existsSync(program)) return this.skip();
      ports = { ...ports, tls: await freePort(), plain: await freePort() };
      proxy = await start(ownFolder(), ports);
      for (let attempt = 0; attempt < 100; attempt++) {
        const answer = await ask('/readyz').catch(() => undefined);
        if (answer?.status === 200) return;
        await sleep(50);
      }
      throw new Error(`${program} did not come up`);
    });
    after(() => proxy?.kill('SIGTERM'));
    passesOn();
    tests();
  });
}

/** What every proxy must do. */
function passesOn(): void {
  it('https is accepted, plain http is refused', async () => {
    const headers = await authorized();
    const path = '/sandbox/v1/account';
    for (const lied of [{}, { 'X-Forwarded-Proto': 'http' }])
      expect((await ask(path, { ...headers, ...lied })).status).to.equal(200);
    expect(outcomeOf(await askPlain(path, { ...headers, 'X-Forwarded-Proto': 'https' }))).to.deep.equal([400, 'https']);
    expect(String((await ask('/dashboard/sign-in')).headers['set-cookie'])).to.match(/; Secure/);
  });

  it('a body over the limit is answered with the error envelope of the service', async () => {
    const headers = { ...(await authorized('write')), 'Idempotency-Key': 'big' };
    const answer = await ask('/sandbox/v1/jobs', headers, `{"title":"${'x'.repeat(140_000)}"}`);
    expect(outcomeOf(answer)).to.deep.equal([413, 'body_size']);
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

/** What nginx does besides. */
function isOneAddressOfTwoProcesses(): void {
  it('discovery passes with the public name in every address, and OAuth metadata stays a 404', async () => {
    for (const path of ['/mcp/server-card', '/sandbox/mcp/server-card', '/.well-known/ai-catalog.json']) {
      const { status, headers, body } = await ask(path, { Host: 'evil.example' });
      expect([status, headers['access-control-allow-origin']], body).to.deep.equal([200, '*']);
      expect(body).to.include(`https://${host}/`);
      expect(body).not.to.match(/127\.0\.0\.1|evil/);
    }
    expect(outcomeOf(await askPlain('/mcp/server-card'))).to.deep.equal([400, 'https']);
    expect(outcomeOf(await ask('/.well-known/oauth-protected-resource/mcp'))).to.deep.equal([404, 'path']);
  });

  it('requests succeed while one process stops', async () => {
    const headers = await authorized();
    const [first] = services;
    first?.signal('SIGTERM');
    const statuses = new Set<number>();
    const askOnce = async () => statuses.add((await ask('/sandbox/v1/options', headers)).status);
    for (let n = 0; first?.running && n < 50; n++) await askOnce();
    for (let n = 0; n < 5; n++) await askOnce();
    expect([...statuses]).to.deep.equal([200]);
  });
}

describe('the sample configuration', () => {
  before(async function startServices() {
    const url = databaseUrl();
    if (url === undefined) return this.skip();
    ports = { tls: 0, plain: 0, services: [await freePort(), await freePort()] };
    const address = { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `https://${host}` };
    const shared = { ...address, DATABASE_URL: url, NODE_ENV: 'production', LOG_LEVEL: 'info' };
    const start = (port: number) => ServiceProcess.listening({ ...shared, PORT: String(port) });
    services = await Promise.all(ports.services.map(start));
  });
  after(() => Promise.all(services.map((service) => service.stop())));

  describeBehind(caddy, startCaddy);
  describeBehind(nginx, startNginx, isOneAddressOfTwoProcesses);
});
