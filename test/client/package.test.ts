import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { versionOf } from '../../scripts/check-breaking.ts';
import { readDocument } from '../../scripts/generate/document.ts';
import { etagOf, type Job } from '../../src/client/index.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { examplesOf, installPackedClient } from './packed-client.ts';

const run = promisify(execFile);

const program = `
import { createClient, VagaError } from 'vaga-client';

const client = createClient({ baseUrl: process.argv[2]!, token: process.argv[3]!, fetch: globalThis.fetch });
// @ts-expect-error: the contract has no such parameter
const refused: unknown = await client.listJobs({ colour: 'red' }).catch((error: unknown) => error);
if (!(refused instanceof VagaError)) throw new Error('not refused');
for await (const { salary_min } of client.allJobs({ status: 'pending' })) console.log(salary_min satisfies string | null);
console.log(refused.status, Object.keys(refused.fields));
`;

const syncProgram = `
import { sync } from './sync.mjs';

await sync(new Map(JSON.parse(process.argv[2]!)), 'sent.json');
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

  it('installs with one dependency, has the contract’s version, and is below 20 KB', async () => {
    const { dependencies, version } = JSON.parse(await readFile(join(packageRoot, 'src/client/package.json'), 'utf8'));
    const service = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
    expect(dependencies).to.deep.equal({ 'openapi-fetch': service.devDependencies['openapi-fetch'] });
    expect(version).to.equal(versionOf(readDocument(await readFile(join(packageRoot, 'openapi.yaml'), 'utf8'))));
    const installed = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(installed).to.have.members(['openapi-fetch', 'openapi-typescript-helpers', 'vaga-client']);
    expect((await stat(join(folder, `vaga-client-${version}.tgz`))).size).to.be.below(20_000);
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
      const [example = '', sync = ''] = await examplesOf('src/client/README.md', address, secret);
      const files = { 'program.mts': program, 'example.mts': example, 'sync.mts': sync };
      for (const [name, text] of Object.entries({ ...files, 'run-sync.mts': syncProgram }))
        await writeFile(join(folder, name), text);
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    });

    it('the client and its README’s examples compile, and the first example runs', async () => {
      const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
      const { stdout: complaints } = await run(process.execPath, [tsc], { cwd: folder }).catch((error) => error);
      expect(complaints).to.equal('');
      const { stdout } = await run(process.execPath, ['program.mjs', address, secret], { cwd: folder });
      expect(stdout).to.equal("422 [ 'colour' ]\n");
      const example = await run(process.execPath, ['example.mjs'], { cwd: folder });
      expect(example.stderr).to.equal('');
      expect(example.stdout).to.match(/^\d+ Eletricista de obras\n$/);
    });

    it('the sync of its README publishes, changes and withdraws, each job once, also after a crash', async () => {
      const reader = await company.reader();
      const file = join(folder, 'sent.json');
      const jobsNow = async (): Promise<Job[]> => (await reader.get('/jobs?per_page=100')).body.data;
      const others = await jobsNow();
      const isOther = ({ id }: Job) => others.some((other) => other.id === id);
      /** Runs a sync. Returns its complaints, and the jobs afterwards, newest first. */
      const sync = async (titles: Record<string, string>) => {
        const wanted = Object.entries(titles).map(([own, title]) => [own, { ...minimalJob, title }]);
        const { stderr } = await run(process.execPath, ['run-sync.mjs', JSON.stringify(wanted)], { cwd: folder });
        const data = await jobsNow();
        expect(data.filter(isOther)).to.deep.equal(others);
        const own = data.filter((job) => !isOther(job));
        return { stderr, jobs: own.map(({ title, status }) => `${title} ${status}`), versions: own.map(etagOf) };
      };
      await writeFile(file, '[]');
      const first = await sync({ '17': 'Eletricista', 'ref:18': 'Canalizador', '19': '' });
      expect(first.stderr).to.match(/^19 VagaError: .*"title".* \(request [0-9a-f-]+\)\n$/);
      expect(first.jobs).to.have.members(['Eletricista pending', 'Canalizador pending']);
      const second = await sync({ '17': 'Eletricista', 'ref:18': 'Pintor', '19': 'Pedreiro' });
      expect(second.stderr).to.equal('');
      expect(second.jobs[0]).to.equal('Pedreiro pending');
      expect(second.jobs).to.have.members(['Eletricista pending', 'Pintor pending', 'Pedreiro pending']);
      const third = await sync({ 'ref:18': 'Pintor', '19': 'Pedreiro' });
      expect(third.jobs).to.have.members(['Eletricista inactive', 'Pintor pending', 'Pedreiro pending']);
      expect(await sync({ 'ref:18': 'Pintor', '19': 'Pedreiro' })).to.deep.equal(third);
      // The file as a crash of the first sync leaves it after the creates: without the jobs' ids.
      const unsaved = { '17': 'Eletricista', 'ref:18': 'Canalizador' };
      const entries = Object.entries(unsaved).map(([own, title]) => [own, { job: { ...minimalJob, title } }]);
      await writeFile(file, JSON.stringify(entries));
      const afterCrash = await sync({ 'ref:18': 'Azulejador', '19': 'Pedreiro' });
      expect(afterCrash.stderr).to.equal('');
      expect(afterCrash.jobs).to.have.members(['Eletricista inactive', 'Azulejador pending', 'Pedreiro pending']);
    });
  });
});
