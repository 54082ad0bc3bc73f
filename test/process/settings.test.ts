import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig } from '../../src/config.ts';
import { readTlsFiles } from '../../src/server/tls-files.ts';
import { portOf } from '../helper/address.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';

type Settings = Record<string, string>;
type Row = readonly [setting: string, env: Settings, more?: RegExp];

describe('settings', () => {
  let folder: string;
  let taken: Server;
  let port: string;
  let tls: { certificate: string; key: string };
  let otherKey: string;

  before(async () => {
    folder = ownFolder();
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = String(portOf(taken));
    tls = makeCertificate(folder);
    otherKey = makeCertificate(folder, 'localhost', 'other').key;
    await writeFile(join(folder, 'file'), 'no certificate');
    await mkdir(join(folder, 'no-cluster'));
    await writeFile(join(folder, 'no-cluster/pg'), '');
  });
  after(() => taken.close());

  const start = (env: Settings): Promise<ServiceProcess> =>
    ServiceProcess.start({ DATA_DIR: join(folder, 'data'), NODE_ENV: 'production', ...env });

  /** Reads the settings and the files that they name, as a start does before it opens anything. */
  const read = (env: Settings): void => {
    const { tls } = readConfig({ DATA_DIR: folder, NODE_ENV: 'production', ...env });
    if (tls) readTlsFiles(tls);
  };

  const subnets = ['10.0.0.0/33', '0.0.0.0/0', '2001:db8::/129', '10.0.0.0/8/8', '10.0.0'];
  const proxies = ['foo', '1', 'true', ...subnets, 'loopback, fe80::1%eth0', '127.0.0.1:80', '127.0.0.1\n::2'];

  it('a wrong value is refused with one line that names the setting', () => {
    const { certificate, key } = tls;
    const file = join(folder, 'file');
    const missing = join(folder, 'missing');
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const rows: readonly Row[] = [
      ['PORT', { PORT: '30\n00' }],
      ['LOG_LEVEL', { LOG_LEVEL: 'loud\nand long' }],
      ['SERVICE_TIMEZONE', { SERVICE_TIMEZONE: 'Lis\nboa' }],
      ['PUBLIC_URL', { PUBLIC_URL: 'https://api.example.com/?' }],
      ['PUBLIC_URL', { PUBLIC_URL: 'https://:secret@api.example.com' }],
      ['PUBLIC_URL', { PUBLIC_URL: 'https://a\nb/c' }],
      ['HEADERS_TIMEOUT_SECONDS', { HEADERS_TIMEOUT_SECONDS: '31' }, /REQUEST_TIMEOUT_SECONDS/],
      ['METRICS_PORT', { METRICS_HOST: '127.0.0.1' }],
      ['METRICS_PORT', { METRICS_PORT: '3000', PORT: '' }],
      ...proxies.map((TRUST_PROXY): Row => ['TRUST_PROXY', { TRUST_PROXY }]),
      ['TLS_CERT_FILE', { TLS_CERT_FILE: missing, TLS_KEY_FILE: key }, /ENOENT/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate, TLS_KEY_FILE: missing }, /ENOENT/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: folder, TLS_KEY_FILE: key }, /EISDIR/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: pipe, TLS_KEY_FILE: key }, /is a pipe or a device, not a file$/],
      ['SESSION_SECRET_FILE', { SESSION_SECRET_FILE: pipe }, /is a pipe or a device, not a file$/],
      ['DATABASE_URL_FILE', { DATABASE_URL_FILE: pipe }, /is a pipe or a device, not a file$/],
      ['SESSION_SECRET_FILE', { SESSION_SECRET_FILE: folder }, /EISDIR/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: file, TLS_KEY_FILE: key }, /certificate in PEM/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate, TLS_KEY_FILE: file }, /private key in PEM/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: key, TLS_KEY_FILE: certificate }],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate, TLS_KEY_FILE: otherKey }, /key of the certificate/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate }],
      ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/8, 0.0.0.0/0' }, /"0.0.0.0\/0" would trust everybody$/],
      ['DATA_DIR', { DATA_DIR: '' }, /DATABASE_URL/],
    ];
    for (const [setting, env, more = /./] of rows)
      expect(() => read(env), JSON.stringify(env))
        .to.throw(ConfigError, new RegExp(`^.*${setting}.*$`))
        .with.property('message')
        .that.matches(more);
  });

  it('an unusable address, folder or port is refused in the same way when the service starts', async () => {
    const file = join(folder, 'file');
    const noServer = 'postgres://127.0.0.1:1/vaga';
    const rows: readonly Row[] = [
      ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
      ['HOST', { HOST: 'no host at all' }],
      ['HOST', { HOST: '192.0.2.77' }],
      ['METRICS_HOST', { METRICS_PORT: '0', METRICS_HOST: '192.0.2.77' }],
      ['DATABASE_URL', { DATABASE_URL: noServer }],
      ['DATABASE_URL', { DATABASE_URL: 'postgres://%ff@127.0.0.1:1/vaga' }],
      ['DATABASE_URL', { DATABASE_URL: `${noServer}?sslmode=verify-full&sslrootcert=/not/there` }],
      ['DATA_DIR', { DATA_DIR: file }],
      ['DATA_DIR', { DATA_DIR: join(file, 'below') }],
      ['DATA_DIR', { DATA_DIR: join(folder, 'no-cluster') }],
      ['DATA_DIR', { DATA_DIR: join(folder, 'x'.repeat(80)) }, /allows at most 85/],
      ['PORT', { PORT: port }, /EADDRINUSE/],
      ['METRICS_PORT', { METRICS_PORT: port }, /EADDRINUSE/],
    ];
    for (const [setting, env, more = /./] of rows) {
      const service = await start(env);
      if (service.running) service.signal('SIGKILL');
      expect(await service.ended(), `${JSON.stringify(env)}: ${service.output}`).to.equal(1);
      expect(service.errors.trimEnd(), service.errors)
        .to.match(new RegExp(`^vaga: .*${setting}.*$`))
        .and.match(more);
    }
  });

  it('unusual but valid values start the service', async () => {
    const service = await start({
      TRUST_PROXY: 'loopback, linklocal,uniquelocal , 192.0.2.1, 10.0.0.0/8, ::1, 2001:db8::/32, ::ffff:10.0.0.1',
      TLS_CERT_FILE: tls.certificate,
      TLS_KEY_FILE: tls.key,
      PUBLIC_URL: 'https://api.example.com:8443/',
      REQUEST_TIMEOUT_SECONDS: '5',
      METRICS_PORT: '0',
    });
    expect(service.output).to.include('"listening"').and.include('the certificate expires soon');
    expect(await service.stop()).to.equal(0);
  });

  it('a certificate that has ended is served, and the log says so', async () => {
    const { certificate, key } = makeCertificate(folder, 'localhost', 'ended', -1);
    const service = await start({ TLS_CERT_FILE: certificate, TLS_KEY_FILE: key });
    expect(service.output).to.include('"listening"').and.include('the certificate has expired');
    expect(await service.stop()).to.equal(0);
  });
});
