import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { versionOf } from '../../scripts/check-breaking.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { exampleOf, installPackedClient } from './packed-client.ts';

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

  it('is installed with one dependency, has the version of the contract and less than 20 KB', async () => {
    const { dependencies, version } = JSON.parse(await readFile(join(packageRoot, 'src/client/package.json'), 'utf8'));
    const service = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
    expect(dependencies).to.deep.equal({ 'openapi-fetch': service.devDependencies['openapi-fetch'] });
    expect(version).to.equal(versionOf(join(packageRoot, 'openapi.yaml')));
    const installed = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(installed).to.have.members(['openapi-fetch', 'openapi-typescript-helpers', 'vaga-client']);
    expect((await stat(join(folder, `vaga-client-${version}.tgz`))).size).to.be.below(20_000);
  });

  it('compiles and runs in an empty project, as does README’s example; that of its own README compiles', async () => {
    const [address, secret] = [addressOf(server()), await (await newCompany()).secret('sandbox', 'write')];
    await mkdir(join(folder, 'node_modules', '@types'));
    for (const name of ['@types/node', 'undici-types'])
      await symlink(join(packageRoot, 'node_modules', name), join(folder, 'node_modules', name));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(join(folder, 'program.mts'), program);
    await writeFile(join(folder, 'example.mts'), await exampleOf('README.md', address, secret));
    await writeFile(join(folder, 'short.mts'), await exampleOf('src/client/README.md', address, secret));
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const { stdout: complaints } = await run(process.execPath, [tsc], { cwd: folder }).catch((error) => error);
    expect(complaints).to.equal('');
    const { stdout } = await run(process.execPath, ['program.mjs', address, secret], { cwd: folder });
    expect(stdout).to.equal("422 [ 'colour' ]\n");
    const example = await run(process.execPath, ['example.mjs'], { cwd: folder });
    expect(example.stderr).to.equal('');
    expect(example.stdout).to.match(/^\d+ Eletricista de obras\n$/);
  });
});
