import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { OpenAPIValidator } from 'openapi-backend';
import { parseDocument } from 'yaml';
import { generate, generatedFaults } from '../../scripts/generate/generate.ts';
import { renderProducts } from '../../scripts/generate/products.ts';
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
const job = {
  title: 'Eletricista',
  body: 'Procuramos eletricista.',
  contact_instructions: 'Envie o seu currículo.',
  category_id: 303,
  district_id: 11,
  application_method: 'system',
};

let folder: string;

describe('code generation', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-generate-'));
    await cp(join(root, 'openapi.yaml'), join(folder, 'openapi.yaml'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  describe('generate', function () {
    this.timeout(60_000);

    it('writes the same bytes for the same contract', async () => {
      const yaml = await readFile(join(root, 'openapi.yaml'), 'utf8');
      const first = await renderProducts(yaml);
      expect([...first.keys()]).to.have.members(products);
      expect([...(await renderProducts(yaml))]).to.deep.equal([...first]);
    });

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

  describe('the contract leads', function () {
    this.timeout(60_000);

    it('a new optional property reaches types, validation and the tool', async () => {
      expect(await violations(root, { ...job, shift_pattern: 'night' })).to.deep.equal(['additionalProperties']);
      expect(await toolField(root, 'shift_pattern')).to.equal(undefined);

      await editContract((contract) =>
        contract.setIn([...jobFields, 'shift_pattern'], {
          type: 'string',
          nullable: true,
          enum: ['day', 'night', null],
          description: 'When the work is done.',
        }),
      );
      const { code, output } = await run('--contract-only');
      expect(code, output).to.equal(0);

      const types = await readFile(join(folder, 'generated/openapi.ts'), 'utf8');
      expect(types).to.match(/shift_pattern\?: "day" \| "night" \| null/);
      expect(await violations(folder, { ...job, shift_pattern: 'night' })).to.deep.equal([]);
      expect(await violations(folder, { ...job, shift_pattern: null })).to.deep.equal([]);
      expect(await violations(folder, { ...job, shift_pattern: 'noon' })).to.deep.equal(['enum']);
      expect(await toolField(folder, 'shift_pattern')).to.deep.equal({
        description: 'When the work is done.',
        anyOf: [{ type: 'string', enum: ['day', 'night'] }, { type: 'null' }],
      });
    });

    it('a tighter limit reaches validation and the tool', async () => {
      const [fitting, long] = ['x'.repeat(40), 'x'.repeat(41)].map((title) => ({ ...job, title }));
      expect(await violations(root, { ...job, ...long })).to.deep.equal([]);
      await editContract((contract) => contract.setIn([...jobFields, 'title', 'maxLength'], 40));
      await generate({ root: folder, contractOnly: true });
      expect(await violations(folder, { ...job, ...long })).to.deep.equal(['maxLength']);
      expect(await violations(folder, { ...job, ...fitting })).to.deep.equal([]);
      expect(await toolField(folder, 'title')).to.include({ maxLength: 40 });
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

/** The keywords that a create with this body breaks, by the generated document of the folder. */
async function violations(of: string, requestBody: object): Promise<string[]> {
  const validator = new OpenAPIValidator({
    definition: JSON.parse(await readFile(join(of, 'generated/contract.json'), 'utf8')),
    lazyCompileValidators: true,
    customizeAjv: (_, options) => formats.default(new Ajv({ ...options, allErrors: true })),
  });
  const request = { path: {}, query: {}, header: { 'idempotency-key': 'k' }, requestBody };
  const validates = validator.getRequestValidatorsForOperation('createJob') ?? [];
  return validates.flatMap((validate) =>
    validate(request) ? [] : (validate.errors ?? []).map(({ keyword }) => keyword),
  );
}

async function toolField(of: string, field: string): Promise<unknown> {
  const entries = JSON.parse(await readFile(join(of, 'generated/mcp-tools.json'), 'utf8'));
  const create = entries.find((entry: { operationId: string }) => entry.operationId === 'createJob');
  return create.tool.inputSchema.properties.job.properties[field];
}
