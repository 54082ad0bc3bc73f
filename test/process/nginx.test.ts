import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { databaseUrl, newCompany } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const nginx = '/usr/sbin/nginx';
const host = 'api.example.com';

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

function ask(port: number, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const options = { port, host: '127.0.0.1', path, method, headers: { Host: host, ...headers } };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, servername: host, rejectUnauthorized: false, agent: false }, (response) => {
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

/** The sample configuration with the ports and the certificate of this test. */
async function configure(folder: string, ports: { tls: number; plain: number; services: readonly number[] }) {
  const { key, certificate } = makeCertificate(folder, host);
  const text = readFileSync(join(packageRoot, 'scripts/deploy/nginx.conf'), 'utf8')
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.tls} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${ports.plain}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports.services[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports.services[1]}`)
    .replace('/etc/ssl/vaga/fullchain.pem', certificate)
    .replace('/etc/ssl/vaga/privkey.pem', key);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, text);
  return file;
}

describe('the sample nginx configuration', function () {
  this.timeout(60_000);
  const services: ServiceProcess[] = [];
  let folder: string;
  let proxy: ReturnType<typeof spawn>;
  let ports: { tls: number; plain: number; services: number[] };

  before(async function startBehindNginx() {
    const url = databaseUrl();
    if (!existsSync(nginx) || url === undefined) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'vaga-nginx-'));
    ports = { tls: await freePort(), plain: await freePort(), services: [await freePort(), await freePort()] };
    const env = { DATABASE_URL: url, NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `https://${host}` };
    const shared = { ...env, LIMITS_NAMESPACE: `nginx-${process.pid}`, LOG_LEVEL: 'info' };
    for (const port of ports.services)
      services.push(await ServiceProcess.start({ ...shared, PORT: String(port) }, '"listening"'));
    const file = await configure(folder, ports);
    proxy = spawn(nginx, ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
    for (let attempt = 0; attempt < 100; attempt++) {
      const answer = await ask(ports.tls, '/readyz', {}).catch(() => undefined);
      if (answer?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('nginx did not come up');
  });
  after(async () => {
    proxy?.kill('SIGTERM');
    for (const service of services) {
      service.signal('SIGTERM');
      await service.ended();
    }
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('https is accepted, plain http is refused', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await ask(ports.tls, '/sandbox/v1/account', headers);
    expect(answer.status, answer.body).to.equal(200);
    const lied = await ask(ports.tls, '/sandbox/v1/account', { ...headers, 'X-Forwarded-Proto': 'http' });
    expect(lied.status).to.equal(200);
    const plain = await fetch(`http://127.0.0.1:${ports.plain}/sandbox/v1/account`, {
      headers: { ...headers, 'X-Forwarded-Proto': 'https' },
    });
    expect([plain.status, (await plain.json()).error.details.reason]).to.deep.equal([400, 'https']);
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

  it('discovery passes with the public name in every address, and OAuth metadata stays a 404', async () => {
    for (const path of ['/mcp/server-card', '/sandbox/mcp/server-card', '/.well-known/ai-catalog.json']) {
      const { status, headers, body } = await ask(ports.tls, path, { Host: 'evil.example' });
      expect([status, headers['access-control-allow-origin']], body).to.deep.equal([200, '*']);
      expect(body)
        .to.include(`https://${host}/`)
        .and.not.match(/127\.0\.0\.1|evil/);
    }
    const plain = await fetch(`http://127.0.0.1:${ports.plain}/mcp/server-card`, { redirect: 'manual' });
    expect([plain.status, (await plain.json()).error.details.reason]).to.deep.equal([400, 'https']);
    const oauth = await ask(ports.tls, '/.well-known/oauth-protected-resource/mcp', {});
    expect([oauth.status, JSON.parse(oauth.body).error.details.reason]).to.deep.equal([404, 'path']);
  });

  it('sixty requests of one company pass over both processes, the sixty-first does not', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const headers = { Authorization: `Bearer ${secret}` };
    const answers = await Promise.all(Array.from({ length: 80 }, () => ask(ports.tls, '/sandbox/v1/options', headers)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(60);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(20);
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
