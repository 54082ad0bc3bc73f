import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { versionOf } from '../../scripts/check-breaking.ts';
import { readDocument } from '../../scripts/generate/document.ts';
import type { Job } from '../../src/client/index.ts';
import * as client from '../../src/client/index.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { addressOf } from '../helper/address.ts';
import { actionContext, db, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';
import { examplesOf, installPackedClient } from './packed-client.ts';

const run = promisify(execFile);

const program = `
import { createClient, VagaError } from '@vaga/client';

const client = createClient({ baseUrl: process.argv[2]!, token: process.argv[3]!, fetch: globalThis.fetch });
// @ts-expect-error: the contract has no such parameter
const refused: unknown = await client.listJobs({ colour: 'red' }).catch((error: unknown) => error);
if (!(refused instanceof VagaError)) throw new Error('not refused');
for await (const { salary_min } of client.allJobs({ status: 'pending' })) console.log(salary_min satisfies string | null);
console.log(refused.status, Object.keys(refused.fields));
`;

/** Names values and types. */
const typed = `
import { createClient, etagOf, inputOf, TooManyWithdrawals, VagaError, type Job, type JobInput, type Retry } from '@vaga/client';

const onRetry = ({ error, pauseSeconds }: Retry) => console.log(error.status satisfies number, pauseSeconds satisfies number);
const client = createClient({ baseUrl: '', token: '', onRetry });
export async function copy(id: number): Promise<[Job, boolean]> {
  const input: JobInput = inputOf(await client.getJob(id));
  const { data, isReplayed } = await client.createJob(input, { retries: 1, timeoutSeconds: 5 }).withResponse();
  await client.withdrawJob(id, { ifMatch: etagOf(data) });
  return [data, isReplayed];
}
export const fieldsOf = (error: unknown) =>
  error instanceof VagaError ? error.fields : error instanceof TooManyWithdrawals ? error.message : undefined;
// @ts-expect-error: the contract has no such parameter
export const refused = client.listJobs({ colour: 'red' });
`;

const compilerOptions = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, types: ['node'] },
  ...{ target: 'ES2022', lib: ['ES2022'], module: 'nodenext', moduleResolution: 'nodenext' },
};

describe('typed client: the package', () => {
  let folder: string;

  before(async () => {
    folder = await installPackedClient();
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('installs with one dependency, has the contract’s version, and is below 30 KB', async () => {
    const { dependencies, version } = JSON.parse(await readFile(join(packageRoot, 'src/client/package.json'), 'utf8'));
    const service = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
    expect(dependencies).to.deep.equal({ 'openapi-fetch': service.devDependencies['openapi-fetch'] });
    expect(version).to.equal(versionOf(readDocument(await readFile(join(packageRoot, 'openapi.yaml'), 'utf8'))));
    const installed = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(installed).to.have.members(['openapi-fetch', 'openapi-typescript-helpers', '@vaga']);
    expect((await stat(join(folder, `vaga-client-${version}.tgz`))).size).to.be.below(30_000);
  });

  describe('in an empty project', () => {
    let company: TestCompany;
    let [address, secret] = ['', ''];

    before(async () => {
      company = await newCompany();
      [address, secret] = [addressOf(server()), await company.secret('sandbox', 'write')];
      await mkdir(join(folder, 'node_modules', '@types'));
      for (const name of ['@types/node', 'undici-types'])
        await symlink(join(packageRoot, 'node_modules', name), join(folder, 'node_modules', name));
      const [example = '', sync = ''] = await examplesOf('src/client/README.md', address);
      const files = { 'program.mts': program, 'example.mts': example, 'sync.mts': sync };
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    });

    it('the client and its README’s examples compile, and the first example runs', async () => {
      const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
      const { stdout: complaints } = await run(process.execPath, [tsc], { cwd: folder }).catch((error) => error);
      expect(complaints).to.equal('');
      const { stdout } = await run(process.execPath, ['program.mjs', address, secret], { cwd: folder });
      expect(stdout).to.equal("422 [ 'colour' ]\n");
      const example = await run(process.execPath, ['example.mjs'], { cwd: folder, env: { VAGA_TOKEN: secret } });
      expect(example.stderr).to.equal('');
      expect(example.stdout).to.match(/^\d+ Eletricista de obras\n$/);
    });

    it('its types resolve in every module system that can load it, also without skipLibCheck', async () => {
      const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
      const options = ['--strict', '--noEmit', '--types', 'node', '--target', 'es2022'];
      for (const file of ['old.ts', 'old.cts', 'old.mts']) await writeFile(join(folder, file), typed);
      for (const [module, moduleResolution, ...files] of [
        ['commonjs', 'node10', 'old.ts'],
        ['node16', 'node16', 'old.cts', 'old.mts'],
        ['esnext', 'bundler', 'old.ts'],
      ] as const) {
        const args = [tsc, ...options, '--module', module, '--moduleResolution', moduleResolution, ...files];
        const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error);
        expect(stdout, moduleResolution).to.equal('');
      }
    });

    it('CommonJS has the same exports', async () => {
      const script = `import('@vaga/client').then((module) => console.log(Object.keys(module).join() === Object.keys(require('@vaga/client')).join()))`;
      expect((await run(process.execPath, ['-e', script], { cwd: folder })).stdout).to.equal('true\n');
      const declared = await readFile(join(folder, 'node_modules/@vaga/client/src/client/index.d.cts'), 'utf8');
      const names = [...declared.matchAll(/^export declare const (\w+)/gm)].map(([, name]) => name);
      expect(names.sort()).to.deep.equal(Object.keys(client).sort());
    });

    it('the sync of its README makes a list true', async () => {
      // The example's job has a key too, so a sync would withdraw it.
      const writer = await company.writer();
      for (const { id } of (await writer.get('/jobs')).body.data) await writer.withdraw(id);
      await writeJobs({ '17': 'Eletricista', 'ref:18': 'Canalizador' });
      const sync = () => run(process.execPath, ['sync.mjs'], { cwd: folder, env: { VAGA_TOKEN: secret } });
      expect((await sync()).stdout).to.match(/^created (17|ref:18) \ncreated (17|ref:18) \n$/);
      expect((await sync()).stdout.match(/^unchanged/gm)).to.have.length(2);
    });
  });

  describe('its command', () => {
    let company: TestCompany;
    let env: NodeJS.ProcessEnv;
    let npxArguments: string[];

    before(async () => {
      const readme = await readFile(join(packageRoot, 'src/client/README.md'), 'utf8');
      npxArguments = /\bnpx (--no .*) sync jobs\.json/.exec(readme)?.[1]?.split(' ') ?? [];
      company = await newCompany();
      env = {
        PATH: process.env.PATH,
        VAGA_URL: addressOf(server()),
        VAGA_TOKEN: await company.secret('sandbox', 'write'),
      };
    });

    const outcomeOf = (file: string, args: readonly string[]) =>
      run(file, args, { cwd: folder, env }).then(
        ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      );
    /** As the README says. npx starts for longer than the command runs, so most tests leave it out. */
    const byName = (...args: string[]) => outcomeOf('npx', [...npxArguments, 'sync', ...args]);
    const program = () => join(folder, 'node_modules/@vaga/client/src/client/command.js');
    const command = (...args: string[]) => outcomeOf(process.execPath, [program(), 'sync', ...args]);
    const shown = async (): Promise<string[]> =>
      (await (await company.reader()).get('/jobs?per_page=100')).body.data.map(
        ({ title, status }: Job) => `${title} ${status}`,
      );

    it('prints a line for each job and a summary; its exit code says how it ended', async () => {
      await writeJobs({ a: 'Eletricista', b: 'Canalizador', c: 'Pintor' });
      const dry = await byName('jobs.json', '--dry-run');
      expect([dry.code, dry.stdout.split('\n').slice(-2)]).to.deep.equal([0, ['dry run: 3 created', '']]);
      expect(await shown()).to.deep.equal([]);
      const first = await command('jobs.json');
      expect([first.code, first.stdout.split('\n')[3]]).to.deep.equal([0, '3 created']);
      expect(first.stdout).to.match(/^created {4}[abc] {2}\d+ {2}pending$/m);
      await writeJobs({ a: 'Eletricista', b: 'Azulejador', c: '' });
      const refused = await command('jobs.json');
      expect([refused.code, refused.stdout]).to.deep.equal([1, refused.stdout]);
      expect(refused.stdout)
        .to.match(/^failed .*c .* title: /m)
        .and.match(/^changed .*b .*title$/m);
      await writeJobs({ a: 'Eletricista' });
      const many = await byName('jobs.json');
      expect([many.code, many.stdout]).to.deep.equal([3, '']);
      expect(many.stderr).to.match(/^2 of 3 jobs .* Nothing was changed; --yes withdraws them\.\n$/);
      expect((await shown()).filter((line) => line.endsWith('pending'))).to.have.length(3);
      expect((await command('jobs.json', '--yes')).stdout).to.match(
        /2 withdrawn, 1 unchanged\n$|1 unchanged, 2 withdrawn\n$/,
      );
      await writeFile(join(folder, 'mark.json'), `\ufeff${await readFile(join(folder, 'jobs.json'), 'utf8')}`);
      expect(await command('mark.json', '--dry-run')).to.deep.include({ code: 0, stderr: '' });
      await writeFile(join(folder, 'latin1.json'), '[{"id": "a", "job": {"title": "Soldador em Évora"}}]', 'latin1');
      expect((await command('latin1.json', '--dry-run')).stderr).to.match(
        /^latin1.json: .*not valid for encoding utf-8\n$/,
      );
      for (const wrong of [['missing.json'], ['package.json'], [], ['jobs.json', '--no'], ['jobs.json', 'more']])
        expect((await command(...wrong)).code, wrong.join(' ')).to.equal(2);
      env = { ...env, VAGA_TOKEN: 'vaga_test_x' };
      const unknown = await command('jobs.json');
      expect([unknown.code, unknown.stdout]).to.deep.equal([1, '']);
      expect(unknown.stderr).to.not.include('vaga_test_x');
    });

    it('exits with 1 if a listed job is withdrawn or has expired, but not if it was denied', async () => {
      company = await newCompany();
      env = { ...env, VAGA_TOKEN: await company.secret('production', 'write') };
      const titles = { a: 'Eletricista', b: 'Canalizador', c: 'Pintor' };
      await writeJobs(titles);
      expect((await command('jobs.json')).code).to.equal(0);
      const refOf = async (title: string) => {
        const { id: jobId } = await db().job.findFirstOrThrow({ where: { companyId: company.id, title } });
        return { companyId: company.id, environment: 'production', jobId } as const;
      };
      await denyJob(actionContext(), { ...(await refOf('Pintor')), reason: 'Falta o salário.' });
      const denied = await command('jobs.json');
      expect([denied.code, denied.stdout.split('\n').at(-2)]).to.deep.equal([0, '3 unchanged']);
      await writeJobs({ a: 'Eletricista', c: 'Pintor' });
      expect((await command('jobs.json')).code, 'withdraws b').to.equal(0);
      await writeJobs(titles);
      const withdrawn = await command('jobs.json');
      expect(withdrawn.stdout).to.match(/^kept +b {2}\d+ {2}inactive$/m);
      expect(withdrawn.code).to.equal(1);
      expect((await command('jobs.json', '--dry-run')).code).to.equal(1);
      await writeJobs({ a: 'Eletricista', c: 'Pintor' });
      const { companyId, jobId: id } = await approveJob(actionContext(), await refOf('Eletricista'));
      await db().job.updateMany({ where: { companyId, id }, data: { validUntil: new Date('2020-01-01') } });
      const expired = await command('jobs.json');
      expect([expired.code, /^kept +a {2}\d+ {2}expired$/m.test(expired.stdout)]).to.deep.equal([1, true]);
    });

    it('prints its usage if asked, and with what is wrong in its arguments', async () => {
      for (const asked of [['--help'], ['jobs.json', '-h']]) {
        const { code, stdout, stderr } = await command(...asked);
        expect([code, stdout.split(' ')[0], stderr]).to.deep.equal([0, 'vaga-client', '']);
      }
      for (const wrong of [[], ['jobs.json', '--no'], ['jobs.json', 'more']])
        expect((await command(...wrong)).stderr, wrong.join(' ')).to.include('vaga-client sync FILE');
    });

    it('withdraws nothing if its question is left with Ctrl-D', async () => {
      company = await newCompany();
      env = { ...env, VAGA_TOKEN: await company.secret('sandbox', 'write') };
      await writeJobs({ a: 'Eletricista', b: 'Canalizador', c: 'Pintor' });
      expect((await command('jobs.json')).code).to.equal(0);
      await writeJobs({ a: 'Eletricista' });
      // Gives the command a terminal.
      const words = ['-qec', `"${process.execPath}" "${program()}" sync jobs.json`, '/dev/null'];
      const asked = spawn('script', words, { cwd: folder, env });
      let printed = '';
      asked.stdout.on('data', (text) => {
        printed += text;
        if (printed.includes('(yes/no)') && asked.stdin.writable) asked.stdin.end('\x04');
      });
      const [code] = await once(asked, 'close');
      expect(code, printed).to.equal(3);
      expect((await shown()).filter((line) => line.endsWith('pending'))).to.have.length(3);
    });

    it('goes on to the end if its output is not read or cannot be written', async () => {
      for (const [output, said] of [
        ['| true', '0\n'],
        ['> /dev/full', 'standard output cannot be written (ENOSPC)\n1\n'],
      ] as const) {
        if (output.includes('/dev/full') && !existsSync('/dev/full')) continue;
        company = await newCompany();
        env = { ...env, VAGA_TOKEN: await company.secret('sandbox', 'write') };
        await writeJobs(Object.fromEntries(times(24, (n) => [`ref:${n}`, `Vaga ${n}`])));
        const script = `("${process.execPath}" "${program()}" sync jobs.json; echo $? >&2) ${output}`;
        const { stderr } = await run('sh', ['-c', script], { cwd: folder, env });
        expect(stderr).to.equal(said);
        expect(await shown()).to.have.length(24);
      }
    });

    it('killed at any line, it is run again and makes the list true, with each job once', async () => {
      company = await newCompany();
      env = { ...env, VAGA_TOKEN: await company.secret('sandbox', 'write') };
      const titles = Object.fromEntries(times(24, (n) => [`ref:${n}`, `Vaga ${n}`]));
      await writeJobs(titles);
      for (const lines of [1, 3, 7]) {
        const killed = spawn(process.execPath, [program(), 'sync', 'jobs.json'], { cwd: folder, env });
        let printed = '';
        killed.stdout.on('data', (text) => {
          printed += text;
          if (printed.split('\n').length > lines) killed.kill('SIGKILL');
        });
        await once(killed, 'close');
      }
      const last = await command('jobs.json');
      expect([last.code, last.stderr]).to.deep.equal([0, '']);
      expect((await shown()).sort()).to.deep.equal(
        Object.values(titles)
          .map((title) => `${title} pending`)
          .sort(),
      );
      expect((await command('jobs.json')).stdout).to.match(/24 unchanged\n$/);
    });
  });

  const writeJobs = (titles: Record<string, string>) =>
    writeFile(
      join(folder, 'jobs.json'),
      JSON.stringify(Object.entries(titles).map(([id, title]) => ({ id, job: { ...minimalJob, title } }))),
    );
});
