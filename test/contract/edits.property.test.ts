import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { dereference, type JsonObject, objectAt, schemaOf } from '../../scripts/generate/document.ts';
import { derive } from '../../scripts/generate/generate.ts';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';
import { EditedProject } from '../helper/edited-project.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { acceptedEdit, type FieldEdit, invalid, refusedEdit, type Schema, valid } from './arbitrary-edit.ts';

// The tests draw the same edits in every run; npm run edits draws thousands of others. EDITS_SEED repeats a failure.
const editsAtOnce = 30;
const { EDITS = String(editsAtOnce), EDITS_SEED = process.env.EDITS ? String(Date.now() % 2 ** 31) : '777' } =
  process.env;
const seed = Number(EDITS_SEED);
const rounds = Math.ceil(Number(EDITS) / editsAtOnce);

const said = { nullable: true, description: 'D.' };
const field = (name: string, schema: Schema, component?: Schema): FieldEdit => ({
  name,
  schema: component ? { $ref: `#/components/schemas/Of${name}` } : schema,
  meant: schema,
  ...(component && { component }),
});
/** Edits that some layer once failed to follow. */
const earlier: readonly FieldEdit[] = [
  field('latitude', { type: 'number', minimum: -90, maximum: 90, 'x-decimals': 6, ...said }),
  field('whole', { type: 'number', minimum: -90, maximum: 90, 'x-decimals': 0, ...said }),
  field('below', { type: 'number', minimum: -12345678, maximum: 9, 'x-decimals': 2, ...said }),
  field('video_url', { type: 'string', format: 'uri', maxLength: 2048, ...said }),
  field('n'.repeat(63), { type: 'string', maxLength: 9, ...said }),
  field('large', { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991, ...said }),
  field(
    'shared',
    { type: 'number', minimum: 0, maximum: 9, 'x-decimals': 2, ...said },
    { type: 'number', minimum: 0, maximum: 9, 'x-decimals': 2, ...said },
  ),
  field('ticks', { type: 'string', enum: ['`a`', 'b', null], pattern: '`|b', ...said }),
  field('old', {
    type: 'string',
    maxLength: 9,
    deprecated: true,
    title: 'Old',
    externalDocs: { url: 'https://example.com' },
    ...said,
  }),
  field('steps', {
    type: 'array',
    maxItems: 3,
    uniqueItems: true,
    items: { type: 'integer', minimum: 0, maximum: 90, multipleOf: 5 },
    ...said,
  }),
  field('starts', { type: 'string', format: 'date', ...said }),
];

interface Batch {
  readonly edits: readonly FieldEdit[];
  readonly refused: readonly FieldEdit[];
  readonly values: readonly (readonly unknown[])[];
}
/** Names that SQL, JavaScript, functions.sql or an answer already uses. */
const names =
  'all analyse and array as between by case check class counted claimed data date default delete desc details end error export false from function group import in item key length level limit made made_by meta name new not null offset on order position posting_limit primary prototype public refusals select sent service table text then time to true type user using value when where with with_key year yield zone'.split(
    ' ',
  );
const batches = fc
  .tuple(
    fc
      .shuffledSubarray(names, { minLength: (editsAtOnce * 2) / 3, maxLength: (editsAtOnce * 2) / 3 })
      .chain((drawn) => fc.tuple(...drawn.map(acceptedEdit))),
    fc.tuple(...Array.from({ length: editsAtOnce / 3 }, (_, at) => refusedEdit(`r${at}`))),
  )
  .chain(([drawn, refused]) => {
    const edits = [...earlier, ...drawn];
    const values = fc.tuple(...edits.map(({ meant }) => fc.tuple(sent(meant), sent(meant))));
    return values.map((both): Batch => ({ edits, refused, values: both }));
  });

/** An optional field is null, not an empty text. */
const isEmpty = ({ nullable }: Schema, value: unknown): boolean => nullable === true && value === '';
const sent = (schema: Schema) => valid(schema).filter((value) => !isEmpty(schema, value));

const textOf = (name: string): Promise<string> => readFile(join(root, name), 'utf8');
const flow = (name: string, schema: object) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}\n`;
/** Lines before the first line that begins as given. */
const lineBefore = (yaml: string, line: string, lines: string) =>
  yaml.replace(`\n${line}\n`, () => `\n${lines}${line}\n`);
const withFields = (yaml: string, edits: readonly FieldEdit[]) => {
  const lines = edits.map(({ name, schema }) => `        ${flow(name, schema)}`).join('');
  const components = edits.flatMap(({ name, component }) => (component ? [`    ${flow(`Of${name}`, component)}`] : []));
  return lineBefore(lineBefore(yaml, '    JobStatus:', components.join('')), '    JobPatch:', lines);
};

const echo = {
  path: `  /echo/{slug}:
    parameters:
      - { name: slug, in: path, required: true, description: D., example: a b, schema: { type: string, maxLength: 40 } }
    get:
      { operationId: list-echoes, tags: [Jobs], summary: "Echo */ it", description: D., deprecated: true, x-scope: jobs:read,
        x-mcp: { name: echo, title: T, description: D., readOnly: true, destructive: false, idempotent: true, openWorld: false },
        parameters: [
          { name: flag, in: query, description: D., example: true, schema: { type: boolean } },
          { name: amount, in: query, description: D., example: 1.5, schema: { type: number, minimum: -10, maximum: 10 } },
          { name: ids, in: query, description: D., example: [1], schema: { type: array, maxItems: 3, items: { type: integer, minimum: 0, maximum: 9 } } },
          { name: words, in: query, description: D., example: [a], schema: { type: array, maxItems: 3, items: { type: string, enum: [a, b] } } } ],
        responses: { "202": { description: A., content: { application/json: {
          schema: { type: object, required: [data], properties: { data: { type: string, description: D. } } },
          examples: { a: { value: { data: x } } } } } } } }

`,
  code: `import type { ApiContext } from '../context.ts';
import type { Input, Reply } from '../contract/types.ts';

export async function listEchoes(_ctx: ApiContext, { path, query }: Input<'list-echoes', 'flag' | 'amount' | 'ids' | 'words'>): Promise<Reply<'list-echoes'>> {
  return { status: 202, body: { data: JSON.stringify({ ...path, ...query }) } };
}
`,
  usage: `import type { Client } from '../src/client/client.ts';
import type { Job, JobInput } from '../src/client/contract.ts';
export const echoed = (client: Client) => client.listEchoes('a b', { flag: true, ids: [1] });
`,
};

// biome-ignore lint/suspicious/noExplicitAny: fields that the types here do not have
type Body = any;

describe('any edit of the contract', function () {
  this.timeout(24 * 3600_000);
  let folder: string;
  let project: EditedProject;
  let token: string;
  let original: { yaml: string; schema: string; functions: string; json: string };

  before(async () => {
    folder = ownFolder();
    const [yaml = '', schema = '', functions = '', json = ''] = await Promise.all(
      ['openapi.yaml', 'prisma/schema.prisma', 'prisma/functions.sql', 'generated/openapi.json'].map(textOf),
    );
    original = { yaml, schema, functions, json };
    const service = await ServiceProcess.start({ DATA_DIR: join(folder, 'first') }, 'API reference:');
    token = /sandbox {5}(\S+)/.exec(service.output)?.[1] ?? '';
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'before',
    };
    const job = JSON.stringify(minimalJob);
    await fetch(`${service.address}/sandbox/v1/jobs`, { method: 'POST', headers, body: job });
    expect(await service.stop()).to.equal(0);
    project = await EditedProject.copy(join(folder, 'project'));
  });

  /** The edit as text, for the message of an assertion. */
  const about = ({ name, schema }: FieldEdit) => `${name}: ${JSON.stringify(schema)}`;

  async function expectRefused(edit: FieldEdit): Promise<void> {
    const yaml = withFields(original.yaml, [edit]);
    const { schema, functions, json } = original;
    const message: string = await derive(yaml, schema, functions, json).then(
      () => 'accepted',
      (error) => error.message,
    );
    const line = yaml.slice(0, yaml.indexOf(`        "${edit.name}": `)).split('\n').length;
    expect(message, about(edit)).to.match(
      new RegExp(`^openapi\\.yaml:${line}:\\d+ JobInput\\.${edit.name}\\b.*: .{10}`),
    );
  }

  /** The edited project and its running service, whose database has an earlier job. */
  async function follow(edits: readonly FieldEdit[], run: number): Promise<ServiceProcess> {
    for (const name of ['prisma', 'generated']) {
      if (name === 'prisma') await rm(project.path(name), { recursive: true });
      const filter = (path: string) => !path.includes(join('generated', 'prisma'));
      await cp(join(root, name), project.path(name), { recursive: true, filter });
    }
    await writeFile(project.path('src/operations/echo.ts'), echo.code);
    await writeFile(project.path('test/usage.ts'), echo.usage + usageOf(edits));
    await writeFile(project.path('openapi.yaml'), lineBefore(withFields(original.yaml, edits), '  /jobs:', echo.path));
    await project.npm('generate');
    expect(await project.mistakes()).to.equal('');
    const data = join(folder, `data-${run}`);
    await cp(join(folder, 'first'), data, { recursive: true });
    const plenty = { REQUESTS_PER_MINUTE: '1000000', IP_REQUESTS_PER_MINUTE: '1000000' };
    return ServiceProcess.listening({ DATA_DIR: data, ...plenty }, project.folder);
  }

  /** Compiles only if the types have the fields. */
  const usageOf = (edits: readonly FieldEdit[]) =>
    edits
      .map(({ name }) => `export const use_${name} = (job: Job, input: JobInput) => [job.${name}, input.${name}];\n`)
      .join('');

  async function check({ edits, values }: Batch, run: number): Promise<void> {
    const service = await follow(edits, run);
    const client = await connectClient(`${service.address}/sandbox/mcp`, token);
    try {
      const rest = async (method: string, path: string, body?: object, key?: string) => {
        const headers = {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...(key && { 'Idempotency-Key': key }),
        };
        const response = await fetch(`${service.address}/sandbox/v1${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: (await response.json()) as Body };
      };
      const call = async (name: string, args: Record<string, unknown>): Promise<Body> => {
        const { structuredContent } = await client.callTool({ name, arguments: args });
        return structuredContent;
      };
      const { fits, tools } = await published();
      const named = (at: number) => Object.fromEntries(edits.map(({ name }, n) => [name, values[n]?.[at]]));
      const shown = (job: Record<string, unknown>) =>
        Object.fromEntries(edits.map(({ name, meant }) => [name, shownOf(meant, job[name])]));

      const { id: oldId, ...old } = (await rest('GET', '/jobs')).body.data[0];
      expect(old).to.deep.include(
        Object.fromEntries(edits.map(({ name, meant }) => [name, meant['x-default'] ?? null])),
      );
      for (const { name } of edits)
        expect(tools.create_job?.inputSchema.properties.job.properties, name).to.have.property(name);
      for (const { name, meant } of edits) {
        const described = tools.create_job?.inputSchema.properties.job.properties[name];
        const { enum: values, pattern } = described.anyOf?.[0] ?? described;
        expect({ values, pattern }).to.deep.equal({
          values: meant.enum?.filter((one) => one !== null),
          pattern: meant.pattern,
        });
      }

      const created = await rest('POST', '/jobs', { ...minimalJob, ...named(0) }, 'rest');
      expect(created.status, JSON.stringify(created.body)).to.equal(201);
      const { id } = created.body.data;
      const told = await call('create_job', { idempotency_key: 'mcp', job: { ...minimalJob, ...named(0) } });
      expect(told.http_status, JSON.stringify(told)).to.equal(201);
      for (const job of [created.body.data, told.response.data, (await rest('GET', `/jobs/${id}`)).body.data]) {
        expect(job).to.deep.include(shown(named(0)));
        expect(fits(job), JSON.stringify(fits.errors)).to.equal(true);
      }
      expect(tools.create_job?.returns(told), JSON.stringify(tools.create_job?.returns.errors)).to.equal(true);
      const earlierJob = await rest('PATCH', `/jobs/${oldId}`, named(1));
      expect(earlierJob.body.data, JSON.stringify(earlierJob.body)).to.deep.include(shown(named(1)));
      const after = await call('update_job', { id, job: named(1) });
      expect(after.response.data).to.deep.include(shown(named(1)));
      // Repeating the change changes nothing.
      const same = await rest('PATCH', `/jobs/${id}`, named(1));
      expect(same.body.data.updated_at).to.equal(after.response.data.updated_at);

      for (const { name, meant } of edits)
        for (const value of [...invalid(meant), ...(isEmpty(meant, '') ? [''] : [])]) {
          const where = `${name} ${JSON.stringify(meant)}: ${JSON.stringify(value)}`;
          const refused = await rest('PATCH', `/jobs/${id}`, { [name]: value });
          expect(refused.status, where).to.equal(422);
          expect(Object.keys(refused.body.error.details), where).to.deep.equal([name]);
          const alike = await call('update_job', { id, job: { [name]: value } });
          expect(alike.error, where).to.deep.equal(refused.body.error);
        }
      expect((await rest('GET', `/jobs/${id}`)).body.data).to.deep.include(shown(named(1)));

      const asked = { slug: 'a b/ç', flag: false, amount: -1.5, ids: [1, 2], words: ['b'] };
      const query = 'flag=false&amount=-1.5&ids=1&ids=2&words=b';
      const echoed = await rest('GET', `/echo/a%20b%2F%C3%A7?${query}`);
      expect(echoed.status).to.equal(202);
      expect(JSON.parse(echoed.body.data)).to.deep.equal(asked);
      expect(JSON.parse((await call('echo', asked)).response.data)).to.deep.equal(asked);
      const wrong = await rest('GET', '/echo/x?flag=yes&amount=11&ids=1&ids=x&words=c');
      expect(Object.keys(wrong.body.error.details)).to.have.members(['flag', 'amount', 'ids', 'words']);
      expect((await rest('GET', '/echo/%E0%A4')).status).to.equal(404);
      expect(await readFile(project.path('generated/client.ts'), 'utf8')).to.include('@deprecated');
      const reference = await readFile(project.path('generated/reference.json'), 'utf8');
      for (const { name } of edits) expect(reference, name).to.include(`"${name}"`);
    } finally {
      await client.close();
      await service.stop();
      await rm(join(folder, `data-${run}`), { recursive: true, force: true });
    }
  }

  const shownOf = (schema: Schema, value: unknown): unknown =>
    schema.type === 'number' && typeof value === 'number' ? value.toFixed(Number(schema['x-decimals'])) : value;

  /** What the edited contract and its tools promise about answers. */
  async function published() {
    const read = async (name: string) => JSON.parse(await readFile(project.path('generated', name), 'utf8'));
    const document = dereference((await read('openapi.json')) as JsonObject);
    const fits = formats.default(new Ajv({ strict: false, multipleOfPrecision: 9 })).compile(schemaOf(document, 'Job'));
    expect(objectAt(document, 'paths', '/echo/{slug}', 'get')).to.have.property('deprecated', true);
    const strict = formats.default(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }));
    const entries: Body[] = await read('mcp-tools.json');
    const tools: Record<string, { inputSchema: Body; returns: ValidateFunction }> = Object.fromEntries(
      entries.map(({ tool }) => {
        strict.compile(tool.inputSchema);
        return [tool.name, { inputSchema: tool.inputSchema, returns: strict.compile(tool.outputSchema) }];
      }),
    );
    return { fits, tools };
  }

  it(`reaches every layer, or is refused at its line (${rounds * editsAtOnce} edits, seed ${seed})`, async () => {
    let run = 0;
    const property = fc.asyncProperty(batches, async (batch) => {
      for (const edit of batch.refused) await expectRefused(edit);
      await check(batch, ++run);
    });
    // A smaller batch would take as long as another one.
    const { failed, errorInstance } = await fc.check(property, { numRuns: rounds, seed, endOnFailure: true });
    if (failed) throw new Error(`EDITS_SEED=${seed} EDITS=${EDITS}: ${errorInstance}`, { cause: errorInstance });
  });
});
