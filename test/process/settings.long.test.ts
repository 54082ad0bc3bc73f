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

describe('settings, when the service starts', () => {
  let folder: string;
  let taken: Server;
  let port: string;
  let tls: { certificate: string; key: string };

  before(async () => {
    folder = ownFolder();
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = String(portOf(taken));
    tls = makeCertificate(folder);
    await writeFile(join(folder, 'file'), 'no certificate');
    await mkdir(join(folder, 'no-cluster'));
    await writeFile(join(folder, 'no-cluster/pg'), '');
  });
  after(() => taken.close());

  const start = (env: Settings): Promise<ServiceProcess> =>
    ServiceProcess.start({ DATA_DIR: join(folder, 'data'), NODE_ENV: 'production', ...env });

  it('an unusable address, folder or port is refused with one line that names the setting', async () => {
    const file = join(folder, 'file');
    const noServer = 'postgres://127.0.0.1:1/vaga';
    const rows: readonly Row[] = [
      ['HOST', { HOST: 'no host at all' }],
      ['HOST', { HOST: '192.0.2.77' }],
      ['METRICS_HOST', { METRICS_PORT: '0', METRICS_HOST: '192.0.2.77' }],
      ['DATABASE_URL', { DATABASE_URL: noServer }],
      ['DATABASE_URL', { DATABASE_URL: `${noServer}?sslmode=verify-full&sslrootcert=/not/there` }],
      // The driver throws inside a promise that it never settles.
      ['DATABASE_URL', { DATABASE_URL: 'postgres://127.0.0.1/vaga', PGPORT: 'abc' }, /ended too early/],
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
