import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseDocument } from 'yaml';
import { generate, generatedFaults } from '../../scripts/generate/generate.ts';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';

const products = [
  'openapi.ts',
  'openapi.json',
  'contract.json',
  'mcp-tools.json',
  'job-fields.ts',
  'client.ts',
  'operations.ts',
  'reference.json',
  'llms.txt',
];
const jobFields = ['components', 'schemas', 'JobInput', 'properties'];
let folder: string;

describe('code generation', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-generate-'));
    await cp(join(root, 'openapi.yaml'), join(folder, 'openapi.yaml'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  describe('generate', function () {
    this.timeout(60_000);

    it('refuses a contract whose tool lacks a hint, naming the operation', async () => {
      await editContract((contract) => contract.deleteIn(['paths', '/jobs', 'post', 'x-mcp', 'idempotent']));
      expect(await mistake()).to.include('tool of createJob: x-mcp.idempotent');
    });
  });

  describe('generate --check', function () {
    this.timeout(60_000);

    it('passes on the committed files', async () => {
      await cp(join(root, 'generated'), join(folder, 'generated'), {
        recursive: true,
        filter: (source) => !source.includes('prisma'),
      });
      expect(await generatedFaults(folder)).to.deep.equal([]);
    });

    it('names every file that differs, is missing or is surplus', async () => {
      await mkdir(join(folder, 'generated'));
      for (const name of products) await cp(join(root, 'generated', name), join(folder, 'generated', name));
      await appendFile(join(folder, 'generated/openapi.ts'), '\n');
      await rm(join(folder, 'generated/mcp-tools.json'));
      await writeFile(join(folder, 'generated/old.json'), '{}');
      const { code, output } = await run('--check');
      expect(code).to.equal(1);
      const named = output.split('\n').filter((line) => line.startsWith('generated/'));
      expect(named).to.have.members([
        'generated/openapi.ts differs',
        'generated/mcp-tools.json is missing',
        'generated/old.json is surplus',
      ]);
    });
  });

  describe('a mistake in the contract is one line with its place, and nothing is written', function () {
    this.timeout(60_000);

    type Edit = (contract: ReturnType<typeof parseDocument>) => void;
    const mistakes: readonly (readonly [name: string, edit: Edit, line: RegExp])[] = [
      [
        'an unknown extension',
        (it) => it.setIn([...jobFields, 'title', 'x-colour'], true),
        /x-colour: unknown extension/,
      ],
      ['a missing operationId', (it) => it.deleteIn(['paths', '/jobs', 'post', 'operationId']), /needs an operationId/],
      [
        'a type without a column',
        (it) => it.setIn([...jobFields, 'place'], { type: 'object' }),
        /type object has no column/,
      ],
      ['a text without a limit', (it) => it.deleteIn([...jobFields, 'requirements', 'maxLength']), /needs maxLength/],
      [
        'a default that breaks its schema',
        (it) => it.setIn(['components', 'parameters', 'PerPage', 'schema', 'default'], 'many'),
        /default: does not fit its schema/,
      ],
      [
        'a default in a request body',
        (it) => it.setIn([...jobFields, 'salary_negotiable', 'default'], false),
        /default: clients' generators would make the field required/,
      ],
      [
        'an optional boolean without a default',
        (it) => it.deleteIn([...jobFields, 'salary_negotiable', 'x-default']),
        /salary_negotiable: needs x-default/,
      ],
      [
        'an example that breaks its schema',
        (it) => it.setIn(['components', 'examples', 'MinimalInput', 'value', 'category_id'], 'x'),
        /category_id: does not fit its schema/,
      ],
      ['a new required field', (it) => requireNew(it), /jobs from before a new required field have no value/],
    ];
    const requireNew: Edit = (it) => {
      it.setIn([...jobFields, 'shift'], { type: 'string', maxLength: 10, description: 'The shift.' });
      it.addIn(['components', 'schemas', 'JobInput', 'required'], 'shift');
      for (const example of ['ElectricianInput', 'DeveloperInput', 'MinimalInput'])
        it.setIn(['components', 'examples', example, 'value', 'shift'], 'day');
    };

    for (const [name, edit, line] of mistakes)
      it(name, async () => {
        await editContract(edit);
        await mkdir(join(folder, 'generated'));
        for (const file of ['prisma/schema.prisma', ...products.map((product) => `generated/${product}`)])
          await cp(join(root, file), join(folder, file));
        const output = await mistake();
        expect(output.split('\n'), output).to.have.length(1);
        expect(output)
          .to.match(/^openapi\.yaml:\d+:\d+ /)
          .and.match(line);
        for (const name of products)
          expect(await readFile(join(folder, 'generated', name))).to.deep.equal(
            await readFile(join(root, 'generated', name)),
          );
        expect(existsSync(join(folder, 'prisma/migrations'))).to.equal(false);
      });

    it('a contract that is no YAML', async () => {
      await writeFile(join(folder, 'openapi.yaml'), 'openapi: 3.0.3\ninfo: [');
      const { code, output } = await run();
      expect(code).to.equal(1);
      expect(output).to.match(/^openapi\.yaml:\d+:\d+ [^\n]+\n$/);
    });
  });
});

async function editContract(edit: (contract: ReturnType<typeof parseDocument>) => void): Promise<void> {
  const contract = parseDocument(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
  edit(contract);
  await writeFile(join(folder, 'openapi.yaml'), contract.toString());
}

/** Generates in the temporary folder, as npm would. */
function run(...options: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', 'scripts/generate/generate.ts', '--root', folder, ...options];
    const child = spawn(process.execPath, args, { cwd: root });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** What `generate` says of the folder's contract, which it refuses. */
async function mistake(): Promise<string> {
  const outcome: unknown = await generate({ root: folder }).catch((error) => error);
  expect(outcome).to.be.instanceOf(Error);
  return (outcome as Error).message;
}
