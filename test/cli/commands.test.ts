import { randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { expect } from 'chai';
import { findAccount } from '../../src/auth/accounts-sql.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import type { Portal } from '../../src/domain/actor.ts';
import { requestTimeAt } from '../../src/domain/request-time.ts';
import { hashSecret, readSecret } from '../../src/domain/token.ts';
import { createJob } from '../../src/operations/jobs/change-job-sql.ts';
import { SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { type Ran, runInProcess, runProcess } from './run-cli.ts';

const password = 'segredo-que-ninguem-ve';
let folder: string;
/** Takes the place of the running service: it owns the data folder while the commands run. */
let service: Database;
const settings = (): Record<string, string> => ({ DATA_DIR: folder });
const ops = (line: string, input = ''): Promise<Ran> => runInProcess(words(line), { settings: settings(), input });
const spawned = (line: string, input = ''): Promise<Ran> => runProcess(words(line), { settings: settings(), input });
const words = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[0]);

/** Runs a command with --json and returns its object. */
const json = async (line: string, input = '') => objectOf(await ops(`${line} --json`, input));

function objectOf({ exitCode, stdout, stderr }: Ran): Record<string, unknown> {
  expect({ exitCode, stderr }, stdout).to.deep.equal({ exitCode: 0, stderr: '' });
  expect(stdout).to.match(/^\{[^\n]*\}\n$/);
  return JSON.parse(stdout);
}

const id = (value: unknown): bigint => BigInt(value as number);
const newCompany = async (): Promise<number> => (await json('company create --name "Oficina"')).company_id as number;

/** Expects a refusal with this code in the object, and on standard error one line. */
function expectError({ exitCode, stdout, stderr }: Ran, code: string, expectedExit = 1): void {
  expect(exitCode, stdout).to.equal(expectedExit);
  expect(stderr).to.match(/^error: [^\n]+\n$/);
  expect(JSON.parse(stdout).error.code).to.equal(code);
}

async function insertPending(
  companyId: number,
  environment: 'sandbox' | 'production',
  key: string,
  title = minimalJob.title,
): Promise<bigint> {
  const tenant = { companyId: BigInt(companyId), environment };
  const entitlement = { allowance: 'sandbox', accessType: 'subscription', limit: 100, period: null } as const;
  const written = { key, hashes: {}, checksDistricts: false, actor: 'credential:1', now: new Date() } as const;
  const fields = { ...minimalJob, title, salary_negotiable: false } as typeof minimalJob;
  const { job } = await createJob(service.db, tenant, { ...written, entitlement, status: 'pending', fields });
  if (!job) throw new Error('the job was not inserted');
  return BigInt(job.id);
}

const people = [
  ['user', 'company'],
  ['admin', 'administrator'],
] as const;
const auditNoun = { company: 'user', administrator: 'administrator' } as const;
let persons = 0;

/** An account with `password`, and what the commands print about it. */
async function newPerson(noun: 'user' | 'admin') {
  const email = `${noun}-${++persons}@example.com`;
  const owner = noun === 'user' ? ` --company ${await newCompany()} --role sub` : '';
  const data = await json(`${noun} create --email ${email}${owner}`, password);
  return { email, id: id(data.user_id ?? data.administrator_id), data };
}

const openSession = (portal: Portal, personId: bigint) =>
  service.db.pageSession.create({
    data: { portal, personId, idHash: randomBytes(32), data: {}, createdAt: new Date(), expiresAt: new Date() },
  });

const lastAudit = () => service.db.auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });

describe('ops beside a running service', () => {
  before(async () => {
    folder = ownFolder();
    service = await openDatabase({ dataDir: folder });
  });
  after(() => service.close());

  it('company create: every flag, and without --json a short line', async () => {
    const flags = '--plan Pro --verified --production-approved --auto-publish';
    const { company_id, ...more } = objectOf(await spawned(`company create --name "Oficina" ${flags} --json`));
    expect(more).to.deep.equal({});
    const where = { id: id(company_id) };
    const row = await service.db.company.findUniqueOrThrow({ where, include: { subscription: true } });
    expect(row).to.include({ name: 'Oficina', verified: true, autoPublish: true });
    expect(row.productionApprovedAt).to.be.instanceOf(Date);
    expect(row.subscription?.planId).to.be.a('number');
    const { stdout } = await ops('company create --name "Outra Oficina"');
    expect(stdout).to.match(/^Company \d+ is created[.]\n$/);
  });

  it('credential issue and replace print the id and, only once, the secret; revoke needs only the id', async () => {
    const company = await newCompany();
    const flags = '--environment production --access read --label Site --days 7';
    const issued = await json(`credential issue --company ${company} ${flags}`);
    expect(Object.keys(issued)).to.deep.equal(['credential_id', 'secret']);
    const secret = issued.secret as string;
    expect(readSecret(secret)).to.deep.equal({ environment: 'production', companyId: id(company) });
    const row = await service.db.credential.findFirstOrThrow({ where: { id: id(issued.credential_id) } });
    expect(Buffer.from(row.secretHash).equals(Buffer.from(hashSecret(secret)))).to.equal(true);
    expect(row).to.include({ label: 'Site', access: 'read' });
    const revoked = await json(`credential revoke --id ${issued.credential_id}`);
    expect(revoked).to.include({ credential_id: issued.credential_id, company_id: company });
    const after = await service.db.credential.findFirstOrThrow({ where: { id: row.id } });
    expect(after.revokedAt?.toISOString()).to.equal(revoked.revoked_at);
    const flagsOfOther = '--environment sandbox --access write';
    const { credential_id: old } = await json(`credential issue --company ${company} ${flagsOfOther}`);
    const replaced = await json(`credential replace --id ${old} --overlap-hours 24 --days 30`);
    expect(replaced).to.include({ replaced_id: old });
    const { credentials } = await json(`credential list --company ${company}`);
    const ofOld = (credentials as { credential_id: unknown }[]).find((one) => one.credential_id === old);
    expect(ofOld).to.include({ expires_at: replaced.ends_at, state: 'expiring' });
    for (const line of [
      `issue --company ${company} ${flagsOfOther}`,
      `replace --id ${replaced.credential_id} --overlap-hours 0`,
    ])
      expect((await ops(`credential ${line}`)).stdout).to.match(
        /^credential \d+, until \d{4}-.*Z;.*\nvaga_test_\S+\n$/,
      );
  });

  it('prints nothing that steers a terminal, and JSON is equal after parsing', async () => {
    const hostile = 'Técnico\u00a0🎓 \x1b]0;\x07\x7f\x80\x9b2J\u00ad\u200f\u202e\u2028\u2029\u2066\ufeff\u{e0041}\t\n';
    const company = await newCompany();
    const job = await insertPending(company, 'sandbox', 'hostile', hostile);
    const shown = [`job show --id ${job}`, `job list --company ${company} --environment sandbox`];
    const wrong = `job show --id ${hostile.replaceAll(/\s/g, '')}`;
    for (const line of [...shown, wrong, ...[...shown, wrong].map((plain) => `${plain} --json`)]) {
      const { stdout, stderr } = await ops(line);
      expect(stdout + stderr, line).to.not.match(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(stdout + stderr, line).to.match(/\\u(\{9b\}|009b)/);
    }
    expect(await json(shown[0] ?? '')).to.have.nested.property('job.title', hostile);
    const { stdout } = await ops(shown[1] ?? '');
    expect(stdout)
      .to.include('Técnico\u00a0🎓 \\u{1b}]0;')
      .and.to.include('\\u{202e}\\u{2028}')
      .and.to.include('\\u{9}\\u{a}');
  });

  it('user create and admin create read the password from standard input and never show it', async () => {
    const company = await newCompany();
    const user = await json(`user create --company ${company} --email RH@Example.com --role main`, `${password}\n`);
    expect(user).to.deep.equal({ user_id: user.user_id, company_id: company });
    const row = await service.db.user.findUniqueOrThrow({ where: { id: id(user.user_id) } });
    expect(row).to.include({ email: 'rh@example.com', role: 'main' });
    const admin = await spawned('admin create --email admin@example.com', `${password}\r\n`);
    expect(admin.stdout).to.match(/^Administrator \d+ is created[.]\n$/);
    for (const [input, code] of [
      [password, 'email_taken'],
      ['curta-demais', 'email_taken'],
      ['curta', 'invalid_input'],
    ] as const) {
      const ran = await ops('admin create --email admin@example.com --json', input);
      expectError(ran, code);
      expect(ran.stdout + ran.stderr).to.not.include(input);
    }
    expect((await ops('admin create --email admin@example.com --password x', password)).exitCode).to.equal(2);
  });

  it('user and admin set-password and remove: the new password works, or the account is deleted, and every session has ended', async () => {
    for (const [noun, portal] of people) {
      const { email, id: personId, data } = await newPerson(noun);
      const expectDone = async (action: string) => {
        expect(await service.db.pageSession.count({ where: { portal, personId } })).to.equal(0);
        expect(await lastAudit()).to.include({ actor: 'operator', action: `${auditNoun[portal]}.${action}` });
      };
      await openSession(portal, personId);
      const set = await json(`${noun} set-password --email ${email.toUpperCase()}`, 'uma-outra-frase\n');
      expect(set).to.deep.equal(data);
      const account = await findAccount(service.db, portal, email);
      expect(await verify(account?.passwordHash ?? '', 'uma-outra-frase')).to.equal(true);
      await expectDone('password_set');
      const short = await ops(`${noun} set-password --email ${email} --json`, 'curta');
      expectError(short, 'invalid_input');
      expect(short.stdout + short.stderr).to.not.include('curta');
      await openSession(portal, personId);
      expect(await json(`${noun} remove --email ${email}`)).to.deep.equal(data);
      expect(await findAccount(service.db, portal, email)).to.equal(null);
      await expectDone('removed');
      for (const verb of ['remove', 'unlock'])
        expectError(await ops(`${noun} ${verb} --email ${email} --json`), 'unknown_account');
    }
  });

  it("user and admin unlock: clears one account's failed sign-ins from every address and failed confirmations", async () => {
    const limits = new SignInLimits(service.db);
    for (const [noun, portal] of people) {
      const [one, other] = [await newPerson(noun), await newPerson(noun)];
      for (const { email, id: personId } of [one, other]) {
        for (let n = 0; n < 11; n++) await limits.consumeConfirmation(portal, personId);
        for (let n = 0; n < 22; n++) await limits.consume(portal, email, `${noun}-${email}-${n % 2}`);
        expect(await limits.consume(portal, email, `${noun}-${email}-0`), email).to.be.above(0);
      }
      expect(await json(`${noun} unlock --email ${one.email}`)).to.deep.equal(one.data);
      expect(await limits.consume(portal, one.email, `${noun}-${one.email}-0`)).to.equal(0);
      expect(await limits.consume(portal, other.email, `${noun}-${other.email}-1`)).to.be.above(0);
      expect(await limits.consumeConfirmation(portal, one.id)).to.equal(true);
      expect(await limits.consumeConfirmation(portal, other.id)).to.equal(false);
      expect(await lastAudit()).to.include({ actor: 'operator', action: `${auditNoun[portal]}.unlocked` });
    }
  });

  it('every change prints one object, or says what it did', async () => {
    const company = await newCompany();
    const { today } = requestTimeAt(new Date(), 'Europe/Lisbon');
    const granted = { limit: -1, started_on: today, until: '2099-12-31' };
    const solar = { category_id: 101, name: 'Energia Solar', parent_id: 1 };
    const job = async (): Promise<string> =>
      `--id ${await insertPending(company, 'production', randomBytes(4).toString('hex'))}`;
    const [user, admin] = [await newPerson('user'), await newPerson('admin')];
    const rows: (readonly [line: string | (() => Promise<string>), printed: object])[] = [
      [`company approve --id ${company}`, { company_id: company, production_approved: true }],
      [`company suspend --id ${company} --reason "Faturas por pagar."`, { company_id: company, suspended: true }],
      [`company reinstate --id ${company}`, { company_id: company, suspended: false }],
      [`company set --id ${company} --verified --no-auto-publish`, { verified: true, auto_publish: false }],
      [`company set --id ${company} --auto-publish`, { verified: true, auto_publish: true }],
      [`company districts --id ${company} --districts "2, 1"`, { district_ids: [1, 2] }],
      [`company districts --id ${company} --districts ""`, { district_ids: [] }],
      [`company subscribe --id ${company} --plan vip`, { plan: 'VIP', started_on: today }],
      [`company unsubscribe --id ${company}`, { plan: null }],
      [`company grant --id ${company} --limit -1 --until 2099-12-31`, granted],
      [`company grant --id ${company} --limit 3`, { limit: 3, until: null }],
      [`company end-grant --id ${company}`, { company_id: company }],
      [async () => `job approve ${await job()}`, { company_id: company, outcome: 'approved' }],
      [async () => `job deny ${await job()} --reason "Sem salário."`, { outcome: 'denied' }],
      [async () => `job withdraw ${await job()} --reason "A pedido."`, { outcome: 'withdrawn' }],
      [async () => `job remove ${await job()} --reason "A pedido."`, { environment: 'production' }],
      ['plan set --name Mini --limit 2 --api-eligible', { name: 'Mini', limit: 2, api_eligible: true }],
      [async () => `category add --name "Nova ${randomBytes(4).toString('hex')}" --parent 3`, {}],
      ['category rename --id 101 --name "Energia Solar"', solar],
      ['category deactivate --id 101', { ...solar, active: false }],
      ['category activate --id 101', { ...solar, active: true }],
      [`sandbox reset --company ${company}`, { company_id: company, jobs_removed: 0, keys_removed: 0 }],
      ['maintenance on', {}],
      ['maintenance off', {}],
      ['seed', { inserted: 0 }],
      [`user unlock --email ${user.email}`, user.data],
      [`user set-password --email ${user.email}`, user.data],
      [`admin unlock --email ${admin.email}`, admin.data],
      [`admin set-password --email ${admin.email}`, admin.data],
    ];
    for (const [row, printed] of rows) {
      const lineOf = async () => (typeof row === 'string' ? row : row());
      const line = await lineOf();
      const { exitCode, stdout, stderr } = await ops(line, password);
      expect({ exitCode, stderr }, line).to.deep.equal({ exitCode: 0, stderr: '' });
      expect(stdout, line)
        .to.match(/^[^\n]+\n$/)
        .and.not.match(/undefined|\{\{|\[object/);
      expect(await json(await lineOf(), password), line).to.deep.include(printed);
    }
    const entry = await service.db.auditEntry.findFirstOrThrow({ where: { action: 'job.withdrawn' } });
    expect(entry).to.deep.include({ actor: 'operator', companyId: id(company) });
    expect(entry.details).to.include({ reason: 'A pedido.' });
  });

  it('lists and shows each noun: one JSON object of a page, or a table', async () => {
    const company = await newCompany();
    const job = await insertPending(company, 'production', 'a');
    const [user, admin] = [await newPerson('user'), await newPerson('admin')];
    const own = `--company ${company}`;
    const { credential_id: credential } = await json(`credential issue ${own} --environment production --access read`);
    const logged = { companyId: id(company), environment: 'production', requestId: 'a-request' } as const;
    const answer = { protocol: 'rest', operation: 'getJob', status: 404, latencyMs: 3 } as const;
    const data = { ...logged, ...answer, at: new Date(), credentialId: id(credential) };
    await service.db.loggedRequest.create({ data });
    const lists: readonly (readonly [line: string, items: string, row: object])[] = [
      ['company list --sort newest', 'companies', { name: 'Oficina', verified: false }],
      [`job list ${own}`, 'jobs', { job_id: Number(job), status: 'pending' }],
      ['job queue --sort newest', 'jobs', { job_id: Number(job), company_id: company }],
      [`credential list ${own}`, 'credentials', { credential_id: credential, state: 'valid' }],
      [`user list --company ${user.data.company_id}`, 'users', { user_id: Number(user.id), email: user.email }],
      ['admin list', 'administrators', { email: admin.email }],
      ['plan list', 'plans', { name: 'Pro', api_eligible: true }],
      ['category list', 'categories', { category_id: 1, parent_id: null }],
      ['category areas', 'areas', { category_id: 1, parent_id: null }],
      ['district list', 'districts', { district_id: 13, name: 'Porto' }],
      [`job days ${own} --first-day 2026-01-01`, 'days', { jobs: 1 }],
      [`request minutes ${own}`, 'minutes', { requests: 1, refused: 1 }],
      [`request days ${own}`, 'days', { succeeded: 0, refused: 1, median_ms: 3 }],
      [`request list ${own} --status 4xx`, 'requests', { request_id: 'a-request', credential_id: credential }],
      [`audit list ${own}`, 'entries', { action: 'credential.issued', company_id: company }],
    ];
    const shows = [
      `company show --id ${company}`,
      `job show --id ${job}`,
      'job review',
      `sandbox show ${own}`,
      'request show --id a-request',
      `request show ${own} --id a-request`,
    ];
    for (const [line, items, row] of lists) {
      const listed = (await json(line))[items];
      expect(listed, line).to.be.an('array');
      const isRow = (one: object) => Object.entries(row).every(([key, value]) => Reflect.get(one, key) === value);
      expect((listed as object[]).some(isRow), `${line}: ${JSON.stringify(listed)}`).to.equal(true);
    }
    for (const show of shows) expect(Object.keys(await json(show)), show).to.not.deep.equal([]);
    for (const line of [...lists.map(([list]) => list), ...shows]) {
      const { exitCode, stdout } = await ops(line);
      expect(exitCode, stdout).to.equal(0);
      expect(stdout.split('\n').length, line).to.be.above(2);
      expect(stdout).to.not.match(/hash|argon|undefined|\{\{|\[object/);
    }
    expect(await json('company list --page 1000')).to.deep.include({ companies: [], page: 1000 });
    const first = await json('audit list');
    expect((first.entries as object[]).length).to.equal(50);
    const [older] = (await json(`audit list --before ${first.next}`)).entries as { audit_id: number }[];
    expect(older?.audit_id).to.be.below(first.next as number);
  });

  it('a misspelt noun, verb or flag names the nearest', async () => {
    for (const [line, near] of [
      ['compny list', 'company'],
      ['company crate --name A', 'create'],
      ['company create --name A --verfied', '--verified'],
    ] as const) {
      const { exitCode, stdout, stderr } = await ops(`${line} --json`);
      expect(exitCode, line).to.equal(2);
      for (const text of [stderr, JSON.parse(stdout).error.message]) expect(text).to.include(`Did you mean ${near}`);
    }
  });

  it('a refusal is one line on standard error, exit code 1 and with --json an object too', async () => {
    const refusals: [line: string, code: string][] = [
      ['company approve --id 999999', 'unknown_company'],
      ['credential revoke --id 999999', 'unknown_credential'],
      ['job remove --id 999999', 'unknown_job'],
      ['company create --name A --plan Nenhum', 'unknown_plan'],
      ['category add --name eletricistas', 'category_exists'],
      ['category add --name 职位', 'invalid_input'],
      ['company grant --id 1 --limit -2', 'invalid_input'],
      ['company grant --id 1 --limit 1 --until 2020-01-01', 'invalid_input'],
    ];
    for (const [i, [line, code]] of refusals.entries())
      expectError(await (i === 0 ? spawned : ops)(`${line} --json`), code);
    expect((await ops('company approve --id 999999')).stdout).to.equal('');
  });
});

describe('ops without a service', () => {
  before(() => {
    folder = ownFolder();
  });

  it('creates the database, stores the changes, and releases the folder', async () => {
    const { company_id } = objectOf(await spawned('company create --name "Oficina" --plan Especial --json'));
    const approved = objectOf(await spawned(`company approve --id ${company_id} --json`));
    expect(approved).to.deep.equal({ company_id, production_approved: true });
    service = await openDatabase({ dataDir: folder });
    const entries = await service.db.auditEntry.findMany({ orderBy: { id: 'asc' } });
    await service.close();
    const recorded = entries.map(({ action, actor }) => `${actor} ${action}`);
    expect(recorded).to.deep.equal(['operator company.created', 'operator company.approved']);
  });

  it('a setting or database that cannot be used is one line and exit code 1', async () => {
    for (const [wrong, code] of [
      [{ SERVICE_TIMEZONE: 'Mars/Olympus' }, 'setting'],
      [{ DATABASE_URL: 'postgresql://user:hidden-word@127.0.0.1:1/nothing' }, 'database'],
    ] as const) {
      const ran = await runInProcess(['plan', 'list', '--json'], { settings: { ...settings(), ...wrong } });
      expectError(ran, code);
      expect(ran.stdout + ran.stderr).to.not.include('hidden-word');
    }
  });
});
