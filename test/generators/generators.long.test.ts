import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { freshKey } from '../helper/rest-client.ts';
import { fullJob } from '../helper/sample-jobs.ts';
import { type Generator, generators } from './generators.ts';

const own = join(packageRoot, 'test/generators');
const PATH = [join(own, 'node_modules/.bin'), process.env.PATH].join(delimiter);

/** What a command prints. */
async function run(cwd: string, command: string, args: string[]): Promise<{ stdout: string; stderr: string }> {
  const running = promisify(execFile)(command, args, { cwd, env: { ...process.env, PATH } });
  return running.catch(({ stdout, stderr }) => {
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  });
}

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
};
const tsc = join(packageRoot, 'node_modules/@typescript/native/bin/tsc');

const sent = { ...fullJob(), work_modality: null, experience_years: null };
const wholeProgram = ({ readsAddress, program }: Generator): string => `
declare const process: { argv: [string, string, string, string, string] };
const [, , token, key${readsAddress ? '' : ', base'}] = process.argv;
const headers = { Authorization: \`Bearer \${token}\` };
${program(JSON.stringify(sent))}
console.log(JSON.stringify({ created, listed }));
`;

describe('clients generated from the contract (needs npm ci --prefix test/generators)', () => {
  const folder = ownFolder();
  /** The contract in each published form, by file name. */
  const forms: Record<string, string> = {};

  before(async function () {
    if (!existsSync(join(own, 'node_modules'))) return this.skip();
    symlinkSync(join(own, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    for (const name of ['openapi.json', 'openapi.yaml'])
      forms[name] = await (await fetch(`${addressOf(server())}/${name}`)).text();
  });

  it('the published YAML is openapi.yaml with the address of the service, so both generate the same', () => {
    const { servers } = JSON.parse(forms['openapi.json'] ?? '');
    const source = readFileSync(join(packageRoot, 'openapi.yaml'), 'utf8');
    const { origin } = new URL(servers[0].url);
    expect(forms['openapi.yaml']).to.equal(source.replaceAll('http://127.0.0.1:3000', origin));
  });

  for (const [name, generator] of Object.entries(generators)) {
    const { command, config, packages, readsAddress } = generator;
    const ofGenerator = join(folder, name.replaceAll(' ', '-'));

    it(`${name}: its output from the published contract, as JSON and as YAML, compiles`, async () => {
      mkdirSync(ofGenerator);
      if (packages) symlinkSync(join(own, packages), join(ofGenerator, 'node_modules'));
      writeFileSync(join(ofGenerator, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      for (const [contract, text] of Object.entries(forms)) {
        const ofForm = join(ofGenerator, contract);
        mkdirSync(ofForm);
        writeFileSync(join(ofForm, contract), text);
        if (config) writeFileSync(join(ofForm, config.name), config.text(contract));
        const [tool = '', ...args] = command(contract).split(' ');
        const { stdout, stderr } = await run(ofForm, tool, args);
        // Some print complaints and exit with 0.
        expect(stdout + stderr).not.to.match(/failed|invalid|unknown/i);
        writeFileSync(join(ofForm, 'program.ts'), wholeProgram(generator));
      }
      await run(ofGenerator, process.execPath, [tsc]);
    });

    it(`${name}: its client lists the job that it created, at the address that ${readsAddress ? 'it' : 'this test'} reads`, async () => {
      const { servers } = JSON.parse(forms['openapi.json'] ?? '');
      const acme = await newCompany();
      const secret = await acme.secret('sandbox', 'write');
      const args = ['--import', import.meta.resolve('tsx'), 'program.ts', secret, freshKey(), servers[0].url];
      const { stdout } = await run(join(ofGenerator, 'openapi.json'), process.execPath, args);
      const { created, listed } = JSON.parse(stdout);
      expect(created).to.include({ title: sent.title, category_id: sent.category_id, work_modality: null });
      expect((await (await acme.reader()).get('/jobs')).body.data).to.deep.equal([created]);
      expect(listed).to.deep.equal([created]);
    });
  }
});
