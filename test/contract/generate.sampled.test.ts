import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { appendFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseDocument } from 'yaml';
import { generate, generatedFaults } from '../../scripts/generate/generate.ts';
import { renameHint } from '../../scripts/generate/replaced.ts';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';
import { sample } from '../helper/draws.ts';
import { db } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';

type Contract = ReturnType<typeof parseDocument>;

/** Keeps the migrated database for the next call, as `npm run dev` does. */
const generateIn = (folder: string): Promise<string> => generate({ root: folder, isRepeated: true });

const jobFields = ['components', 'schemas', 'JobInput', 'properties'];
const requireField = (it: Contract, name: string): void => {
  it.setIn([...jobFields, name], { type: 'string', maxLength: 5000, description: 'A text.' });
  it.addIn(['components', 'schemas', 'JobInput', 'required'], name);
  for (const example of ['ElectricianInput', 'DeveloperInput', 'MinimalInput'])
    it.setIn(['components', 'examples', example, 'value', name], 'day');
};

const mistakes: readonly (readonly [edit: (contract: Contract) => void, line: RegExp])[] = [
  [(it) => it.setIn([...jobFields, 'title', 'x-colour'], true), /x-colour: unknown extension/],
  [(it) => it.deleteIn(['paths', '/jobs', 'post', 'operationId']), /needs an operationId/],
  [(it) => it.deleteIn(['paths', '/jobs', 'post', 'x-mcp', 'idempotent']), /tool of createJob: x-mcp.idempotent/],
  [(it) => it.setIn([...jobFields, 'place'], { type: 'object' }), /JobInput.place: needs additionalProperties: false/],
  [
    (it) => it.setIn([...jobFields, 'place'], { type: 'object', additionalProperties: false }),
    /JobInput.place: needs properties/,
  ],
  [(it) => it.deleteIn([...jobFields, 'requirements', 'maxLength']), /needs maxLength/],
  [(it) => it.setIn(['components', 'parameters', 'PerPage', 'schema', 'default'], 'many'), /does not fit its schema/],
  [(it) => it.setIn([...jobFields, 'salary_negotiable', 'default'], false), /would make the field required/],
  [(it) => it.deleteIn([...jobFields, 'salary_negotiable', 'x-default']), /salary_negotiable: needs x-default/],
  [
    (it) => it.setIn(['components', 'examples', 'MinimalInput', 'value', 'category_id'], 'x'),
    /category_id: does not fit/,
  ],
  ...['xmin', 'ctid', 'status', 'category', 'company_name'].map((name): (typeof mistakes)[number] => [
    (it) => it.setIn([...jobFields, name], { type: 'boolean', 'x-default': true, description: 'A field.' }),
    new RegExp(`${name}: the service uses this name itself`),
  ]),
  [(it) => it.deleteIn(['x-every-operation', 'responses', '401']), /needs responses.401/],
  [(it) => it.deleteIn(['paths', '/jobs', 'post', 'summary']), /post \/jobs: createJob needs a summary/],
  [(it) => it.deleteIn(['paths', '/account', 'get', 'responses']), /getAccount needs responses.200.headers/],
  [(it) => it.deleteIn(['paths', '/jobs', 'post', 'requestBody', 'content']), /createJob needs requestBody.content/],
  [
    (it) => it.setIn(['x-every-operation', 'headers', 'all', 'X-Request-Id'], 'X-Request'),
    /X-Request-Id: components.headers has no X-Request$/,
  ],
  [
    (it) => it.deleteIn(['paths', '/jobs', 'post', 'requestBody', 'content', 'application/json', 'examples']),
    /examples: createJob needs requestBody.content.application\/json.examples/,
  ],
  ...['shift', 'remote_policy'].map((name): (typeof mistakes)[number] => [
    (it) => requireField(it, name),
    new RegExp(`${name}: jobs from before the field was required may have no value`),
  ]),
];

describe('code generation', () => {
  let folder: string;
  beforeEach(async () => {
    folder = ownFolder();
    await cp(join(root, 'openapi.yaml'), join(folder, 'openapi.yaml'));
    for (const name of ['schema.prisma', 'functions.sql'])
      await cp(join(root, 'prisma', name), join(folder, 'prisma', name));
    const filter = (source: string) => !source.includes('generated/prisma');
    await cp(join(root, 'generated'), join(folder, 'generated'), { recursive: true, filter });
  });

  async function edited(contract: Contract): Promise<string> {
    await writeFile(join(folder, 'openapi.yaml'), contract.toString());
    return folder;
  }

  it('generate --check passes on the committed files, and names every file that differs, is missing or is superfluous', async () => {
    expect(await generatedFaults(folder)).to.deep.equal([]);
    await appendFile(join(folder, 'generated/openapi.ts'), '\n');
    await rm(join(folder, 'generated/mcp-tools.json'));
    await writeFile(join(folder, 'generated/old.json'), '{}');
    const functions = await readFile(join(folder, 'prisma/functions.sql'), 'utf8');
    await writeFile(join(folder, 'prisma/functions.sql'), functions.replace('    made."title",\n', ''));
    const check = ['scripts/run.mjs', 'scripts/generate.ts', '--root', folder, '--check'];
    const { status, stdout, stderr } = spawnSync(process.execPath, check, { cwd: root, encoding: 'utf8' });
    expect(status).to.equal(1);
    expect(
      (stdout + stderr).split('\n').filter((line) => / (differs|is missing|is surplus)$/.test(line)),
    ).to.have.members([
      'generated/openapi.ts differs',
      'generated/mcp-tools.json is missing',
      'generated/old.json is surplus',
      'prisma/functions.sql differs',
    ]);
  });

  it('a mistake in the contract is one line with its place, and nothing is written', async () => {
    const original = await readFile(join(root, 'openapi.yaml'), 'utf8');
    const expectMistake = async (yaml: string, line: RegExp): Promise<void> => {
      await writeFile(join(folder, 'openapi.yaml'), yaml);
      const said: unknown = await generateIn(folder).catch((error) => error.message);
      expect(said)
        .to.match(/^openapi\.yaml:\d+:\d+ .+$/)
        .and.match(line);
    };
    for (const [edit, line] of sample(mistakes, 5)) {
      const contract = parseDocument(original);
      edit(contract);
      await expectMistake(contract.toString(), line);
    }
    await expectMistake('openapi: 3.0.3\ninfo: [', /./);
    await writeFile(join(folder, 'openapi.yaml'), original);
    expect(await generatedFaults(folder)).to.deep.equal([]);
    expect(existsSync(join(folder, 'prisma/migrations'))).to.equal(false);
  });

  it('an edit of the contract that is saved meanwhile is kept, and followed', async () => {
    const contract = parseDocument(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
    const withField = (name: string) => {
      const schema = { type: 'integer', nullable: true, minimum: 1, maximum: 9, description: 'A number.' };
      contract.setIn([...jobFields, name], schema);
      return contract.toString();
    };
    writeFileSync(join(folder, 'openapi.yaml'), withField('openings'));
    const generating = generateIn(folder);
    writeFileSync(join(folder, 'openapi.yaml'), withField('shifts'));
    expect((await generating).split('\n').slice(0, 3)).to.deep.equal([
      'saved meanwhile, so read again: openapi.yaml',
      'field added: openings',
      'field added: shifts',
    ]);
    expect(await readFile(join(folder, 'openapi.yaml'), 'utf8')).to.include(' shifts:');
    expect(await readdir(join(folder, 'prisma/migrations'))).to.have.length(1);
    expect(await generatedFaults(folder)).to.deep.equal([]);
  });

  it('says when a tool is larger than Codex shows with descriptions, and which parts are longest', async () => {
    const contract = parseDocument(await readFile(join(root, 'openapi.yaml'), 'utf8'));
    contract.setIn([...jobFields, 'requirements', 'description'], 'What candidates must bring. '.repeat(40));
    await writeFile(join(folder, 'openapi.yaml'), contract.toString());
    const said = await generateIn(folder);
    for (const tool of ['create_job', 'update_job'])
      expect(said).to.match(
        new RegExp(
          `input schema of ${tool} has 5\\d{3} bytes; .*tool_input_schema_max_bytes.*longest are requirements 1\\d{3}, `,
        ),
      );
  });

  it('lists every enum value in the description of a nullable argument, for clients that drop the schema', async () => {
    const contract = parseDocument(await readFile(join(root, 'openapi.yaml'), 'utf8'));
    contract.addIn(['components', 'schemas', 'SalaryType', 'enum'], 'daily');
    await writeFile(join(folder, 'openapi.yaml'), contract.toString());
    await generateIn(folder);
    expect(await readFile(join(folder, 'generated/mcp-tools.json'), 'utf8')).to.include(
      ' or not_specified. One of hourly, monthly, yearly, negotiable, not_specified, daily.',
    );
  });

  it('a narrower field names the stored rows that break it, and the SQL that finds them', async () => {
    const contract = parseDocument(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
    for (const [name, key, value] of [
      ['experience_years', 'maximum', 40],
      ['experience_years', 'minimum', -1],
      ['requirements', 'maxLength', 9000],
      ['contact_phone', 'maxLength', 30],
      ['language_requirements', 'maxItems', 9],
    ] as const)
      contract.setIn([...jobFields, name, key], value);
    contract.setIn([...jobFields, 'experience_years', 'x-required-when'], { salary_negotiable: true });
    contract.setIn([...jobFields, 'language_requirements', 'uniqueItems'], true);
    contract.setIn([...jobFields, 'language_requirements', 'items', 'maxLength'], 50);
    contract.setIn([...jobFields, 'contact_phone', 'format'], 'hostname');
    const used = contract.getIn(['components', 'examples', 'DeveloperInput', 'value', 'remote_policy']);
    contract.setIn([...jobFields, 'remote_policy', 'enum'], [used, "a week's travel", null]);
    contract.setIn(['components', 'schemas', 'SalaryType', 'enum'], ['hourly', 'monthly', 'yearly', null]);
    const said = (await generateIn(await edited(contract))).split('\n');
    const select = 'SELECT company_id, environment, id FROM "jobs" WHERE';
    expect(said.filter((line) => line.includes(': stored jobs'))).to.deep.equal([
      'field contact_phone: stored jobs may break its new format: SQL cannot find these: check the stored values of contact_phone',
      `field requirements: stored jobs that break its new maxLength: ${select} char_length("requirements") > 9000;`,
      `field remote_policy: stored jobs that break its new enum: ${select} "remote_policy" NOT IN ('${used}', 'a week''s travel');`,
      `field salary_type: stored jobs that break its new enum: ${select} "salary_type" IN ('negotiable', 'not_specified');`,
      `field experience_years: stored jobs that break its new maximum: ${select} "experience_years" > 40;`,
      `field experience_years: stored jobs that break its new x-required-when: ${select} "experience_years" IS NULL AND ("salary_negotiable" = true);`,
      `field language_requirements: stored jobs that break its new maxItems: ${select} jsonb_array_length("language_requirements") > 9;`,
      `field language_requirements: stored jobs that break its new uniqueItems: ${select} jsonb_array_length("language_requirements") > (SELECT count(DISTINCT item) FROM jsonb_array_elements("language_requirements") AS item);`,
      `field language_requirements: stored jobs that break its new items.maxLength: ${select} EXISTS (SELECT FROM jsonb_path_query("language_requirements", '$') AS list, jsonb_array_elements(CASE jsonb_typeof(list) WHEN 'array' THEN list END) AS value WHERE char_length((value #>> '{}')) > 50);`,
    ]);
    for (const line of said.filter((one) => one.includes('SELECT')))
      await db().$queryRawUnsafe(line.slice(line.indexOf('SELECT')));
  });

  it('for a renamed field, says how to keep its values', async () => {
    const contract = parseDocument(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
    contract.setIn([...jobFields, 'remote_rules'], contract.getIn([...jobFields, 'remote_policy']));
    contract.deleteIn([...jobFields, 'remote_policy']);
    const said = await generateIn(await edited(contract)).catch((error) => error.message);
    expect(said)
      .to.include('UPDATE "jobs" SET "remote_rules" = "remote_policy"')
      .and.include('ALTER TABLE "jobs" RENAME COLUMN "remote_policy" TO "remote_rules";');
    const places = 'ALTER TABLE "jobs" DROP COLUMN "a",\nDROP COLUMN "b";\nALTER TABLE "places" ADD COLUMN "c" TEXT';
    expect(renameHint(`${places};`), 'columns of different tables').to.equal('');
    expect(renameHint(`${places},\nDROP COLUMN "d";`)).to.equal('');
    expect(renameHint(`ALTER TABLE "places" DROP COLUMN "d",\nADD COLUMN "c" TEXT;`)).to.include(
      'ALTER TABLE "places" RENAME COLUMN "d" TO "c";',
    );
  });

  it('a field that goes is deleted from the examples of requests: one that it leaves empty is refused, the others are named', async () => {
    const contract = parseDocument(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
    const examples = ['components', 'examples'];
    const said = contract.getIn([...examples, 'DeveloperInput', 'value', 'remote_policy']);
    contract.setIn([...jobFields, 'remote_rules'], contract.getIn([...jobFields, 'remote_policy']));
    contract.deleteIn([...jobFields, 'remote_policy']);
    contract.setIn([...examples, 'SalaryPatch', 'value'], { remote_policy: 'x' });
    const yaml = contract.toString();
    const refused = await generate({ root: await edited(contract), allowDataLoss: true }).catch(
      ({ message }) => message,
    );
    const line = yaml.slice(0, yaml.indexOf('remote_policy: x')).split('\n').length;
    expect(refused).to.equal(
      `openapi.yaml:${line}:9 SalaryPatch value remote_policy: remote_policy is gone: write a field that JobPatch has`,
    );
    contract.setIn([...examples, 'SalaryPatch', 'value'], { remote_rules: 'x' });
    const notes = await generate({ root: await edited(contract), allowDataLoss: true, isRepeated: true });
    expect(notes.split('\n').filter((note) => note.includes('example'))).to.deep.equal([
      `deleted from the example DeveloperInput: remote_policy: ${JSON.stringify(said)}`,
    ]);
    expect(await readFile(join(folder, 'openapi.yaml'), 'utf8')).not.to.include(said);
  });

  it('a migration that would fail, or break the functions, is refused before anything is written', async () => {
    const contract = parseDocument(await readFile(join(root, 'openapi.yaml'), 'utf8'));
    contract.setIn([...jobFields, 'shift'], { type: 'boolean', 'x-default': true, description: 'The shift.' });
    await writeFile(join(folder, 'openapi.yaml'), contract.toString());
    await appendFile(join(folder, 'prisma/functions.sql'), 'DROP FUNCTION of_nobody();\n');
    const schema = await readFile(join(folder, 'prisma/schema.prisma'), 'utf8');
    const said = await generateIn(folder).catch((error) => error.message);
    expect(said).to.match(/^the migration would fail: function of_nobody\(\) does not exist/);
    expect(await readFile(join(folder, 'prisma/schema.prisma'), 'utf8')).to.equal(schema);
    expect(existsSync(join(folder, 'prisma/migrations'))).to.equal(false);
  });
});
