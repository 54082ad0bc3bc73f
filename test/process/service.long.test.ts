import { execFile, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { connectionTo } from '../../src/database/embedded.ts';
import { isLocked, socketFolderIn } from '../../src/database/embedded-lock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { freePort } from '../helper/free-port.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { patienceMs } from '../helper/test-database.ts';
import { immediately, until } from '../helper/times.ts';

const run = promisify(execFile);
const secretOf = (output: string, environment: string): string =>
  new RegExp(`${environment} +(vaga_\\S+)`).exec(output)?.[1] ?? '';

const messagesIn = (output: string): string[] => [...output.matchAll(/"msg":"([^"]+)"/g)].map(([, text = '']) => text);

const bearer = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });

describe('the service process', () => {
  let folder: string;
  let running: ServiceProcess | undefined;
  beforeEach(() => {
    folder = ownFolder();
  });
  afterEach(async () => {
    running?.signal('SIGKILL');
    await running?.ended();
    running = undefined;
  });

  const start = async (until?: string, env: Record<string, string> = {}): Promise<ServiceProcess> => {
    running = await ServiceProcess.start({ DATA_DIR: folder, ...env }, until);
    return running;
  };

  it('SIGTERM at any moment of a first start ends it silently, and the next start completes', async () => {
    const codes: unknown[] = [];
    // The stages of a start: the folder, the lock, the cluster, the socket, the open port, and then the demo in the making.
    const files = ['.', 'lock', 'pg/PG_VERSION', 'run/.s.PGSQL.5432'];
    const moments = files.map((file) => () => existsSync(join(folder, 'data', file)));
    const spoken = ['"listening"', 'A demo company'];
    for (const reached of [...moments, ...spoken.map((words) => () => running?.output.includes(words) ?? false)]) {
      folder = ownFolder();
      const child = ServiceProcess.begin({ DATA_DIR: join(folder, 'data') });
      running = child;
      await until(() => reached() || !child.running || child.output.includes('A demo company'));
      codes.push(await child.stop());
      expect(child.errors).to.equal('');
      expect(codes.at(-1)).to.be.oneOf([0, 'SIGTERM']);
    }
    // The last one has printed its secrets.
    const live = secretOf(running?.output ?? '', 'production');
    const next = await start(undefined, { DATA_DIR: join(folder, 'data') });
    expect((await fetch(`${next.address}/v1/account`, bearer(live))).status).to.equal(200);
  });

  it('a stop that begins before the port is open never opens it', async () => {
    const early = join(folder, 'early.cjs');
    const stop = "name === 'SIGTERM' && setImmediate(() => process.kill(process.pid, name))";
    writeFileSync(early, `process.on('newListener', (name) => ${stop});`);
    const child = ServiceProcess.begin({ DATA_DIR: join(folder, 'data'), NODE_OPTIONS: `--require ${early}` });
    running = child;
    expect(await child.ended()).to.equal(0);
    expect(messagesIn(child.output)).to.deep.equal(['stopping', 'stopped']);
    expect(child.errors).to.equal('');
  });

  it('a closed terminal stops it, so that the next start finds its folder free', async () => {
    const { PATH = '' } = process.env;
    const env = { PATH, PORT: '0', DATA_DIR: folder };
    const program = `exec ${process.execPath} ${join(packageRoot, 'dist/src/main.js')}`;
    const terminal = spawn('script', ['-qfc', program, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    for await (const chunk of terminal.stdout) if (String(chunk).includes('API reference')) break;
    terminal.kill('SIGKILL');
    await until(async () => !(await isLocked(folder)));
    expect((await start()).address).to.match(/^http/);
  });

  it('after a kill there is no demo company whose secrets were not printed', async () => {
    const first = await start();
    // The only backend belongs to the demo's transaction until its commit, which takes a while on a busy machine.
    const patience = { connectTimeoutMs: patienceMs, statementTimeoutMs: patienceMs };
    const { db, close } = await openDatabase({ dataDir: folder, join: true, ...patience });
    while ((await db.company.count()) === 0);
    first.signal('SIGKILL');
    await Promise.all([first.ended(), close()]);
    const { address } = await start();
    const { status } = await fetch(`${address}/v1/account`, bearer(secretOf(first.output, 'production')));
    expect(status).to.equal(200);
  });

  it('production creates no demo company; its public documents survive a lack of file descriptors', async () => {
    const service = await start(undefined, { NODE_ENV: 'production' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusOf = async (path: string): Promise<number | undefined> => {
      const sent = get(service.address + path, { agent, headers: { Accept: 'text/html' } });
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return response.statusCode;
    };
    // The sanitizer's threads need files to begin.
    while ((await (await fetch(`${service.address}/readyz`)).json()).missing) await immediately();
    expect(await statusOf('/healthz')).to.equal(200);
    // What a first sign-in needs is loaded: Node would keep the failure to load it until a restart.
    expect(readFileSync(`/proc/${service.pid}/maps`, 'utf8')).to.include('argon2');
    const open = readdirSync(`/proc/${service.pid}/fd`).length;
    // Below what is open: what a connection's end frees cannot be opened again.
    await run('prlimit', ['--pid', String(service.pid), '--nofile=1:']);
    const documents =
      '/ /docs /docs/reference.json /openapi.yaml /openapi.json /llms.txt /favicon.ico /mcp/server-card';
    for (const path of documents.split(' ')) expect(await statusOf(path), path).to.equal(200);
    // A page may need one more connection to the database.
    expect(await statusOf('/dashboard/sign-in')).to.be.oneOf([200, 503]);
    await run('prlimit', ['--pid', String(service.pid), `--nofile=${open + 100}:`]);
    expect(await statusOf('/dashboard/sign-in')).to.equal(200);
    agent.destroy();
    service.signal('SIGINT');
    expect(await service.ended()).to.equal(0);
    expect(service.output).to.not.include('vaga_');
  });
});

describe('the first start of the service, and the second on the same data', () => {
  const folder = ownFolder();
  let first: ServiceProcess;
  /** What the curl lines print that the first start printed. */
  let printedByCurl: string[];
  let service: ServiceProcess;
  const statusWithLive = async ({ address }: ServiceProcess) =>
    (await fetch(`${address}/v1/account`, bearer(secretOf(first.output, 'production')))).status;
  const query = async (statement: string) => {
    const client = new pg.Client(connectionTo(socketFolderIn(folder)));
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };

  before(async () => {
    first = await ServiceProcess.start({ DATA_DIR: folder }, 'system"}\'\n');
    const lines = first.output.split('\n').filter((line) => line.startsWith('curl '));
    printedByCurl = (await Promise.all(lines.map((line) => run('sh', ['-c', line])))).map(({ stdout }) => stdout);
    expect(await statusWithLive(first)).to.equal(200);
    await query(`INSERT INTO request_log (company_id, environment, at, request_id, protocol, status, credential_id, latency_ms)
      SELECT 1, 'sandbox', now() - days * interval '1 day', days, 'rest', 200, 1, 1 FROM generate_series(6, 8) AS days`);
    expect(await first.stop()).to.equal(0);
    service = await ServiceProcess.listening({ DATA_DIR: folder });
  });

  it('deletes what its request log no longer keeps, also without a request', async () => {
    const left = `SELECT request_id FROM request_log WHERE at < now() - interval '5 days' ORDER BY request_id`;
    await until(async () => (await query(left)).length < 3);
    expect(await query(left)).to.deep.equal([{ request_id: '6' }]);
  });

  it('the first prints two credentials once and curl lines that work; the second prints none and keeps the data', async () => {
    expect(first.output).to.match(
      /^export TOKEN=vaga_test_\S+\nexport API=\S+\/sandbox\/v1\nexport MCP=\S+\/sandbox\/mcp$/m,
    );
    expect(printedByCurl).to.have.length(2);
    const [account = '', create] = printedByCurl;
    expect(JSON.parse(account).data.plan).to.equal('Pro');
    expect(create).to.match(/^HTTP\/1\.1 201 [\s\S]*Location: \/sandbox\/v1\/jobs\/1\s/);
    expect(service.output).to.not.include('vaga_');
    expect(await statusWithLive(service)).to.equal(200);
  });

  it('SIGTERM, even repeated, lets a request in flight finish and then ends with 0; no credential was logged', async () => {
    const { hostname, port } = new URL(service.address);
    const secret = secretOf(first.output, 'sandbox');
    const printed = service.output.length;
    for (const path of [`/sandbox/v1/jobs/${secret}?token=${secret}`, `/sandbox/v1/jobs?page=${secret}`, '/v1/account'])
      await fetch(service.address + path, bearer(secret));
    const body = JSON.stringify(minimalJob);
    const head = [
      'POST /sandbox/v1/jobs HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${secret}`,
      'Idempotency-Key: in-flight',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
    ];
    const idle = connect(Number(port), hostname);
    const askOnIdle = async () => {
      idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      return String(await once(idle, 'data'));
    };
    expect(await askOnIdle()).to.include('Connection: keep-alive');
    const socket = connect(Number(port), hostname);
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(String(await once(socket, 'data'))).to.include('100 Continue');
    // The request has arrived: from here on it is in flight.
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) service.signal(signal);
    await until(() => service.output.includes('"stopping"'));
    expect(await askOnIdle())
      .to.include('HTTP/1.1 200 OK')
      .and.include('Connection: close');
    socket.write(body);
    expect(await text(socket))
      .to.include('HTTP/1.1 201 Created')
      .and.include('Connection: close');
    expect(await service.ended()).to.equal(0);
    const logged = service.output.slice(printed);
    for (const said of ['"status":404', '"status":422', '"status":401', '"msg":"stopped"'])
      expect(logged).to.include(said);
    expect(logged).to.not.include(secret.slice(10, 40));
  });
});

it('SIGHUP reloads the certificate; an unusable one is ignored', async () => {
  const [folder, { certificate, key }] = [ownFolder(), makeCertificate(ownFolder())];
  const settings = { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key, DATA_DIR: folder, NODE_ENV: 'production' };
  const service = await ServiceProcess.listening(settings);
  const served = async (): Promise<string> => {
    const socket = connectTls({ port: Number(new URL(service.address).port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 = '' } = socket.getPeerX509Certificate() ?? {};
    socket.destroy();
    return fingerprint256;
  };
  const hangUp = async (said: string) => {
    service.signal('SIGHUP');
    await until(() => service.output.includes(said));
  };
  try {
    const before = await served();
    const other = makeCertificate(folder, 'localhost', 'other');
    copyFileSync(other.certificate, certificate);
    await hangUp('the certificate could not be read again');
    expect(await served()).to.equal(before);
    copyFileSync(other.key, key);
    await hangUp('the certificate is read again');
    expect(await served())
      .to.equal(new X509Certificate(readFileSync(certificate)).fingerprint256)
      .and.not.equal(before);
    expect(await service.stop()).to.equal(0);
  } finally {
    service.signal('SIGKILL');
  }
});

/** Every write to it fails with ENOSPC. */
const fullDisk = '/dev/full';

it('an unwritable log does not stop the service from answering or from shutting down', async function () {
  if (!existsSync(fullDisk)) return this.skip();
  const [port, log] = [await freePort(), openSync(fullDisk, 'w')];
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [join(packageRoot, 'dist/src/main.js')], {
    env: { PATH, PORT: String(port), DATA_DIR: ownFolder(), NODE_ENV: 'production' },
    stdio: ['ignore', log, 'pipe'],
  });
  const said = text(child.stderr as Readable);
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  try {
    while (child.exitCode === null && (await ask('/readyz').catch(() => 0)) !== 200) await sleep(20);
    for (let n = 0; n < 20; n++) expect(await ask('/v1/account')).to.equal(401);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
    expect(await said).to.equal('vaga: the log cannot be written (ENOSPC); lines are lost until it can\n');
  } finally {
    child.kill('SIGKILL');
    closeSync(log);
  }
});

it('a stop ends while the reader of its log hangs, and loses no line to one that reads again', async () => {
  const { PATH = '' } = process.env;
  const line = /"status":401/g;
  for (const readsAgain of [true, false]) {
    const [folder, port] = [ownFolder(), await freePort()];
    const pipe = join(folder, 'pipe');
    await run('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const log = openSync(pipe, 'w');
    const env = { PATH, PORT: String(port), DATA_DIR: join(folder, 'data'), NODE_ENV: 'production' };
    const child = spawn(process.execPath, [join(packageRoot, 'dist/src/main.js')], {
      env,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => 0,
      );
    const ended = once(child, 'exit');
    try {
      await until(async () => child.exitCode !== null || (await ask('/readyz')) === 200);
      // More lines than the pipe has room for.
      for (let n = 0; n < 600; n++) expect(await ask('/v1/account')).to.equal(401);
      child.kill('SIGTERM');
      await until(async () => (await ask('/healthz')) === 0);
      const lines = readsAgain ? await text(new Socket({ fd: reader, readable: true, writable: false })) : '';
      expect(await ended).to.deep.equal([0, null]);
      if (!readsAgain) closeSync(reader);
      else
        expect(lines.match(line))
          .to.have.length(600)
          .and.satisfy(() => lines.endsWith('"msg":"stopped"}\n'));
    } finally {
      child.kill('SIGKILL');
    }
  }
});
