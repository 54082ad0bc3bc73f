import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { ConfigError, readConfig, settingNames } from '../../src/config.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { withoutSecrets } from '../../src/domain/token.ts';
import { ownFolder } from '../helper/own-folder.ts';

describe('readConfig', () => {
  const folder = ownFolder();
  const file = (text: string, name = 'secret'): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('an empty environment gives the documented defaults', () => {
    const { dataDir, ...others } = readConfig({});
    const network = { host: '127.0.0.1', port: 3000, publicUrl: '' };
    expect(others).to.include({ ...network, requestsPerMinute: 60, timeZone: 'Europe/Lisbon' });
    expect(dataDir).to.match(/[\\/]data$/);
  });

  it('production needs a database, by an address or a folder', () => {
    const NODE_ENV = 'production';
    expect(() => readConfig({ NODE_ENV, DATA_DIR: '' })).to.throw(ConfigError, /^.* DATABASE_URL, or DATA_DIR .*$/);
    for (const named of [{ DATA_DIR: './data' }, { DATABASE_URL_FILE: file('postgres://db/vaga') }])
      expect(readConfig({ NODE_ENV, ...named }).isProduction).to.equal(true);
  });

  it('the reference of the operator’s guide lists every setting, and no other', () => {
    const reference = readFileSync(join(packageRoot, 'scripts/deploy/reference.md'), 'utf8');
    const [, settings = ''] = /^## Settings$(.*?)^## /ms.exec(reference) ?? [];
    const listed = [...settings.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, name]) => name);
    expect([...settingNames()]).to.have.members([...new Set(listed)]);
  });

  it('the public address is as a URL parser writes it, without a trailing slash', () => {
    for (const text of ['https:api.example.com', 'https:/api.example.com//', 'https:\\\\API.example.com:443'])
      expect(readConfig({ PUBLIC_URL: text }).publicUrl, text).to.equal('https://api.example.com');
    expect(readConfig({ PUBLIC_URL: 'https://example.com/vaga/' }).publicUrl).to.equal('https://example.com/vaga');
  });

  it('a secret may be in a file of its own, with or without a line end', () => {
    const [databaseUrl, sessionSecret] = ['postgres://vaga:x@db/vaga', 's'.repeat(32)];
    for (const end of ['', '\n', '\r\n']) {
      const config = readConfig({
        DATABASE_URL_FILE: file(databaseUrl + end, 'database'),
        SESSION_SECRET_FILE: file(sessionSecret + end, 'session'),
      });
      expect(config).to.include({ databaseUrl, sessionSecret });
    }
  });

  it('an address may name a Unix socket as a parameter, with a role before no host', () => {
    const { databaseUrl } = readConfig({ DATABASE_URL: 'postgresql://u:p%40q@/vaga?host=/run/postgresql' });
    expect(new pg.Client(databaseUrl)).to.include({
      host: '/run/postgresql',
      user: 'u',
      password: 'p@q',
      database: 'vaga',
    });
  });

  it('a secret in a file is refused like one in a variable; neither is repeated', () => {
    const rows: [env: Record<string, string>, named: string][] = [
      [{ DATABASE_URL: 'mysql://root:hunter2@localhost/x' }, 'DATABASE_URL'],
      [{ DATABASE_URL_FILE: file('mysql://root:hunter2@db/x', 'mysql') }, 'DATABASE_URL'],
      [{ SESSION_SECRET_FILE: file('hunter2', 'short') }, 'SESSION_SECRET'],
      [{ SESSION_SECRET_FILE: file('\n', 'empty') }, 'SESSION_SECRET_FILE'],
      ...[
        '\ufeffpostgres://u:hunter2@h/v',
        ' postgres://u:hunter2@h/v',
        '"postgres://u:hunter2@h/v"',
        'postgres://u:hunter2@h/v\n\n',
      ].map((text, n): [Record<string, string>, string] => [
        { DATABASE_URL_FILE: file(text, `${n}`) },
        'DATABASE_URL_FILE must name a file of one line,',
      ]),
      [{ SESSION_SECRET_FILE: join(folder, 'nothing') }, 'SESSION_SECRET_FILE'],
      [{ DATABASE_URL_FILE: folder }, 'DATABASE_URL_FILE'],
      [{ SESSION_SECRET: 'hunter2'.repeat(9), SESSION_SECRET_FILE: file('x') }, 'SESSION_SECRET_FILE'],
    ];
    for (const [env, named] of rows)
      expect(() => readConfig(env)).to.throw(ConfigError, new RegExp(`^${named} (?!.*hunter2).*$`));
  });
});

it('withoutSecrets removes credentials from text, even if a library changed their case', () => {
  const removed = 'GET /v1/jobs/vaga_live_[removed]?x vaga_test_[removed] "vaga_TEST_[removed]"';
  expect(withoutSecrets('GET /v1/jobs/vaga_live_1_abc?x vaga_test_9zZ "VAGA_TEST_1_ABC"')).to.equal(removed);
});
