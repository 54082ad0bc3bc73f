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
  const publicUrls = ['https://api.example.com/?', 'https://:secret@api.example.com', 'https://a\nb/c'];
  /** Wrong by themselves, whatever the other settings are. */
  const wrong: readonly (readonly [setting: string, ...values: string[]])[] = [
    ['PORT', '65536', 'http', '30\n00'],
    ['REQUESTS_PER_MINUTE', '0'],
    ['IP_REQUESTS_PER_MINUTE', '-1'],
    ['SERVICE_TIMEZONE', 'Lisboa', '+01:00', 'Lis\nboa', 'WET', 'cet'],
    ['LOG_LEVEL', 'loud', 'loud\nand long'],
    ['PUBLIC_URL', 'api.example.com', 'https://a,https://b', ...publicUrls],
    ['TRUST_PROXY', 'foo', '1', 'true', ...subnets, 'loopback, fe80::1%eth0', '127.0.0.1:80', '127.0.0.1\n::2'],
    ['DATABASE_CONNECT_TIMEOUT_MS', '1'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '99'],
    ['DATABASE_TRANSACTION_TIMEOUT_MS', '1'],
    ['SUPPORT_CONTACT', 'ask Ana', 'http://example.com', 'https://ana:x@example.com', 'a@b', '12'],
    ['SERVER_NAME', 'vaga', 'com.example/vaga/more', '127.0.0.1/vaga', `com.example/${'x'.repeat(200)}`],
    ['DATABASE_URL', 'mysql://root@localhost/x', 'postgres://localhost/x?statement_timeout=0'],
    ['DATABASE_URL', 'postgres://h/x?port=abc', 'postgres://h/x?port=99999', 'postgres://h/x?sslmode=nonsense'],
    ['DATABASE_URL', 'postgres://u:p%ff@h/x', 'postgres://%ff@h/x', 'postgres://u:12#x@h/x'],
    ['DATABASE_URL', 'postgres://h1:1,h2:1/x', 'postgres://h1,h2/x'],
    ['DATABASE_URL_FILE', 'two\nlines'],
    ['TLS_CERT_FILE', 'cert.pem'],
    ['DRAIN_SECONDS', '1.5'],
    ['SESSION_SECRET', 'too short'],
  ];

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
      ...wrong.flatMap(([name, ...values]) => values.map((value): Row => [name, { [name]: value }])),
      ['HEADERS_TIMEOUT_SECONDS', { HEADERS_TIMEOUT_SECONDS: '31' }, /REQUEST_TIMEOUT_SECONDS/],
      ['METRICS_PORT', { METRICS_HOST: '127.0.0.1' }],
      ['METRICS_PORT', { METRICS_PORT: '3000', PORT: '' }],
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
