import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { runInProcess } from '../cli/run-cli.ts';
import { freePort } from '../helper/free-port.ts';
import { guideCommands } from '../helper/guide.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { createServerDatabase, onServer } from '../helper/test-database.ts';

const pgbouncer = '/usr/sbin/pgbouncer';
/** A test file with creates over every protocol, some of them simultaneous. */
const suite = 'dist/test/parity/idempotency.test.js';

/** The sample configuration with the addresses of this test, for every database of the server, and its changes. */
async function configure(port: number, server: URL, changed: (sample: string) => string): Promise<string> {
  const folder = ownFolder();
  await chmod(folder, 0o755);
  const password = server.password && ` password=${decodeURIComponent(server.password)}`;
  const target = `* = host=${server.hostname} port=${server.port || 5432} user=${server.username}${password}`;
  const sample = readFileSync(join(packageRoot, 'scripts/deploy/pgbouncer.ini'), 'utf8');
  const text = sample
    .replace(/^vaga = .*$/m, target)
    .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`)
    .replace(/^auth_type = [\s\S]*?^auth_file = .*$/m, 'auth_type = any')
    .replace(/^(pidfile|logfile) = .*$/gm, '');
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, changed(text));
  return file;
}

const poolers: ReturnType<typeof spawn>[] = [];

/** Starts PgBouncer before the server, and returns the server's address through it. */
async function startPooler(server: string, changed = (sample: string) => sample): Promise<URL> {
  const url = new URL(server);
  const port = await freePort();
  const file = await configure(port, url, changed);
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn(pgbouncer, [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  poolers.push(pooler);
  for await (const line of pooler.stderr ?? []) if (/process up/.test(String(line))) break;
  url.host = `127.0.0.1:${port}`;
  return url;
}

describe('PgBouncer with the sample configuration', () => {
  let url: URL;

  before(async function () {
    const { DATABASE_URL } = process.env;
    if (!DATABASE_URL || !existsSync(pgbouncer)) return this.skip();
    url = await startPooler(DATABASE_URL);
  });

  after(() => {
    for (const pooler of poolers) pooler.kill('SIGINT');
  });

  it('carries the API: its tests pass', async () => {
    const env = { ...process.env, MOCHA_OPTIONS: undefined, TESTS: undefined, PART: undefined, DATABASE_URL: url.href };
    const { error, stdout } = await new Promise<{ error: unknown; stdout: string }>((resolve) =>
      execFile('npx', ['mocha', suite], { cwd: packageRoot, env }, (error, stdout) => resolve({ error, stdout })),
    );
    expect(error, stdout).to.equal(null);
  });

  it('ignores a connection’s settings, which the doctor reports; the guide’s settings of the role apply', async () => {
    const own = await createServerDatabase();
    const name = new URL(own.url).pathname;
    // PgBouncer remembers settings of the database from its first connection.
    const problems = async () => problemsAt(new URL(name, await startPooler(own.url)));
    try {
      await onServer(own.url, (client) =>
        client.query(`ALTER DATABASE ${name.slice(1)} SET timezone = 'Europe/Lisbon';
          ALTER DATABASE ${name.slice(1)} SET lock_timeout = '1s';
          ALTER DATABASE ${name.slice(1)} SET default_transaction_isolation = serializable`),
      );
      const lost = [
        ...['statement_timeout is 0 in place of 5000', 'lock_timeout is 1000 in place of 0'],
        ...['idle_in_transaction_session_timeout is 0 in place of 15000'],
        ...['timezone is Europe/Lisbon in place of UTC'],
        'default_transaction_isolation is serializable in place of read committed',
        ...['row_security is on in place of off', 'plan_cache_mode is auto in place of force_generic_plan'],
      ].join(', ');
      expect(await problems()).to.deep.equal([`they lose the service's settings: ${lost}`]);
      const here = `CURRENT_USER IN DATABASE ${name.slice(1)} SET`;
      const commands = guideCommands('ALTER ROLE vaga_service IN DATABASE', {
        'vaga_service IN DATABASE vaga SET': here,
      });
      await onServer(own.url, (client) => client.query(commands));
      expect(await problems()).to.deep.equal([]);
    } finally {
      await own.drop();
    }
  });

  it('in transaction mode without max_prepared_statements is reported by the doctor and refused by the start', async () => {
    const own = await createServerDatabase();
    const mode = (sample: string) =>
      sample
        .replace('pool_mode = session', 'pool_mode = transaction\nserver_idle_timeout = 1')
        .replace(';max_prepared_statements = 500', keepsNone);
    await onServer(own.url, (client) =>
      client.query(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET synchronous_commit = off`),
    );
    const through = new URL(new URL(own.url).pathname, await startPooler(own.url, mode));
    try {
      await migrateServer(own.url);
      const said = /^a pooler mixes up the named statements of its clients: /;
      const [mixed, lost] = await problemsAt(through);
      expect(mixed).to.match(said);
      // What the service raises on one connection, its next transaction on another one lacks.
      expect(lost).to.match(/, synchronous_commit is off in place of on$/);
      const refused = openDatabase({ databaseUrl: through.href, dataDir: 'unused' });
      expect(await refused.then(String, ({ message }) => message)).to.match(said);
      // Commands name no statements.
      const added = await Promise.all(
        ['Ouro', 'Prata', 'Bronze'].map((plan) =>
          runInProcess(['plan', 'add', '--name', plan, '--limit', '5', '--json'], {
            settings: { DATABASE_URL: through.href },
          }),
        ),
      );
      expect(added.map(({ exitCode, stderr }) => [exitCode, stderr])).to.deep.equal(added.map(() => [0, '']));
    } finally {
      await own.drop();
    }
  });
});

/** Before 1.21, PgBouncer does not know the setting; later it has another default. */
const keepsNone = / 1\.(1\d|20)\./.test(versionOfPgbouncer()) ? '' : 'max_prepared_statements = 0';

function versionOfPgbouncer(): string {
  return existsSync(pgbouncer) ? execFileSync(pgbouncer, ['--version'], { encoding: 'utf8' }) : '';
}

/** What the doctor finds wrong with connections. */
async function problemsAt({ href }: URL): Promise<string[]> {
  const { stdout } = await runInProcess(['doctor', '--json'], { settings: { DATABASE_URL: href } });
  const { checks } = JSON.parse(stdout) as { checks: Finding[] };
  return checks.filter(({ check, fix }) => check === 'connections' && fix).map(({ found }) => found);
}
