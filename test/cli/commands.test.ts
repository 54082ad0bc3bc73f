import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runOps } from '../../src/cli/run-ops.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { readSecret } from '../../src/domain/token.ts';
import { createJob } from '../../src/operations/jobs/change-job-sql.ts';
import { secret } from '../helper/declared-inputs.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { programArguments, type Ran, runInProcess, runProcess } from './run-cli.ts';

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

/** A sandbox job of a new company. */
async function newJob(own: object = {}) {
  const { company_id: company } = await json('company create --name "Oficina" --verified');
  const tenant = { companyId: BigInt(company as number), environment: 'sandbox' } as const;
  const entitlement = { allowance: 'sandbox', accessType: 'subscription', limit: 100, period: null } as const;
  const written = { key: 'a', hashes: {}, checksDistricts: false, actor: 'credential:1', now: new Date() } as const;
  const fields = { ...minimalJob, salary_negotiable: false, ...own };
  const { job } = await createJob(service.db, tenant, { ...written, entitlement, status: 'pending', fields });
  return { company, id: job?.id };
}

/** Expects a refusal with this code in the object, and on standard error one line. */
function expectError({ exitCode, stdout, stderr }: Ran, code: string, expectedExit = 1): void {
  expect(exitCode, stdout).to.equal(expectedExit);
  expect(stderr).to.match(/^error: [^\n]+\n$/);
  expect(JSON.parse(stdout).error.code).to.equal(code);
}

describe('ops where no service has made a database', () => {
  const run = async (cwd: string, line: string, program = programArguments, settings = {}) => {
    const [file = '', ...args] = [...program, ...words(line)];
    const { DATABASE_URL: _, DATABASE_URL_FILE: __, DATA_DIR: ___, ...env } = process.env;
    return promisify(execFile)(process.execPath, [file, ...args], { cwd, env: { ...env, ...settings } }).then(
      ({ stdout }) => stdout,
      (error: { stderr: string }) => error.stderr,
    );
  };

  it('makes none, and uses the one of a service in the same folder', async () => {
    const cwd = ownFolder();
    const company = 'company create --name Oficina';
    for (const DATA_DIR of [join(cwd, 'mistyped'), join(cwd, 'mistyped', 'below')]) {
      const ran = await runInProcess(words('company list --json'), { settings: { DATA_DIR } });
      expectError(ran, 'setting');
      expect(ran.stderr).to.include(`There is no database in ${DATA_DIR}, `);
    }
    const unusable = await runInProcess(words('company list --json'), { settings: { DATA_DIR: process.execPath } });
    expectError(unusable, 'database');
    expect(unusable.stderr).to.include(`the data folder ${process.execPath} cannot be used: ENOTDIR`);
    const migrate = (settings = {}) => run(cwd, '', [join(packageRoot, 'dist/scripts/migrate.js')], settings);
    // An installation migrates before its first start.
    expect(await migrate({ DATA_DIR: join(cwd, 'new') })).to.match(/new; the service makes it at its first start\n$/);
    for (const said of [await run(cwd, company), await migrate()])
      expect(said).to.match(/^(error: )?There is no database in .*data, which .* set DATABASE_URL or DATA_DIR .*\n$/);
    expect(readdirSync(cwd)).to.deep.equal([]);
    const local = await openDatabase({ dataDir: join(cwd, 'data') });
    expect(await run(cwd, company)).to.match(/^Company \d+ is created[.]\n$/);
    await local.close();
    expect(await migrate()).to.match(/ is up to date\n$/);
  });

  it('prints the release', async () => {
    const { stdout } = await runInProcess(['--version'], { settings: {} });
    expect(stdout).to.match(/^\d+\.\d+\.\d+ \((unknown|[0-9a-f]{8}\+?)\)\n$/);
    for (const args of [
      ['--version', '--json'],
      ['--json', '--version'],
    ]) {
      const asJson = await runInProcess(args, { settings: {} });
      expect(JSON.parse(asJson.stdout)).to.deep.equal({ release: stdout.trim() });
    }
  });

  it('tells a person at a terminal which database a command uses', async () => {
    const dataDir = ownFolder();
    const local = await openDatabase({ dataDir });
    const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
    const stderr = Object.assign(streams.stderr, { isTTY: true });
    const code = await runOps(words('company list'), { ...streams, stderr, env: { DATA_DIR: dataDir } });
    await local.close();
    expect([code, String(stderr.read())]).to.deep.equal([0, `the embedded database in ${dataDir}\n`]);
  });
});

// operations/declarations.test.ts tests what each command does.
describe('ops beside a running service', () => {
  before(async () => {
    folder = ownFolder();
    service = await openDatabase({ dataDir: folder });
  });
  after(() => service.close());

  it('prints one object with --json, otherwise a line; prints a credential’s secret only once', async () => {
    const flags = '--plan Pro --verified --production-approved --auto-publish';
    const { company_id, ...more } = objectOf(await spawned(`company create --name "Oficina" ${flags} --json`));
    expect(more).to.deep.equal({});
    const companyId = BigInt(company_id as number);
    const where = { id: companyId };
    const row = await service.db.company.findUniqueOrThrow({ where, include: { subscription: true } });
    expect(row).to.include({ name: 'Oficina', verified: true, autoPublish: true });
    expect([row.productionApprovedAt === null, row.subscription === null]).to.deep.equal([false, false]);
    expect((await ops('company create --name "Outra Oficina"')).stdout).to.match(/^Company \d+ is created[.]\n$/);
    const kind = `--company ${company_id} --environment production --access read`;
    const { credential_id, secret, ...others } = await json(`credential issue ${kind} --days 7`);
    expect(others).to.deep.equal({});
    expect(readSecret(secret as string)).to.deep.equal({ environment: 'production', companyId });
    for (const line of [`issue ${kind}`, `replace --id ${credential_id} --overlap-hours 0`])
      expect((await ops(`credential ${line}`)).stdout).to.match(
        /^credential \d+, until \d{4}-.*Z;.*\nvaga_live_\S+\n$/,
      );
    expect((await ops(`credential list --company ${company_id}`)).stdout).to.not.include('vaga_live_');
  });

  it('changes a job with the JSON of a file or of standard input, and refuses what a PATCH refuses', async () => {
    const { id } = await newJob();
    const update = `job update --id ${id} --file`;
    const file = join(folder, 'job.json');
    await writeFile(file, JSON.stringify({ title: 'Pintor', body: 'Uma\nduas' }));
    expect(await json(`${update} ${file}`)).to.include({ job_id: id, status: 'pending' });
    await json(`${update} -`, JSON.stringify({ salary_min: 1200 }));
    expect(await json(`job show --id ${id}`))
      .to.have.property('job')
      .that.includes({ title: 'Pintor', body: '<p>Uma<br>duas</p>', salary_min: '1200.00' });
    const refused = await ops(`${update} - --json`, JSON.stringify({ title: '', colour: 'red' }));
    expectError(refused, 'invalid_input');
    expect(refused.stderr).to.match(/Job.colour is not a known field.* Job.title must have at least 1 character[.]/);
    expect((await ops(`${update} -`, '{}')).stdout).to.equal('');
    expectError(await spawned('company approve --id 999999 --json'), 'unknown_company');
    for (const input of ['', 'x', '[]', '{}']) expectError(await ops(`${update} - --json`, input), 'invalid_input');
  });

  it('refuses a file that cannot be read, and input that is not UTF-8, with one line that names it', async () => {
    const latin = Buffer.from('Ferramenta segura é', 'latin1');
    const [file, missing] = [join(folder, 'latin.json'), join(folder, 'missing.json')];
    await writeFile(file, latin);
    for (const [line, input, said] of [
      [`job update --id 1 --file ${missing}`, '', `${missing} cannot be read: ENOENT`],
      [`job update --id 1 --file ${folder}`, '', `${folder} cannot be read: EISDIR`],
      [`job update --id 1 --file ${file}`, '', `${file} is not in UTF-8`],
      ['job update --id 1 --file -', latin, 'standard input is not in UTF-8'],
      ['admin create --email latin@example.com', latin, 'standard input is not in UTF-8'],
      ['company create --name Caf\ufffd', '', 'an argument is not in UTF-8'],
    ] as const) {
      const ran = await runInProcess(words(`${line} --json`), { settings: settings(), input });
      expectError(ran, 'input');
      expect(ran.stderr, line).to.include(`error: ${said}`);
    }
  });

  it('never repeats a secret, in a wrong place or as the name of who acts', async () => {
    for (const [line, code] of [
      [`company create --name ${secret}`, 'invalid_input'],
      [`plan list --as ${secret}`, 'setting'],
      [`job show --id ${secret}`, 'usage'],
      [`company list --sort ${secret}`, 'usage'],
      [`plan ${secret}`, 'usage'],
      [`plan list --${secret}`, 'usage'],
      [`plan list ${secret}`, 'usage'],
    ] as const) {
      const outcome = await ops(`${line} --json`);
      expect(JSON.parse(outcome.stdout), line).to.have.nested.property('error.code', code);
      expect(outcome.stdout + outcome.stderr, line).to.not.include(secret);
    }
  });

  it('prints nothing that steers a terminal, and JSON is equal after parsing', async () => {
    const hostile = 'Técnico\u00a0🎓 \x1b]0;\x07\x7f\x80\x9b2J\u00ad\u200f\u202e\u2028\u2029\u2066\ufeff\u{e0041}\t\n';
    const { company, id: job } = await newJob({ title: hostile });
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

  it('exports a company as one JSON object a line', async () => {
    const { company_id } = await json('company create --name "Oficina\u202e"');
    for (const { exitCode, stdout, stderr } of [
      await ops(`company export --company ${company_id}`),
      await spawned(`company export --company ${company_id} --json`),
    ]) {
      expect([exitCode, stderr]).to.deep.equal([0, '']);
      const [company, ...more] = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(company).to.include({ record: 'company', id: company_id, name: 'Oficina\u202e' });
      expect(stdout).to.include('\\u202e');
      // The creation and the exports so far.
      expect(new Set(more.map(({ record }) => record))).to.deep.equal(new Set(['audit_entry']));
    }
  });

  it('a reader that closes standard output, such as head, ends an export quietly', async () => {
    const { company_id } = await json('company create --name "Oficina"');
    const entry = { companyId: BigInt(company_id as number), actor: 'operator', action: 'company.changed' };
    const data = Array(1000).fill({ ...entry, createdAt: new Date(), details: {} });
    await service.db.auditEntry.createMany({ data });
    const args = words(`company export --company ${company_id}`);
    const ran = await runProcess(args, { settings: settings(), readsNothing: true });
    expect(ran).to.deep.equal({ exitCode: 0, stdout: '', stderr: '' });
    if (!existsSync('/dev/full')) return;
    const full = await runProcess(args, { settings: settings(), output: '/dev/full' });
    const stderr = 'error: standard output cannot be written (ENOSPC)\n';
    expect(full).to.deep.equal({ exitCode: 1, stdout: '', stderr });
  });

  it('a change whose output cannot be written fails, and says that it was made and which command gets another secret or link', async () => {
    const { company_id } = await json('company create --name "Oficina"');
    const { credential_id: id } = await json(
      `credential issue --company ${company_id} --environment sandbox --access read`,
    );
    const outputs = [{ readsNothing: true }, ...(existsSync('/dev/full') ? [{ output: '/dev/full' }] : [])];
    for (const output of outputs)
      for (const [line, said] of [
        ['company create --name Oficina', /Company \d+ is created[.]$/],
        [
          `credential replace --id ${id} --overlap-hours 1`,
          /credential \d+ is new; the old one ends at 20\S+Z; for another secret, run (?<next>credential replace .*)$/,
        ],
        [
          `user create --link --role sub --company ${company_id} --email ${Object.keys(output)}@example.com`,
          /Account \d+ is created[.]; for another link, run (?<next>user set-password .*)$/,
        ],
        [
          `admin create --link --email "${Object.keys(output)}&so@example.com"`,
          /Administrator \d+ is created[.]; for another link, run (?<next>admin set-password .*)$/,
        ],
        ['company list', undefined],
      ] as const) {
        const { exitCode, stderr } = await runProcess(words(`${line} --json`), { settings: settings(), ...output });
        const lost = stderr.replace(/^error: standard output cannot be written [(]ENOSPC[)]\n/, '').trimEnd();
        expect(exitCode, stderr).to.equal(said || 'output' in output ? 1 : 0);
        const told = lost.replace(/^error: this was done, but its output is lost: /, '');
        expect(told).to.match(said ?? /^$/);
        const { next } = said?.exec(told)?.groups ?? {};
        if (next) expect((await ops(next.replaceAll("'", '"'))).stdout).to.match(/vaga_(test|link)_(?!\[)/);
        expect(stderr).to.not.match(/vaga_(test|link)_(?!\[)/);
      }
    const { credentials } = await json(`credential list --company ${company_id}`);
    expect(credentials).to.have.length(1 + 2 * outputs.length);
  });

  it('reads a password from standard input and never shows it', async () => {
    const admin = await spawned('admin create --email Admin@example.com', `${password}\r\n`);
    expect(admin.stdout).to.match(/^Administrator \d+ is created[.]\n$/);
    for (const [input, code] of [
      [password, 'email_taken'],
      ['curta', 'invalid_input'],
      [`${password}\n\n`, 'invalid_input'],
      [`${password}\t`, 'invalid_input'],
    ] as const) {
      const ran = await ops('admin create --email admin@example.com --json', input);
      expectError(ran, code);
      expect(ran.stdout + ran.stderr).to.not.include(input);
    }
    expect((await ops('admin create --email admin@example.com --password x', password)).exitCode).to.equal(2);
  });

  it('prints a link that sets a password, of an account that is created or has another', async () => {
    const { company_id } = await json('company create --name "Oficina"');
    const link = /\nlink: (\/(dashboard|admin)\/set-password\?link=vaga_link_[0-9a-f]{48})\nends at: 20\S+Z\n$/;
    for (const line of [
      `user create --company ${company_id} --email ligada@example.com --role main --link`,
      `user invite --company ${company_id} --email convidada@example.com`,
      'user set-password --email ligada@example.com --link',
      'admin create --email ligada@example.com --link',
      'admin set-password --email ligada@example.com --link',
    ]) {
      expect((await ops(line)).stdout, line).to.match(link);
      if (line.includes('set-password')) expect((await json(line)).path).to.match(/^\/.*\?link=vaga_link_/);
    }
    const PUBLIC_URL = 'https://api.example.com';
    const there = words('admin set-password --email ligada@example.com --link');
    const ran = await runInProcess(there, { settings: { ...settings(), PUBLIC_URL } });
    expect(ran.stdout).to.include(`\nlink: ${PUBLIC_URL}/admin/set-password?link=`);
  });

  it('names no step of a server, whatever the embedded database answers', async () => {
    for (const code of ['57014', '25006', '53100']) {
      for (const statement of [
        `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'said by it' USING ERRCODE = '${code}'; END $$`,
        'CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON companies EXECUTE FUNCTION fail()',
      ])
        await service.db.$executeRawUnsafe(statement);
      const { stderr } = await ops('company create --name Oficina').finally(() =>
        service.db.$executeRawUnsafe('DROP FUNCTION fail CASCADE'),
      );
      expect(stderr).to.equal('error: the database cannot be used: said by it; try again, or restart the service\n');
    }
  });

  it('prints how to get the next page of a list', async () => {
    const entry = { actor: 'operator', action: 'company.changed', createdAt: new Date() };
    await service.db.auditEntry.createMany({ data: Array(51).fill({ ...entry, details: {} }) });
    const { entries, next } = await json('audit list');
    expect(entries).to.have.length(50);
    expect((await ops('audit list')).stdout).to.match(new RegExp(`\nmore: --before ${next}\n$`));
    const [older] = (await json(`audit list --before ${next}`)).entries as { audit_id: number }[];
    expect(older?.audit_id).to.be.below(next as number);
    expect(await json('company list --page 1000')).to.deep.include({ companies: [], page: 1000 });
  });

  it('for a misspelt noun, verb or flag, names the nearest one', async () => {
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
});

describe('ops without a service', () => {
  before(async () => {
    folder = ownFolder();
    await (await openDatabase({ dataDir: folder })).close();
  });

  it('opens the database, stores the changes, and releases the folder', async () => {
    const { company_id } = objectOf(await spawned('company create --name "Oficina" --plan Especial --json'));
    const approved = objectOf(await ops(`company approve --id ${company_id} --as "Ana Sousa" --json`));
    expect(approved).to.deep.equal({ company_id, production_approved: true });
    const named = { settings: { ...settings(), VAGA_OPERATOR: 'rui' } };
    expect((await runInProcess(words(`company suspend --company ${company_id}`), named)).exitCode).to.equal(0);
    expectError(await ops(`company reinstate --company ${company_id} --as "${'x'.repeat(81)}" --json`), 'setting');
    service = await openDatabase({ dataDir: folder });
    const entries = await service.db.auditEntry.findMany({ orderBy: { id: 'asc' } });
    await service.close();
    const recorded = entries.map(({ action, actor }) => `${actor} ${action}`);
    expect(recorded).to.deep.equal([
      `operator:${userInfo().username} company.created`,
      'operator:Ana Sousa company.approved',
      'operator:rui company.suspended',
    ]);
  });

  it('a database that never answers nor fails is a failure too', async () => {
    // The driver throws inside a promise that it never settles.
    const never = { DATABASE_URL: 'postgres://127.0.0.1/vaga', PGPORT: 'abc' };
    const { exitCode, stderr } = await runProcess(['plan', 'list'], { settings: never });
    expect([exitCode, stderr]).to.deep.equal([
      1,
      'vaga: ended too early, waiting for something that never came; check DATABASE_URL\n',
    ]);
  });

  it('an unusable setting or database is reported in one line with exit code 1', async () => {
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
