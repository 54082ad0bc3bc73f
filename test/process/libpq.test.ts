import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';

type Variables = Readonly<Record<string, string>>;

const run = (env: Variables, ...program: string[]) =>
  spawnSync(process.execPath, [join(packageRoot, 'scripts/deploy/libpq.mjs'), ...program], { env, encoding: 'utf8' });

/** The variables of libpq that a program gets. */
const variablesFor = (DATABASE_URL: string, inherited: Variables = {}) =>
  JSON.parse(run({ ...inherited, DATABASE_URL }, process.execPath, '-p', 'JSON.stringify(process.env)').stdout);

describe('libpq.mjs', () => {
  const local = { PGHOST: '127.0.0.1', PGUSER: 'u', PGDATABASE: 'vaga' };
  for (const [address, expected] of [
    ['postgresql://u@127.0.0.1/vaga', local],
    ['postgresql://u:p@[::1]:5432/vaga', { ...local, PGHOST: '::1', PGPORT: '5432', PGPASSWORD: 'p' }],
    ['postgresql://u:a%27b%5Cc%40d@127.0.0.1/a%20b', { ...local, PGPASSWORD: "a'b\\c@d", PGDATABASE: 'a b' }],
    ['postgres:///vaga?host=/run/postgresql&port=1&user=u', { ...local, PGHOST: '/run/postgresql', PGPORT: '1' }],
    ['postgresql://u:p@/vaga?host=/run/postgresql', { ...local, PGHOST: '/run/postgresql', PGPASSWORD: 'p' }],
    ['postgres://u:p%zz@127.0.0.1/vaga', { ...local, PGPASSWORD: 'p%zz' }],
    ['postgres://u@%2Frun%2Fpostgresql/vaga', { ...local, PGHOST: '/run/postgresql' }],
    ['postgresql:///?dbname=vaga&user=u&host=127.0.0.1', local],
    [
      'postgresql://u@127.0.0.1/vaga?application_name=a&client_encoding=UTF8&channel_binding=require&connect_timeout=9',
      { ...local, PGAPPNAME: 'a', PGCLIENTENCODING: 'UTF8', PGCHANNELBINDING: 'require', PGCONNECT_TIMEOUT: '9' },
    ],
    [
      'postgresql://u@127.0.0.1/vaga?sslmode=verify-full&sslrootcert=/a%2525.pem&target_session_attrs=any&options=-c%20a%3Db',
      {
        ...local,
        PGSSLMODE: 'verify-full',
        PGSSLROOTCERT: '/a%25.pem',
        PGTARGETSESSIONATTRS: 'any',
        PGOPTIONS: '-c a=b',
      },
    ],
  ] as const)
    it(`${address} names the same server to programs of PostgreSQL`, () =>
      expect(variablesFor(address)).to.deep.equal(expected));

  it('the address alone says which database is read, whatever the shell has, which may hold the password', () => {
    const elsewhere = { PGHOST: 'x', PGHOSTADDR: 'x', PGPORT: '1', PGSSLMODE: 'disable', PGOPTIONS: '-c a=b' };
    const others = { PGSERVICE: 'x', PGSERVICEFILE: 'x', PGTARGETSESSIONATTRS: 'x', PGUSER: 'x', PGDATABASE: 'x' };
    const kept = { PGPASSFILE: '/passwords', PGPASSWORD: 'p', PG_COLOR: 'always', LANG: 'C' };
    expect(variablesFor('postgresql://u@127.0.0.1/vaga', { ...elsewhere, ...others, ...kept })).to.deep.equal({
      ...local,
      ...kept,
    });
  });

  it('what cannot be used ends with one line, without the password', () => {
    for (const [env, said, program = 'true'] of [
      ...['u:hunter2@h:x/v', 'u:hunter2%ff@h/v', 'u:hunter2#@h/v', 'u:hunter2@h:1,i:1/v'].map(
        (rest) => [{ DATABASE_URL: `postgresql://${rest}` }, 'DATABASE_URL must be a postgresql:// address'] as const,
      ),
      [{ DATABASE_URL: 'u:hunter2@h/v' }, 'DATABASE_URL must be a postgresql:// address'],
      [{ DATABASE_URL_FILE: '/none' }, 'DATABASE_URL_FILE cannot be read: ENOENT'],
      [{}, 'set DATABASE_URL or DATABASE_URL_FILE'],
      [{ DATABASE_URL: 'postgresql://u:hunter2@h/v' }, 'spawnSync /none ENOENT', '/none'],
    ] as [Variables, string, string?][]) {
      const { status, stderr } = run(env, program);
      expect(status, stderr).to.equal(1);
      expect(stderr)
        .to.match(/^libpq\.mjs: (?!.*hunter2).*\n$/)
        .and.include(said);
    }
  });
});
