import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientRequest, request as requestPlainly } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { databaseUrl, newCompany } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const nginx = '/usr/sbin/nginx';
const caddy = '/usr/bin/caddy';
const host = 'api.example.com';

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

const ask = (port: number, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
  answerTo(request({ ...optionsOf(port, path, headers, body), servername: host, rejectUnauthorized: false }), body);

const askPlain = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  answerTo(requestPlainly(optionsOf(ports.plain, path, headers)));

const optionsOf = (port: number, path: string, headers: Record<string, string>, body?: string) => ({
  port,
  host: '127.0.0.1',
  path,
  method: body === undefined ? 'GET' : 'POST',
  headers: { Host: host, ...headers },
  agent: false as const,
});

function answerTo(sent: ClientRequest, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Ports {
  readonly tls: number;
  readonly plain: number;
  readonly services: readonly number[];
}

const sample = (name: string): string => readFileSync(join(packageRoot, 'scripts/deploy', name), 'utf8');

/** nginx with its sample configuration, and the ports and the certificate of this test. */
async function startNginx(folder: string, ports: Ports): Promise<ChildProcess> {
  const { key, certificate } = makeCertificate(folder, host);
  const text = sample('nginx.conf')
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.tls} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${ports.plain}`)
    .replace('127.0.0.1:3000 ', `127.0.0.1:${ports.services[0]} `)
    .replace('127.0.0.1:3001 ', `127.0.0.1:${ports.services[1]} `)
    .replace('/etc/ssl/vaga/fullchain.pem', certificate)
    .replace('/etc/ssl/vaga/privkey.pem', key);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, text);
  return spawn(nginx, ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
}

/** Caddy with its sample configuration, and a certificate of its own making. */
async function startCaddy(folder: string, { tls, plain, services }: Ports): Promise<ChildProcess> {
  const own = ['admin off', 'local_certs', 'skip_install_trust', `https_port ${tls}`, `http_port ${plain}`];
  const file = join(folder, 'Caddyfile');
  const text = sample('Caddyfile').replace('vaga:3000', `127.0.0.1:${services[0]}`);
  await writeFile(file, `{\n${own.join('\n')}\n}\n${text}`);
  const env = { DOMAIN: host, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(caddy, ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' });
}

let ports: Ports;
const services: ServiceProcess[] = [];

/** Tests behind a proxy; skipped where it is not installed or there is no database for two processes. */
function describeBehind(program: string, start: typeof startNginx, tests: () => void): void {
  let folder: string;
  let proxy: ChildProcess;
  describe(`the sample configuration of ${basename(program)}`, function () {
    this.timeout(60_000);
    before(async function startBehindProxy() {
      const url = databaseUrl();
      if (!existsSync(program) || url === undefined) return this.skip();
      folder = await mkdtemp(join(tmpdir(), 'vaga-proxy-'));
      ports = { tls: await freePort(), plain: await freePort(), services: [await freePort(), await freePort()] };
      const env = {
        DATABASE_URL: url,
        NODE_ENV: 'production',
        TRUST_PROXY: '127.0.0.1',
        PUBLIC_URL: `https://${host}`,
      };
      const shared = { ...env, LIMITS_NAMESPACE: `proxy-${process.pid}`, LOG_LEVEL: 'info' };
      for (const port of ports.services)
        services.push(await ServiceProcess.start({ ...shared, PORT: String(port) }, '"listening"'));
      proxy = await start(folder, ports);
      for (let attempt = 0; attempt < 100; attempt++) {
        const answer = await ask(ports.tls, '/readyz', {}).catch(() => undefined);
        if (answer?.status === 200) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`${program} did not come up`);
    });
    after(async () => {
      proxy?.kill('SIGTERM');
      for (const service of services.splice(0)) {
        service.signal('SIGTERM');
        await service.ended();
      }
      if (folder) await rm(folder, { recursive: true, force: true });
    });
    passesOn();
    tests();
  });
}

/** What every proxy must do. */
function passesOn(): void {
  it('https is accepted, plain http is refused', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await ask(ports.tls, '/sandbox/v1/account', headers);
    expect(answer.status, answer.body).to.equal(200);
    const lied = await ask(ports.tls, '/sandbox/v1/account', { ...headers, 'X-Forwarded-Proto': 'http' });
    expect(lied.status).to.equal(200);
    const plain = await askPlain('/sandbox/v1/account', { ...headers, 'X-Forwarded-Proto': 'https' });
    expect([plain.status, JSON.parse(plain.body).error.details.reason]).to.deep.equal([400, 'https']);
    const cookies = await ask(ports.tls, '/dashboard/sign-in', {});
    expect(String(cookies.headers['set-cookie'])).to.match(/; Secure/);
  });

  it('a body over the limit is answered with the error envelope of the service', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'write');
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'big' };
    const answer = await ask(ports.tls, '/sandbox/v1/jobs', headers, `{"title":"${'x'.repeat(140_000)}"}`);
    expect([answer.status, JSON.parse(answer.body).error.details.reason]).to.deep.equal([413, 'body_size']);
  });

  it('MCP accepts the public name as Host and Origin', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await ask(ports.tls, '/sandbox/mcp', { ...headers, Origin: `https://${host}` }, message)).status).to.equal(
      200,
    );
    expect(
      (await ask(ports.tls, '/sandbox/mcp', { ...headers, Origin: 'https://evil.example' }, message)).status,
    ).to.equal(403);
  });
}

describeBehind(caddy, startCaddy, () => undefined);

describeBehind(nginx, startNginx, () => {
  it('discovery passes with the public name in every address, and OAuth metadata stays a 404', async () => {
    for (const path of ['/mcp/server-card', '/sandbox/mcp/server-card', '/.well-known/ai-catalog.json']) {
      const { status, headers, body } = await ask(ports.tls, path, { Host: 'evil.example' });
      expect([status, headers['access-control-allow-origin']], body).to.deep.equal([200, '*']);
      expect(body)
        .to.include(`https://${host}/`)
        .and.not.match(/127\.0\.0\.1|evil/);
    }
    const plain = await askPlain('/mcp/server-card');
    expect([plain.status, JSON.parse(plain.body).error.details.reason]).to.deep.equal([400, 'https']);
    const oauth = await ask(ports.tls, '/.well-known/oauth-protected-resource/mcp', {});
    expect([oauth.status, JSON.parse(oauth.body).error.details.reason]).to.deep.equal([404, 'path']);
  });

  it('requests succeed while one process stops', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const headers = { Authorization: `Bearer ${secret}` };
    const [first] = services;
    first?.signal('SIGTERM');
    const statuses = [];
    while (first?.running && statuses.length < 50)
      statuses.push((await ask(ports.tls, '/sandbox/v1/options', headers)).status);
    for (let i = 0; i < 5; i++) statuses.push((await ask(ports.tls, '/sandbox/v1/options', headers)).status);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
  });
});
