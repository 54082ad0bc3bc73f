import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { freePort } from '../helper/free-port.ts';
import { guideCommands, ofThisRelease } from '../helper/guide.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { onServer } from '../helper/test-database.ts';

const run = promisify(execFile);
const outcomeOf = (running: Promise<{ stdout: string }>) =>
  running.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stderr + stdout }),
  );

/** A cluster of Debian's package: people of this machine sign in as themselves, everybody else with a password. */
describe('the deploy guide on a PostgreSQL as Debian makes it', () => {
  const name = `vaga-${process.pid}`;
  const secrets = ownFolder();
  let version = '';
  let port = 0;
  before(async function () {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/pg_createcluster')) return this.skip();
    version = readdirSync('/usr/lib/postgresql').sort().at(-1) ?? '';
    port = await freePort();
    await run('pg_createcluster', [version, name, '--port', String(port)]);
    // The server must not inherit our pipes: it outlives the command.
    await run('sh', ['-c', `pg_ctlcluster ${version} ${name} start </dev/null >/dev/null 2>&1`]);
  });
  after(async () => {
    if (version) await run('pg_dropcluster', ['--stop', version, name]);
  });

  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH ?? '',
    PGPORT: String(port),
    SECRETS: secrets,
    ...more,
  });
  const makeRoles = (more?: Record<string, string>) =>
    outcomeOf(run('sh', ['-c', guideCommands('make-roles.sh')], { cwd: packageRoot, env: environment(more) }));
  const asPostgres = (sql: string) =>
    run('runuser', ['-u', 'postgres', '--', 'psql', '--port', String(port), '--command', sql], { cwd: '/' });
  const files = () =>
    Object.fromEntries(readdirSync(secrets).map((file) => [file, readFileSync(join(secrets, file), 'utf8')]));

  it('a step that fails in the middle keeps the passwords, and repeated it goes on', async () => {
    const programs = ownFolder();
    const withOwn = { PATH: `${programs}:${process.env.PATH}` };
    writeFileSync(join(programs, 'openssl'), '#!/bin/sh\nexit 6\n', { mode: 0o755 });
    expect(await makeRoles(withOwn)).to.include({ code: 6 });
    expect(files()).to.deep.equal({});
    rmSync(join(programs, 'openssl'));
    // Replaces the program of the last step, which signs in.
    writeFileSync(join(programs, 'node'), `#!/bin/sh\n[ "$2" = psql ] && exit 7\nexec ${process.execPath} "$@"\n`);
    chmodSync(join(programs, 'node'), 0o755);
    expect(await makeRoles(withOwn)).to.include({ code: 7 });
    const kept = Object.values(files()).sort();
    expect(await makeRoles()).to.include({ code: 0 });
    expect(Object.values(files()).sort()).to.deep.equal(kept);
    expect(Object.keys(files()).sort()).to.deep.equal(['database-url', 'owner-url']);
  });

  it('run again, it changes nothing; without a file of a role that exists, it stops', async () => {
    const made = files();
    expect(await makeRoles()).to.include({ code: 0 });
    expect(files()).to.deep.equal(made);
    const other = ownFolder();
    const refused = await makeRoles({ SECRETS: other });
    expect(refused.code).to.equal(1);
    expect(refused.said).to.match(/^There is a role vaga_owner, but no file .*owner-url: /);
    expect(readdirSync(other)).to.deep.equal([]);
    const programs = ownFolder();
    writeFileSync(join(programs, 'node'), '#!/bin/sh\nexit 7\n', { mode: 0o755 });
    expect(await makeRoles({ PATH: `${programs}:${process.env.PATH}` })).to.include({ code: 7 });
    const { rows } = await onServer(`${made['database-url']}`.trim(), (client) => client.query('SELECT 1 AS answer'));
    expect(rows).to.deep.equal([{ answer: 1 }]);
    const { said } = await makeRoles();
    expect(said).to.match(/^The roles .* at 127\.0\.0\.1:\d+\/vaga; .*\n$/);
    expect(said).to.not.match(/[0-9a-f]{48}/);
  });

  it('the roles have passwords, and the server’s log has none', async () => {
    const { stdout } = await asPostgres('SELECT rolname, rolpassword FROM pg_authid');
    for (const role of ['vaga_owner', 'vaga_service'])
      expect(stdout).to.match(new RegExp(`${role} +\\| SCRAM-SHA-256`));
    const log = readFileSync(`/var/log/postgresql/postgresql-${version}-${name}.log`, 'utf8');
    for (const address of Object.values(files())) expect(log).to.not.include(new URL(address).password);
  });

  it('a role whose address has a percent-encoded password gets the password that is meant', async () => {
    const encoded = `a%27b%5Cc%40d${'%25'.repeat(9)}`;
    const made = files();
    const meant = `${made['database-url']?.replace(/:[0-9a-f]{48}@/, `:${encoded}@`)}`;
    for (const address of [meant, made['database-url'] ?? '']) {
      writeFileSync(join(secrets, 'database-url'), address);
      expect(await makeRoles({ DATABASE_URL: 'postgresql://127.0.0.1:1/elsewhere' })).to.include({ code: 0 });
      expect(files()).to.deep.equal({ ...made, 'database-url': address });
      const { rows } = await onServer(address.trim(), (client) => client.query('SELECT current_user AS role'));
      expect(rows).to.deep.equal([{ role: 'vaga_service' }]);
    }
  });

  it('the roles’ own file refuses to make a role without a password', async () => {
    const file = join(ownFolder(), 'roles.sql');
    writeFileSync(file, readFileSync(join(packageRoot, 'scripts/deploy/roles.sql'), 'utf8'));
    chmodSync(join(file, '..'), 0o755);
    const none = ['OWNER_PASSWORD_FILE=/none', 'SERVICE_PASSWORD_FILE=/none'];
    const psql = ['psql', '--port', String(port), '--dbname', 'postgres', '--file', file];
    const { code, said } = await outcomeOf(
      run('runuser', ['-u', 'postgres', '--', 'env', ...none, ...psql], { cwd: '/' }),
    );
    expect(code).to.equal(3);
    expect(said).to.include('a password cannot be read');
  });

  it('the owner’s address migrates, and says when there is nothing to do', async () => {
    const migrate = ['dist/scripts/migrate.js'];
    const settings = { NODE_ENV: 'production', DATABASE_URL_FILE: join(secrets, 'owner-url') };
    const migrated = () => run(process.execPath, migrate, { cwd: packageRoot, env: environment(settings) });
    await migrated();
    expect((await migrated()).stdout).to.equal(`database vaga at 127.0.0.1:${port}, as vaga_owner is up to date\n`);
  });

  it('PgBouncer with the sample configuration lets the service’s role in, with its password', async function () {
    if (!existsSync('/usr/sbin/pgbouncer')) return this.skip();
    const folder = ownFolder();
    chmodSync(folder, 0o777);
    const pooledPort = await freePort();
    const env = environment({ USERLIST: join(folder, 'userlist.txt') });
    for (let times = 0; times < 2; times++) await run('sh', ['-c', guideCommands('rolpassword')], { env });
    const sample = readFileSync(join(packageRoot, 'scripts/deploy/pgbouncer.ini'), 'utf8')
      .replace('port=5432', `port=${port}`)
      .replace('listen_port = 6432', `listen_port = ${pooledPort}\nunix_socket_dir =`)
      .replace('/etc/pgbouncer', folder)
      .replace('/var/run/postgresql', folder)
      .replace('/var/log/postgresql', folder);
    writeFileSync(join(folder, 'pgbouncer.ini'), sample);
    const pooler = spawn('/usr/sbin/pgbouncer', ['-u', 'postgres', join(folder, 'pgbouncer.ini')]);
    for await (const line of pooler.stderr) if (/process up/.test(String(line))) break;
    const pooled = new URL(files()['database-url'] ?? '');
    pooled.port = String(pooledPort);
    try {
      const { rows } = await onServer(pooled.href, (client) => client.query('SELECT current_user AS role'));
      expect(rows).to.deep.equal([{ role: 'vaga_service' }]);
      pooled.password = 'wrong';
      const refused = onServer(pooled.href, (client) => client.query('SELECT 1')).catch(({ cause }) => String(cause));
      expect(await refused).to.include('SASL authentication failed');
    } finally {
      pooler.kill('SIGINT');
    }
  });

  it('a backup made as the guide says is restored, and the check reads the restored database', async () => {
    const cwd = ownFolder();
    const backup = guideCommands('pg_dump --format=custom --file', ofThisRelease);
    const env = environment({ DATABASE_URL_FILE: join(secrets, 'database-url') });
    for (let times = 0; times < 2; times++) await run('sh', ['-c', backup], { cwd, env });
    await asPostgres('CREATE DATABASE restored OWNER vaga_owner TEMPLATE template0');
    const RESTORED = join(ownFolder(), 'address');
    writeFileSync(RESTORED, files()['owner-url']?.replace(/vaga$/m, 'restored') ?? '');
    const restore = () =>
      outcomeOf(
        run('sh', ['-c', guideCommands('pg_restore --exit-on-error', ofThisRelease)], {
          cwd,
          env: environment({ RESTORED, NODE_ENV: 'production' }),
        }),
      );
    expect((await restore()).said).to.include(`database restored at 127.0.0.1:${port}, as vaga_owner`);
    // A second time it meets the tables of the first, and stops before anything else.
    const again = await restore();
    expect(again.code).to.be.above(0);
    expect(again.said).to.include('already exists');
    rmSync(RESTORED);
  });
});
