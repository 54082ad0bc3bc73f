import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { poolDefaults } from '../../src/database/open.ts';
import { serverPool } from '../../src/database/pool.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { freePort } from '../helper/free-port.ts';
import { guideCommands } from '../helper/guide.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { createServerDatabase, onServer } from '../helper/test-database.ts';

const pgbouncer = '/usr/sbin/pgbouncer';
/** A test file with creates over every protocol, some of them simultaneous. */
const suite = 'dist/test/parity/idempotency.test.js';

/** The sample configuration with the addresses of this test, for every database of the server. */
async function configure(folder: string, port: number, server: URL): Promise<string> {
  const password = server.password && ` password=${decodeURIComponent(server.password)}`;
  const target = `* = host=${server.hostname} port=${server.port || 5432} user=${server.username}${password}`;
  const sample = readFileSync(join(packageRoot, 'scripts/deploy/pgbouncer.ini'), 'utf8');
  const text = sample
    .replace(/^vaga = .*$/m, target)
    .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`)
    .replace(/^auth_type = [\s\S]*?^auth_file = .*$/m, 'auth_type = any')
    .replace(/^(pidfile|logfile) = .*$/gm, '');
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, text);
  return file;
}

describe('PgBouncer with the sample configuration', () => {
  let pooler: ReturnType<typeof spawn>;
  let url: URL;

  before(async function () {
    const { DATABASE_URL } = process.env;
    if (!DATABASE_URL || !existsSync(pgbouncer)) return this.skip();
    const folder = ownFolder();
    await chmod(folder, 0o755);
    const port = await freePort();
    const file = await configure(folder, port, new URL(DATABASE_URL));
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    pooler = spawn(pgbouncer, [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const line of pooler.stderr ?? []) if (/process up/.test(String(line))) break;
    url = new URL(DATABASE_URL);
    url.host = `127.0.0.1:${port}`;
  });

  after(() => pooler?.kill('SIGINT'));

  it('carries the API: its tests pass', async () => {
    const env = { ...process.env, MOCHA_OPTIONS: undefined, TESTS: undefined, PART: undefined, DATABASE_URL: url.href };
    const { error, stdout } = await new Promise<{ error: unknown; stdout: string }>((resolve) =>
      execFile('npx', ['mocha', suite], { cwd: packageRoot, env }, (error, stdout) => resolve({ error, stdout })),
    );
    expect(error, stdout).to.equal(null);
  });

  it('ignores a connection’s settings; the guide’s settings of the database apply', async () => {
    const own = await createServerDatabase();
    const name = new URL(own.url).pathname;
    const statements = guideCommands('ALTER DATABASE vaga SET').trim().split('\n');
    for (const statement of statements)
      await onServer(own.url, (client) => client.query(statement.replace('vaga', name.slice(1))));
    const pool = serverPool(new URL(name, url).href, { ...poolDefaults, statementTimeoutMs: 1 });
    try {
      const names = ['statement_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode', 'datestyle'];
      const sql = 'SELECT current_setting(name) AS setting FROM unnest($1::text[]) AS name';
      const { rows } = await pool.query<{ setting: string }>(sql, [names]);
      expect(rows.map(({ setting }) => setting)).to.deep.equal(['5s', '15s', 'force_generic_plan', 'ISO, MDY']);
    } finally {
      await pool.end();
      await own.drop();
    }
  });
});
