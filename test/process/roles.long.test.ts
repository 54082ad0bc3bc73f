import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { migrateServer } from '../../src/database/migrations.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { skipIn } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { makeCompany, operatorOf, placeAt, signIn, unlimited, withStore } from '../faults/subject.ts';
import { guideCommands } from '../helper/guide.ts';
import { psqlSettings } from '../helper/guide-roles.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { onServer } from '../helper/test-database.ts';

const run = promisify(execFile);
const deploy = (name: string): string => readFileSync(join(packageRoot, 'scripts/deploy', name), 'utf8');

interface Container {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
}

/** Runs the guide's commands for containers twice: the first time, the administrator cannot be made. The second time keeps every secret. */
async function setUpContainers(cwd: string): Promise<void> {
  mkdirSync(join(cwd, 'scripts/deploy'), { recursive: true });
  // Replace Docker and Git.
  const docker = `#!/bin/sh
    case "$*" in *--build*) [ "$COMMIT" = 1234abcd ] || exit 2 ;; *'admin create'*) cat >> asked; [ "$(wc -l < asked)" = 2 ] ;; esac`;
  writeFileSync(join(cwd, 'docker'), docker, { mode: 0o755 });
  writeFileSync(join(cwd, 'git'), '#!/bin/sh\necho 1234abcd', { mode: 0o755 });
  const inFolder = (commands: string) =>
    run('sh', ['-c', commands], { cwd, env: { PATH: `${cwd}:${process.env.PATH}` } });
  const setUp = () => inFolder(guideCommands('cd scripts/deploy;'));
  const secrets = async () => (await inFolder('head scripts/deploy/secrets/[!a]*')).stdout;
  expect(await setUp().catch(({ code }) => code)).to.equal(1);
  const made = await secrets();
  const { stdout: password } = await setUp();
  expect(readFileSync(join(cwd, 'scripts/deploy/asked'), 'utf8')).to.equal(password.repeat(2));
  expect(await secrets()).to.equal(made);
}

/**
 * Makes the secrets as the guide does for containers, and on an empty server the roles that compose.yaml creates with them. Throws if a
 * container gets another secret than it reads. Returns the addresses for the two roles.
 */
async function rolesOfCompose({ url, port }: PrivatePostgres): Promise<{ owner: string; service: string }> {
  const { services, secrets } = parse(deploy('compose.yaml'), { merge: true });
  for (const { build } of [services.migrate, services['vaga-1']])
    expect(build.args.COMMIT).to.match(/^\$\{COMMIT:-\}$/);
  const folder = ownFolder();
  await setUpContainers(folder);
  const pathOf = (name: string) => join(folder, 'scripts/deploy', secrets[name].file);
  /** The variables that name files, pointing to files of this machine. */
  const filesOf = ({ environment, secrets: given }: Container) => {
    const named = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
    expect(named.map(([, path]) => path)).to.have.members(given.map((name) => `/run/secrets/${name}`));
    return Object.fromEntries(named.map(([variable, path]) => [variable, pathOf(path.replace('/run/secrets/', ''))]));
  };
  expect(services.database.volumes).to.include('./roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro');
  const env = { ...psqlSettings(url), ...filesOf(services.database) };
  await run('psql', ['--no-psqlrc', '--dbname', 'postgres', '--file', join(packageRoot, 'scripts/deploy/roles.sql')], {
    env,
  });
  const addressFor = (container: Container) => {
    const { DATABASE_URL_FILE = '' } = filesOf(container);
    return Object.assign(new URL(readFileSync(DATABASE_URL_FILE, 'utf8').trim()), { hostname: '127.0.0.1', port }).href;
  };
  expect(filesOf(services['vaga-2'])).to.deep.equal(filesOf(services['vaga-1']));
  return { owner: addressFor(services.migrate), service: addressFor(services['vaga-1']) };
}

/** As PostgreSQL keeps it with `password_encryption = md5`. */
const keptPassword = (address: string): string => {
  const { username, password } = new URL(address);
  return `md5${createHash('md5')
    .update(password + username)
    .digest('hex')}`;
};

describe('the roles of compose.yaml, the same as in the guide', () => {
  let postgres: PrivatePostgres;
  before(async function () {
    postgres = await PrivatePostgres.make('password_encryption = md5\n').catch(skipIn(this));
  });
  let service: ServiceProcess | undefined;
  after(async () => {
    service?.signal('SIGKILL');
    await service?.ended();
    await postgres?.remove();
  });

  it('the owner’s role migrates, and the service runs with a role that may only read and write rows', async () => {
    const { owner, service: url } = await rolesOfCompose(postgres);
    const kept = "SELECT rolpassword FROM pg_authid WHERE rolname LIKE 'vaga%' ORDER BY rolname";
    const { rows } = await onServer(postgres.url, (client) => client.query(kept));
    expect(rows.map(({ rolpassword }) => rolpassword)).to.deep.equal([owner, url].map(keptPassword));
    await migrateServer(owner);
    const place = placeAt(url, async () => undefined);
    const { token, companyId } = await withStore(place, makeCompany);
    const [email, password] = ['ana@example.com', 'uma frase que é longa'];
    await withStore(place, (store) => createUser(operatorOf(store), { companyId, email, role: 'main', password }));
    service = await ServiceProcess.listening({ ...unlimited, NODE_ENV: 'production', DATABASE_URL: url });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'one' };
    const job = { method: 'POST', headers, body: JSON.stringify(minimalJob) };
    const made = await fetch(`${service.address}/v1/jobs`, job);
    const repeated = await fetch(`${service.address}/v1/jobs`, job);
    expect([made.status, repeated.status]).to.deep.equal([201, 200]);
    const location = made.headers.get('location') ?? '';
    for (const [method, body, status] of [
      ['PATCH', '{"title":"Outro"}', 200],
      ['DELETE', undefined, 204],
    ] as const)
      expect((await fetch(service.address + location, { method, headers, body: body ?? null })).status).to.equal(
        status,
      );
    const cookie = await signIn(service.address, email, password);
    expect((await fetch(`${service.address}/dashboard/requests`, { headers: { cookie } })).status).to.equal(200);
    expect(await service.stop()).to.equal(0);
    expect(service.errors).to.equal('');
    for (const forbidden of ['CREATE TABLE a ()', 'DROP TABLE jobs', 'TRUNCATE jobs', 'ALTER TABLE jobs ADD a int']) {
      const refused = await onServer(url, (client) => client.query(forbidden)).catch((error) => error.code);
      expect(refused, forbidden).to.equal('42501');
    }
  });
});
