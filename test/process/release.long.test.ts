import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readlink, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { makeCompany, operatorOf, placeAt, withStore } from '../faults/subject.ts';
import { isAtRest } from '../helper/edited-project.ts';
import { isFree } from '../helper/free-port.ts';
import { guideCommands } from '../helper/guide.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';

const run = promisify(execFile);
const deploy = (name: string): string => readFileSync(join(packageRoot, 'scripts/deploy', name), 'utf8');

/** A release as the guide builds and copies it, with files newer than the build. */
async function makeRelease(folder: string): Promise<void> {
  const [, names = ''] = /^tar \S+ ([^-|]+) \|/m.exec(deploy('install.md')) ?? [];
  expect(names).to.include('dist');
  await mkdir(folder);
  const filter = (path: string) => !path.slice(packageRoot.length + 1).includes('node_modules') && isAtRest(path);
  const lock = 'package-lock.json';
  for (const name of [...names.trim().split(' '), lock])
    if (name === 'node_modules') await run('cp', ['-a', join(packageRoot, name), folder]);
    else await cp(join(packageRoot, name), join(folder, name), { recursive: true, filter });
  const env = { ...process.env, npm_config_offline: 'true' };
  await run('sh', ['scripts/deploy/prune.sh'], { cwd: folder, env });
  await rm(join(folder, lock));
  await utimes(join(folder, 'prisma/schema.prisma'), new Date(), new Date());
}

/** The unit's settings of a name, for an instance, with the paths of this machine. */
function settingsOf(port: number, paths: Record<string, string>): (name: string) => string[] {
  const text = Object.entries({ ...paths, '%i': String(port) }).reduce(
    (unit, [path, here]) => unit.replaceAll(path, here),
    deploy('vaga@.service'),
  );
  return (name) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** As many ports of four digits, whose ports for metrics are free too; no other test takes one of these. */
async function freeInstances(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let port = 4200 + (process.pid % 500); found.length < count; port++)
    if ((await isFree(port)) && (await isFree(10_000 + port))) found.push(port);
  return found;
}

const variables = (text: string) =>
  Object.fromEntries([...text.matchAll(/(?:^|\s)(\w+)=(\S+)/g)].map(([, ...pair]) => pair));

describe('a release behind the systemd unit', () => {
  const folder = ownFolder();
  const current = join(folder, 'current');
  let database: Awaited<ReturnType<typeof createServerDatabase>>;
  const services: ServiceProcess[] = [];
  before(async function () {
    if (!process.env.DATABASE_URL) return this.skip();
    database = await createServerDatabase();
    await chmod(folder, 0o755);
    await makeRelease(join(folder, 'one'));
    await run('cp', ['-a', join(folder, 'one'), join(folder, 'two')]);
    await symlink('one', current);
    await writeFile(join(folder, 'database-url'), `${database.url}\n`);
  });
  after(async () => {
    for (const service of services) expect(await service.stop()).to.equal(0);
    await database?.drop();
  });

  /** Runs as the service's user, if permitted. */
  const asService = (command: string, ...args: string[]) => {
    const { PATH = '' } = process.env;
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const env = { PATH, HOME: '/nonexistent', DATABASE_URL: database.url, npm_config_cache: join(folder, 'cache') };
    return run(command, args, { cwd: current, env: { ...env, NODE_ENV: 'production' }, ...user });
  };

  it('its size is that of what a server needs', async () => {
    const { stdout } = await run('du', ['--summarize', '--apparent-size', '--block-size=MB', join(folder, 'one')]);
    // 128 in 2026-11.
    expect(Number.parseInt(stdout, 10)).to.be.within(1, 165);
  });

  it('its commands run as a user without write access, and build nothing', async () => {
    await asService('npm', 'run', '-s', 'migrate');
    const created = await asService('npm', ...'run -s ops -- company create --name A --plan Pro'.split(' '));
    expect(created.stdout).to.include('is created');
    expect(created.stderr).to.equal('');
    expect(existsSync(join(current, 'generated'))).to.equal(false);
  });

  it('two instances start with the unit’s settings and credentials, count and judge requests together, and the next release starts by swapping the link', async () => {
    const ports = await freeInstances(2);
    for (const port of ports) services.push(await startAsUnit(port));
    for (const port of ports) {
      for (const path of ['readyz', 'vaga-client.tgz'])
        expect((await fetch(`http://127.0.0.1:${port}/${path}`)).status).to.equal(200);
      expect(await (await fetch(`http://127.0.0.1:1${port}/metrics`)).text()).to.include('vaga_requests_in_flight');
    }
    await judgesTogether(ports);
    await symlink('two', `${current}.new`);
    await rename(`${current}.new`, current);
    for (const [n, port] of ports.entries()) {
      expect(await services[n]?.stop()).to.equal(0);
      services[n] = await startAsUnit(port);
    }
  });

  /** They count the requests of a company together, and refuse its credential from the next request after its revocation. */
  async function judgesTogether(ports: readonly number[]): Promise<void> {
    const place = placeAt(database.url, async () => undefined);
    const { companyId, sandbox } = await withStore(place, makeCompany);
    const headers = { Authorization: `Bearer ${sandbox}`, 'X-Forwarded-Proto': 'https' };
    const answers = async () => {
      const found: [status: number, left: string | null][] = [];
      for (const port of ports) {
        const answer = await fetch(`http://127.0.0.1:${port}/sandbox/v1/account`, { headers });
        found.push([answer.status, answer.headers.get('ratelimit-remaining')]);
      }
      return found;
    };
    expect([await answers(), await answers()].flat()).to.deep.equal(
      ['59', '58', '57', '56'].map((left) => [200, left]),
    );
    await withStore(place, async (store) => {
      const { id } = await store.db.credential.findFirstOrThrow({ where: { companyId, environment: 'sandbox' } });
      await revokeCredential(operatorOf(store), { companyId, credentialId: id });
    });
    expect((await answers()).map(([status]) => status)).to.deep.equal([401, 401]);
    const ping = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: '{}' };
    for (const port of ports) expect((await fetch(`http://127.0.0.1:${port}/sandbox/mcp`, ping)).status).to.equal(401);
  }

  async function startAsUnit(port: number): Promise<ServiceProcess> {
    const all = settingsOf(port, { '/opt/vaga/current': current, '%d': folder, '/etc/vaga': folder });
    const [directory = ''] = all('WorkingDirectory');
    expect(all('LoadCredential')).to.deep.equal([`database-url:${join(folder, 'database-url')}`]);
    expect(all('EnvironmentFile')).to.deep.equal([join(folder, 'vaga.env')]);
    expect(all('ExecStart')).to.deep.equal(['/usr/bin/node dist/src/main.js']);
    const env = {
      ...variables(deploy('vaga.env')),
      ...variables(all('Environment').join(' ')),
      DRAIN_NOTICE_SECONDS: '0',
    };
    return ServiceProcess.listening(env, directory);
  }

  it('a command gets the user, settings and credentials of the unit', async () => {
    // Replaces systemd-run, which needs systemd: prints its options and runs the command as a user without a shell, if permitted.
    const systemdRun = `#!/bin/sh
      [ "$(id -u)" != 0 ] || user="setpriv --reuid=nobody --regid=nogroup --clear-groups --"
      export CREDENTIALS_DIRECTORY=$(mktemp -d ${folder}/credentials-XXXXXX)
      while case $1 in --*) ;; *) false ;; esac; do
        echo "$1"
        case $1 in
          *=WorkingDirectory=-/opt/vaga/current) cd ${current} ;;
          --setenv=*) export "\${1#--setenv=}" ;;
          *=LoadCredential=database-url:*) cp "\${1#*:}" "$CREDENTIALS_DIRECTORY/database-url" ;;
        esac
        shift
      done
      [ -z "$user" ] || chown -R nobody "$CREDENTIALS_DIRECTORY"
      exec $user "$@"`;
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'systemd-run'), systemdRun, { mode: 0o755 });
    await writeFile(join(bin, 'vaga'), deploy('vaga').replace('/opt/vaga/current', current), { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}`, DATABASE_URL_FILE: join(folder, 'database-url') };
    const { stdout } = await run('vaga', 'company create --name B --plan Pro'.split(' '), { cwd: current, env });
    const all = settingsOf(0, { '/etc/vaga/database-url': env.DATABASE_URL_FILE });
    for (const name of ['User', 'DynamicUser', 'StateDirectory', 'EnvironmentFile', 'LoadCredential'])
      for (const value of all(name)) expect(stdout).to.include(`--property=${name}=${value}\n`);
    // The first release migrates before its folder is the current one.
    for (const value of all('WorkingDirectory')) expect(stdout).to.include(`--property=WorkingDirectory=-${value}\n`);
    expect(stdout).to.include('is created');
    // Another file that it names must be there: without it, vaga.env would name the database.
    const mistyped = { ...env, DATABASE_URL_FILE: join(folder, 'databse-url') };
    const refused = await run('vaga', ['company', 'list'], { cwd: current, env: mistyped }).catch((error) => error);
    expect(refused).to.include({ code: 1, stdout: '' });
    expect(refused.stderr).to.include(mistyped.DATABASE_URL_FILE);
    const inFront = { ...env, DATABASE_URL: database.url };
    const ignored = await run('vaga', ['company', 'list'], { cwd: current, env: inFront }).catch((error) => error);
    expect(ignored).to.include({ code: 1, stdout: '' });
    expect(ignored.stderr).to.match(/^DATABASE_URL .* DATABASE_URL_FILE names[.]\n$/);
  });

  it('a release whose migration or link fails restarts nothing; repeated, it is the current one', async () => {
    const bin = join(folder, 'bin');
    for (const name of ['systemctl', 'curl'])
      await writeFile(join(bin, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
    await writeFile(join(folder, 'owner-url'), `${database.url}-none\n`);
    const replaced = { '/opt/vaga': folder, '/etc/vaga': folder, RELEASE: 'one' };
    const commands = guideCommands('mv -T', replaced);
    const env = { PATH: `${bin}:${process.env.PATH}`, DATABASE_URL_FILE: join(folder, 'database-url') };
    const release = () => run('sh', ['-c', commands], { env }).catch((error: { stdout: string }) => error);
    const before = await readlink(current);
    expect((await release()).stdout).to.not.include('systemctl');
    expect(await readlink(current)).to.equal(before);
    await writeFile(join(folder, 'owner-url'), `${database.url}\n`);
    await writeFile(join(bin, 'ln'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect((await release()).stdout).to.not.include('systemctl');
    await rm(join(bin, 'ln'));
    for (let times = 0; times < 2; times++) expect((await release()).stdout).to.include('systemctl restart vaga@3001');
    expect(await readlink(current)).to.equal('one');
  });

  it('an administrator who could not be made gets the same password at the next try', async () => {
    const commands = guideCommands('cd /etc/vaga', { '/etc/vaga': folder });
    const make = (file: string) =>
      run('sh', ['-c', commands], {
        env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, DATABASE_URL_FILE: join(folder, file) },
      }).catch((error: { stdout: string }) => error);
    await make('none');
    const password = readFileSync(join(folder, 'administrator-password'), 'utf8');
    const { stdout } = await make('database-url');
    expect(stdout).to.include('is created').and.include(`\n${password}`);
    expect(existsSync(join(folder, 'administrator-password'))).to.equal(false);
  });

  it('systemd accepts the unit, starts it however often it ends, and gives it enough time to stop', async function () {
    const all = settingsOf(3000, {});
    expect([...all('Restart'), ...all('StartLimitIntervalSec')]).to.deep.equal(['always', '0']);
    const { drainNoticeSeconds, drainSeconds } = readConfig({
      ...variables(all('Environment')[0] ?? ''),
      DATA_DIR: folder,
    });
    expect(Number(all('TimeoutStopSec')[0])).to.be.above(drainNoticeSeconds + drainSeconds);
    if (!existsSync('/usr/bin/systemd-analyze')) return this.skip();
    const copy = join(folder, 'vaga@3000.service');
    await writeFile(copy, deploy('vaga@.service'));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--recursive-errors=no', '--man=no', copy]);
    expect(stdout + stderr).to.equal('');
  });
});
