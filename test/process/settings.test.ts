import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig } from '../../src/config.ts';
import { readTlsFiles } from '../../src/server/tls-files.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { ownFolder } from '../helper/own-folder.ts';

type Settings = Record<string, string>;
type Row = readonly [setting: string, env: Settings, more?: RegExp];

describe('settings', () => {
  const folder = ownFolder();

  /** Reads the settings and the files that they name, as a start does before it opens anything. */
  const read = (env: Settings): void => {
    const { tls } = readConfig({ DATA_DIR: folder, NODE_ENV: 'production', ...env });
    if (tls) readTlsFiles(tls);
  };

  const subnets = ['10.0.0.0/33', '0.0.0.0/0', '2001:db8::/129', '10.0.0.0/8/8', '10.0.0'];
  const proxies = ['foo', '1', 'true', ...subnets, 'loopback, fe80::1%eth0', '127.0.0.1:80', '127.0.0.1\n::2'];

  const paths = 'DATA_DIR BACKUP_FILE DATABASE_URL_FILE SESSION_SECRET_FILE TLS_CERT_FILE TLS_KEY_FILE'.split(' ');

  it('a wrong value is refused with one line that names the setting', () => {
    const { certificate, key } = makeCertificate(folder);
    const otherKey = makeCertificate(folder, 'localhost', 'other').key;
    const file = join(folder, 'file');
    writeFileSync(file, 'no certificate');
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
      ...paths.flatMap((name) =>
        [`"${file}"`, `'${file}'`, `${file}\r`, `${file} `, ` ${file}`, `${folder}/a\nb`].map(
          (text): Row => [name, { [name]: text }, /must be a path without quotes or white space around it/],
        ),
      ),
    ];
    for (const [setting, env, more = /./] of rows)
      expect(() => read(env), JSON.stringify(env))
        .to.throw(ConfigError, new RegExp(`^.*${setting}.*$`))
        .with.property('message')
        .that.matches(more);
  });
});
