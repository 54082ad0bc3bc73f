import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { migrateServer } from '../../src/database/migrations.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { runInProcess } from '../cli/run-cli.ts';
import { skipIn } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { makeCompany, placeAt, withStore } from '../faults/subject.ts';
import { guideCommands, inlineCommands, ofThisRelease } from '../helper/guide.ts';
import { psqlSettings, rolesOfGuide } from '../helper/guide-roles.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { onServer } from '../helper/test-database.ts';

const run = promisify(execFile);

describe('the deploy guide on a server of PostgreSQL with its roles', () => {
  const secrets = join(ownFolder(), 'vaga');
  let postgres: PrivatePostgres;
  let addresses: Awaited<ReturnType<typeof rolesOfGuide>>;
  before(async function () {
    postgres = await PrivatePostgres.make().catch(skipIn(this));
    addresses = await rolesOfGuide(postgres, secrets);
    await migrateServer(addresses.owner);
    await withStore(
      placeAt(addresses.service, async () => undefined),
      makeCompany,
    );
  });
  after(() => postgres?.remove());

  it('the service’s role makes a backup, a failed backup keeps it, and the owner restores it completely', async () => {
    const cwd = ownFolder();
    const { PATH } = process.env;
    const backup = (address: string, more = '') => {
      const file = join(ownFolder(), 'address');
      writeFileSync(file, `${address}\n`);
      const commands = more + guideCommands('pg_dump --format=custom --file', ofThisRelease);
      return run('sh', ['-c', commands], { cwd, env: { PATH, DATABASE_URL_FILE: file } });
    };
    await backup(addresses.service);
    const { size } = statSync(join(cwd, 'vaga.dump'));
    expect(size).to.be.above(10_000);
    const truncates = 'pg_restore() { truncate --size=1000 vaga.dump.new; command pg_restore "$@"; }\n';
    for (const failed of [backup(`${addresses.service}-none`), backup(addresses.service, truncates)]) {
      expect(await failed.catch(({ code }) => code)).to.be.above(0);
      expect(statSync(join(cwd, 'vaga.dump')).size).to.equal(size);
    }

    const elsewhere = await PrivatePostgres.make();
    const { owner } = await rolesOfGuide(elsewhere);
    const RESTORED = join(ownFolder(), 'owner-url');
    writeFileSync(RESTORED, owner);
    // The address of production in the environment stays out of it.
    const env = { PATH, NODE_ENV: 'production', RESTORED, DATABASE_URL_FILE: join(RESTORED, 'none') };
    const { stdout, code = 0 } = await run('sh', ['-c', guideCommands('pg_restore --exit-on-error', ofThisRelease)], {
      cwd,
      env,
    })
      .catch((error) => error)
      .finally(() => elsewhere.remove());
    expect(stdout)
      .to.include('ok: rows')
      .and.include(`database vaga at ${new URL(owner).host}, as vaga_owner`);
    // The tests may run on an unsupported Node.js, which doctor reports.
    const wrong = stdout.match(/^WRONG: .*$/gm) ?? [];
    expect(wrong.filter((line: string) => !line.startsWith('WRONG: node: '))).to.deep.equal([]);
    expect(code).to.equal(wrong.length);
  });

  it('every command of “Commands” runs, with the id of the company that one of them creates', async () => {
    let company = '';
    for (const line of guideCommands('job queue').trim().split('\n')) {
      const [command = '', file] = line.replace('vaga ', '').split(' < ');
      const words = command.replace('--company 2', `--company ${company}`).match(/(?<=")[^"]+(?=")|[^\s"]+/g) ?? [];
      const given = { settings: { DATABASE_URL: addresses.service }, input: file ? 'uma-senha-para-testes' : '' };
      const { exitCode, stdout } = await runInProcess(words, given);
      // Doctor judges this machine too.
      if (words[0] !== 'doctor') expect(exitCode, line).to.equal(0);
      company ||= String(/"company_id":(\d+)/.exec(stdout)?.[1] ?? '');
    }
  });

  it('the service’s role exports and erases a company, whose audit trail stays', async () => {
    const as = async (words: readonly string[]) => {
      const ran = await runInProcess(words, { settings: { DATABASE_URL: addresses.service } });
      expect(ran).to.deep.include({ exitCode: 0, stderr: '' });
      return ran.stdout;
    };
    const { company_id: id } = JSON.parse(await as(['company', 'create', '--name', 'Oficina Exemplo', '--json']));
    await as(['credential', 'issue', '--company', String(id), '--environment', 'sandbox', '--access', 'read']);
    const inGuide = (verb: string) =>
      inlineCommands
        .find((words) => words.includes(verb))
        ?.slice(1)
        .map((word) => (word === '12' ? String(id) : word)) ?? [];
    expect(await as(inGuide('export'))).to.include('Oficina Exemplo');
    await as(inGuide('erase'));
    const kept = `SELECT array_agg(action ORDER BY id) AS actions, (SELECT count(*)::int FROM companies WHERE id = $1) AS companies
      FROM audit_entries WHERE company_id = $1`;
    const { rows } = await onServer(addresses.service, (client) => client.query(kept, [id]));
    expect(rows).to.deep.equal([
      { actions: ['company.created', 'credential.issued', 'company.exported', 'company.erased'], companies: 0 },
    ]);
  });

  it('the service’s role adds to the audit trail, but cannot change its entries or the list of migrations, also after the roles were made again', async () => {
    const passwords = () =>
      onServer(postgres.url, (client) => client.query('SELECT rolname, rolpassword FROM pg_authid'));
    const { rows: before } = await passwords();
    expect(await rolesOfGuide(postgres, secrets)).to.deep.equal(addresses);
    expect((await passwords()).rows).to.deep.equal(before);
    // A failure between the grants and the revocations leaves the rights as they were.
    const failing = readFileSync(join(packageRoot, 'scripts/deploy/roles.sql'), 'utf8').replace(
      /(?=^SELECT format\('REVOKE)/m,
      'SELECT 1 / 0;\n',
    );
    const file = join(ownFolder(), 'roles.sql');
    writeFileSync(file, failing);
    const given = [
      'owner_signs_in=1',
      'service_signs_in=1',
      ...['owner', 'service'].map((name) => `${name}_password=${'x'.repeat(16)}`),
    ];
    const failed = run(
      'psql',
      ['--no-psqlrc', '--dbname=postgres', `--file=${file}`, ...given.map((one) => `--set=${one}`)],
      {
        env: psqlSettings(postgres.url),
      },
    ).catch(({ stderr }) => stderr);
    expect(await failed).to.include('division by zero');
    // What everybody may do, the service may do too.
    const toEverybody = 'GRANT ALL ON audit_entries, _prisma_migrations TO PUBLIC';
    await onServer(addresses.owner, (client) => client.query(toEverybody));
    await migrateServer(addresses.owner);
    for (const forbidden of [
      `UPDATE audit_entries SET action = 'x'`,
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
      'DELETE FROM _prisma_migrations',
      `UPDATE _prisma_migrations SET checksum = ''`,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', 'x')`,
    ]) {
      const refused = onServer(addresses.service, (client) => client.query(forbidden)).catch(({ code }) => code);
      expect(await refused, forbidden).to.equal('42501');
    }
  });

  it('nobody else connects to the database', async () => {
    await onServer(postgres.url, (client) => client.query('CREATE ROLE stranger LOGIN'));
    const url = Object.assign(new URL(addresses.service), { username: 'stranger' }).href;
    const refused = onServer(url, (client) => client.query('SELECT 1')).catch(({ cause }) => cause.code);
    expect(await refused).to.equal('42501');
  });

  it('the names of synchronous standbys are set without a restart', async () => {
    const file = join(ownFolder(), 'replication.sql');
    writeFileSync(file, guideCommands('ALTER SYSTEM SET synchronous_standby_names'));
    await run('psql', ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--dbname=postgres', `--file=${file}`], {
      env: psqlSettings(postgres.url),
    });
    const { rows } = await onServer(postgres.url, (client) => client.query('SHOW synchronous_standby_names'));
    expect(rows).to.deep.equal([{ synchronous_standby_names: 'ANY 1 (standby1, standby2)' }]);
  });
});

/** Prints each datagram that arrives at the Unix socket: Node has no such sockets. */
const listener = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("bound", flush=True)
while True: print(s.recv(4096).decode(), flush=True)
`;

describe('systemd', () => {
  let listening: ChildProcess | undefined;
  let service: ServiceProcess | undefined;
  after(async () => {
    service?.signal('SIGKILL');
    await service?.ended();
    listening?.kill();
  });

  it('learns that the process serves, and then repeatedly that its event loop runs', async function () {
    if (!existsSync('/usr/bin/systemd-notify') || !existsSync('/usr/bin/python3')) return this.skip();
    const folder = ownFolder();
    const socket = join(folder, 'notify');
    const child = spawn('python3', ['-c', listener, socket]);
    listening = child;
    let heard = '';
    child.stderr.on('data', (chunk) => {
      heard += chunk;
    });
    const until = (words: RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (words.test(heard)) resolve();
        };
        child.stdout.on('data', (chunk) => {
          heard += chunk;
          look();
        });
        look();
      });
    await until(/bound/);
    service = await ServiceProcess.listening({
      ...{ NODE_ENV: 'production', DATA_DIR: join(folder, 'data') },
      ...{ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000' },
    });
    await until(/READY=1[\s\S]*(WATCHDOG=1[\s\S]*){3}/);
    expect(service.errors).to.equal('');
  });
});
