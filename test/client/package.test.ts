import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { addressOf } from './caller.ts';

const run = promisify(execFile);

const program = `
import { createClient, VagaError, type Job, type JobInput } from 'vaga/client';

const client = createClient({ baseUrl: process.argv[2]!, token: process.argv[3]!, fetch: globalThis.fetch });
const input: JobInput = {
  title: 'Eletricista',
  body: 'Procuramos eletricista.',
  contact_instructions: 'Envie o seu currículo.',
  category_id: 303,
  district_id: 13,
  application_method: 'system',
};
const job: Job = await client.createJob(input, { idempotencyKey: 'mine' });
// @ts-expect-error: the contract has no such field
const refused: unknown = await client.updateJob(job.id, { colour: 'red' }).catch((error: unknown) => error);
if (!(refused instanceof VagaError)) throw new Error('not refused');
const titles: string[] = [];
for await (const { title, salary_min } of client.allJobs({ status: 'pending' })) {
  const least: string | null = salary_min;
  titles.push(title, String(least));
}
console.log(JSON.stringify({ titles, status: refused.status, fields: Object.keys(refused.fields) }));
`;

/** The README's example, for another address and token. */
async function pasted(address: string, secret: string): Promise<string> {
  const readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  const [, example = ''] = /^```ts\n(import [^`]*'vaga\/client'[^`]*)```$/m.exec(readme) ?? [];
  return example.replace('http://127.0.0.1:3000', address).replace('vaga_test_...', secret);
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'ES2022',
  lib: ['ES2022'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
};

describe('typed client: the package', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-client-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  /** An empty project with the packed package in it, and beside it only what the client needs; nothing comes from a network. */
  async function makeProject(): Promise<void> {
    // Without the prepare script: what runs here is built already.
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packageRoot });
    await run('tar', ['-xzf', 'vaga-1.0.0.tgz'], { cwd: folder });
    const modules = join(folder, 'node_modules');
    await mkdir(join(modules, '@types'), { recursive: true });
    await cp(join(folder, 'package'), join(modules, 'vaga'), { recursive: true });
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
      await symlink(join(packageRoot, 'node_modules', name), join(modules, name));
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  }

  it('compiles and runs in an empty project, and so does the README’s example', async () => {
    await makeProject();
    const [address, secret] = [addressOf(server()), await (await newCompany()).secret('sandbox', 'write')];
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'example.ts'), await pasted(address, secret));
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const { stdout: complaints } = await run(process.execPath, [tsc], { cwd: folder }).catch((error) => error);
    expect(complaints).to.equal('');
    const { stdout } = await run(process.execPath, ['program.js', address, secret], { cwd: folder });
    expect(JSON.parse(stdout)).to.deep.equal({ titles: ['Eletricista', 'null'], status: 422, fields: ['colour'] });
    const example = await run(process.execPath, ['example.js'], { cwd: folder });
    expect(example.stderr).to.equal('');
    expect(example.stdout).to.match(/^\d+ Eletricista de obras\n\d+ Eletricista\n$/);
  });
});
