import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const run = promisify(execFile);
const secretOf = (output: string, environment: string): string =>
  new RegExp(`${environment} +(vaga_\\S+)`).exec(output)?.[1] ?? '';

describe('the service process', function () {
  this.timeout(120_000);
  let folder: string;
  let running: ServiceProcess | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-service-'));
  });
  afterEach(async () => {
    running?.signal('SIGKILL');
    await running?.ended();
    running = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (until: string, env: Record<string, string> = {}): Promise<ServiceProcess> => {
    running = await ServiceProcess.start({ DATA_DIR: folder, ...env }, until);
    return running;
  };

  it('the first start prints two credentials once and curl lines that work; the second prints none and keeps the data', async () => {
    const first = await start('system"}\'\n');
    const lines = first.output.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).to.have.length(2);
    expect(first.output).to.match(
      /^export TOKEN=vaga_test_\S+\nexport API=\S+\/sandbox\/v1\nexport MCP=\S+\/sandbox\/mcp$/m,
    );
    const [account, create] = await Promise.all(lines.map((line) => run('sh', ['-c', line])));
    expect(JSON.parse(account?.stdout ?? '').data.plan).to.equal('Pro');
    expect(create?.stdout)
      .to.match(/^HTTP\/1\.1 201 /)
      .and.include('Location: /sandbox/v1/jobs/1')
      .and.include('"title":"Eletricista"')
      .and.include('"category_id":303');
    const live = secretOf(first.output, 'production');
    const call = (at: string) => fetch(`${at}/v1/account`, { headers: { Authorization: `Bearer ${live}` } });
    expect((await call(first.address)).status).to.equal(200);
    first.signal('SIGTERM');
    expect(await first.ended()).to.equal(0);
    const second = await start('listening');
    expect(second.output).to.not.include('vaga_');
    expect((await call(second.address)).status).to.equal(200);
  });

  it('public documents need no file, so a moment without file descriptors does not break them', async () => {
    const service = await start('listening');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusOf = async (path: string): Promise<number | undefined> => {
      const sent = get(service.address + path, { agent, headers: { Accept: 'text/html' } });
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return response.statusCode;
    };
    expect(await statusOf('/healthz')).to.equal(200);
    const open = readdirSync(`/proc/${service.pid}/fd`).length;
    await run('prlimit', ['--pid', String(service.pid), `--nofile=${open}:`]);
    const documents =
      '/ /docs /docs/reference.json /openapi.yaml /openapi.json /llms.txt /favicon.ico /mcp/server-card';
    for (const path of documents.split(' ')) expect(await statusOf(path), path).to.equal(200);
    // A page may need one more connection to the database.
    expect(await statusOf('/dashboard/sign-in')).to.be.oneOf([200, 503]);
    await run('prlimit', ['--pid', String(service.pid), `--nofile=${open + 100}:`]);
    expect(await statusOf('/dashboard/sign-in')).to.equal(200);
    agent.destroy();
  });

  it('production creates no demo company', async () => {
    const service = await start('listening', { NODE_ENV: 'production' });
    service.signal('SIGINT');
    expect(await service.ended()).to.equal(0);
    expect(service.output).to.not.include('vaga_');
  });

  it('SIGTERM, even repeated, lets a request in flight finish and then ends with 0', async () => {
    const service = await start('system"}\'\n');
    const { hostname, port } = new URL(service.address);
    const body = JSON.stringify(minimalJob);
    const head = [
      'POST /sandbox/v1/jobs HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${secretOf(service.output, 'sandbox')}`,
      'Idempotency-Key: in-flight',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
    ];
    const socket = connect(Number(port), hostname);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      let sent = false;
      socket.on('data', (chunk) => {
        text += chunk;
        if (sent || !text.includes('100 Continue')) return;
        sent = true;
        // The request has arrived: from here on it is in flight.
        service.signal('SIGTERM');
        service.signal('SIGTERM');
        service.signal('SIGINT');
        socket.write(body);
      });
      socket.on('close', () => resolve(text));
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(await answer).to.include('HTTP/1.1 201 Created');
    expect(await service.ended()).to.equal(0);
    expect(service.output).to.include('"msg":"stopped"');
  });

  it('no credential is ever logged', async () => {
    const service = await start('system"}\'\n');
    const secret = secretOf(service.output, 'sandbox');
    const printed = service.output.length;
    const headers = { Authorization: `Bearer ${secret}` };
    await fetch(`${service.address}/sandbox/v1/jobs/${secret}?token=${secret}`, { headers });
    await fetch(`${service.address}/sandbox/v1/jobs?page=${secret}`, { headers });
    await fetch(`${service.address}/v1/account`, { headers });
    service.signal('SIGTERM');
    await service.ended();
    const logged = service.output.slice(printed);
    expect(logged).to.include('"status":404').and.include('"status":422').and.include('"status":401');
    expect(logged).to.not.include(secret.slice(10, 40));
  });
});
