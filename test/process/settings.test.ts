import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { portOf } from '../helper/address.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';

type Settings = Record<string, string>;
type Row = readonly [setting: string, env: Settings, more?: RegExp];

describe('settings', function () {
  this.timeout(300_000);
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
    await mkdir(join(folder, 'no-secret/session-secret'), { recursive: true });
  });
  after(() => taken.close());

  const start = (env: Settings): Promise<ServiceProcess> =>
    ServiceProcess.listening({ DATA_DIR: join(folder, 'data'), NODE_ENV: 'production', ...env });

  /** Expects exit code 1 and one line on standard error that names the setting. */
  const checkRow = async ([setting, env, more = /./]: Row): Promise<void> => {
    const service = await start(env);
    if (service.running) service.signal('SIGKILL');
    const said = `${JSON.stringify(env)}: ${service.output}`;
    expect(await service.ended(), said).to.equal(1);
    expect(service.errors.trimEnd().split('\n'), said).to.have.length(1);
    expect(service.errors, said)
      .to.match(new RegExp(`^vaga: .*${setting}`))
      .and.match(more);
  };

  const subnets = ['10.0.0.0/33', '0.0.0.0/0', '2001:db8::/129', '10.0.0.0/8/8', '10.0.0'];
  const proxies = ['foo', '1', 'true', ...subnets, 'loopback, fe80::1%eth0', '127.0.0.1:80', '127.0.0.1\n::2'];
  const values: readonly Row[] = [
    ['PORT', { PORT: '30\n00' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud\nand long' }],
    ['SERVICE_TIMEZONE', { SERVICE_TIMEZONE: 'Lis\nboa' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://api.example.com/?' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://:secret@api.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://a\nb/c' }],
    ['HEADERS_TIMEOUT_SECONDS', { HEADERS_TIMEOUT_SECONDS: '31' }, /REQUEST_TIMEOUT_SECONDS/],
    ['METRICS_PORT', { METRICS_HOST: '127.0.0.1' }],
    ['METRICS_PORT', { METRICS_PORT: '3000', PORT: '' }],
    ['HOST', { HOST: 'no host at all' }],
    ['HOST', { HOST: '192.0.2.77' }],
    ['METRICS_HOST', { METRICS_PORT: '0', METRICS_HOST: '192.0.2.77' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://127.0.0.1:1/vaga' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://%ff@127.0.0.1:1/vaga' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://127.0.0.1:1/vaga?sslmode=verify-full&sslrootcert=/not/there' }],
  ];

  it('a wrong value stops the start with one line that names the setting', async () => {
    for (const row of values) await checkRow(row);
    for (const proxy of proxies) await checkRow(['TRUST_PROXY', { TRUST_PROXY: proxy }]);
  });

  it('so does an unusable file, folder or port', async () => {
    const { certificate, key } = tls;
    const file = join(folder, 'file');
    const rows: readonly Row[] = [
      ['TLS_CERT_FILE', { TLS_CERT_FILE: join(folder, 'missing'), TLS_KEY_FILE: key }, /ENOENT/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate, TLS_KEY_FILE: join(folder, 'missing') }, /ENOENT/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: folder, TLS_KEY_FILE: key }, /EISDIR/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: file, TLS_KEY_FILE: key }, /certificate in PEM/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate, TLS_KEY_FILE: file }, /private key in PEM/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: key, TLS_KEY_FILE: certificate }],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate, TLS_KEY_FILE: otherKey }, /key of the certificate/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE: certificate }],
      ['DATA_DIR', { DATA_DIR: '' }, /DATABASE_URL/],
      ['DATA_DIR', { DATA_DIR: file }],
      ['DATA_DIR', { DATA_DIR: join(file, 'below') }],
      ['DATA_DIR', { DATA_DIR: join(folder, 'no-cluster') }],
      ['DATA_DIR', { DATA_DIR: join(folder, 'x'.repeat(80)) }, /allows at most 85/],
      ['DATA_DIR', { DATA_DIR: join(folder, 'no-secret') }],
      ['PORT', { PORT: port }, /EADDRINUSE/],
      ['METRICS_PORT', { METRICS_PORT: port }, /EADDRINUSE/],
    ];
    for (const row of rows) await checkRow(row);
  });

  it('unusual but valid values start the service', async () => {
    const { certificate, key } = tls;
    for (const env of [
      { TRUST_PROXY: 'loopback, linklocal,uniquelocal , 192.0.2.1, 10.0.0.0/8, ::1, 2001:db8::/32, ::ffff:10.0.0.1' },
      { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key, PUBLIC_URL: 'https://api.example.com:8443/' },
      { REQUEST_TIMEOUT_SECONDS: '5', METRICS_PORT: '0' },
    ]) {
      const service = await start({ ...env });
      expect(service.output).to.include('"listening"');
      expect(await service.stop()).to.equal(0);
    }
  });
});
