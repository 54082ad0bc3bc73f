import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { dereference, type JsonObject, objectAt, schemaOf } from '../../scripts/generate/document.ts';
import { derive } from '../../scripts/generate/generate.ts';
import { withFormats } from '../../src/contract/formats.ts';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';
import { secretMessage } from '../../src/domain/token.ts';
import { seed } from '../helper/draws.ts';
import { EditedProject, linters } from '../helper/edited-project.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import {
  acceptedEdit,
  bodies,
  type Body as DrawnBody,
  type Edit,
  type FieldEdit,
  type Parameter,
  parameters,
  refusedEdit,
  type Schema,
  single,
  type Values,
  wrongTexts,
} from './arbitrary-edit.ts';

// npm run edits draws thousands of others.
const editsAtOnce = 30;
const { EDITS = String(editsAtOnce) } = process.env;
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
  {
    ...field('shift', { type: 'string', enum: ['day', 'night'], 'x-returned-nullable': true, description: 'D.' }),
    isRequired: true,
  },
  {
    ...field('first_day', {
      ...{ type: 'string', format: 'date', 'x-future': true },
      ...{ 'x-returned-nullable': true, description: 'The first day.' },
    }),
    isRequired: true,
  },
];

const integers = { type: 'integer', minimum: 0, maximum: 9 };
/** Parameters of each kind, beside those that are drawn. */
const earlierQuery: readonly Parameter[] = [
  { name: 'flag', required: false, schema: { type: 'boolean' }, value: false },
  { name: 'amount', required: false, schema: { type: 'number', minimum: -10, maximum: 10 }, value: -1.5 },
  { name: 'ids', required: false, schema: { type: 'array', maxItems: 3, items: integers }, value: [1, 2] },
  {
    ...{ name: 'words', required: false, value: ['b'] },
    schema: { type: 'array', maxItems: 3, items: { type: 'string', enum: ['a', 'b'] } },
  },
];

/** Edits of a contract, with two values of each of its fields. */
interface Batch {
  readonly edits: readonly Edit[];
  readonly values: readonly (readonly [Values, Values])[];
  readonly refused: readonly FieldEdit[];
  readonly query: readonly Parameter[];
  readonly body: DrawnBody;
}
/** Names that SQL, JavaScript, functions.sql or an answer already uses. */
const names =
  'all analyse and array as between by case check class counted claimed data date default delete desc details end error export false from function group import in item key length level limit made made_by meta name new not null offset on order position posting_limit primary prototype public refusals select sent service table text then time to true type user using value when where with with_key year yield zone'.split(
    ' ',
  );
const accepted = (editsAtOnce * 2) / 3;
const batches: fc.Arbitrary<Batch> = fc
  .record({
    drawn: fc
      .shuffledSubarray(names, { minLength: accepted * 2, maxLength: accepted * 2 })
      .chain((chosen) =>
        fc.tuple(...chosen.slice(0, accepted).map((name, at) => acceptedEdit(name, chosen[accepted + at] ?? ''))),
      ),
    refused: fc.tuple(...Array.from({ length: editsAtOnce / 3 }, (_, at) => refusedEdit(`r${at}`))),
    query: parameters.map((drawn) => [...earlierQuery, ...drawn]),
    body: bodies,
  })
  .chain(({ drawn, ...others }) => {
    const edits = [...earlier.map(single), ...drawn];
    const values = fc.tuple(...edits.map((edit) => fc.tuple(edit.values, edit.values)));
    return values.map((both) => ({ edits, values: both, ...others }));
  });

/** The halves of a batch; of a single edit what remains without it. */
function halvesOf(batch: Batch): Batch[] {
  const { edits, values } = batch;
  const middle = Math.ceil(edits.length / 2);
  const cuts = edits.length > 1 ? [[0, middle] as const, [middle] as const] : edits.length === 1 ? [[1] as const] : [];
  return cuts.map((cut) => ({ ...batch, edits: edits.slice(...cut), values: values.slice(...cut) }));
}

const textOf = (name: string): Promise<string> => readFile(join(root, name), 'utf8');
/** JSON that every YAML parser reads: not all of them know these characters. */
const json = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const flow = (name: string, value: unknown) => `${JSON.stringify(name)}: ${json(value)}\n`;
/** Lines before the first line that begins as given. */
const lineBefore = (yaml: string, line: string, lines: string) =>
  yaml.replace(`\n${line}\n`, () => `\n${lines}${line}\n`);
const withFields = (yaml: string, edits: readonly FieldEdit[]) => {
  const lines = edits.map(({ name, schema }) => `        ${flow(name, schema)}`).join('');
  const components = edits.flatMap(({ name, component }) => (component ? [`    ${flow(`Of${name}`, component)}`] : []));
  return lineBefore(lineBefore(yaml, '    JobStatus:', components.join('')), '    JobPatch:', lines);
};
/** With required fields in the list of required ones and in the examples of a new job. */
const withRequired = (yaml: string, edits: readonly FieldEdit[], values: Values) => {
  const required = edits.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const lines = required.map((name) => `\n        ${flow(name, values[name]).trimEnd()}`).join('');
  return withFields(yaml, edits)
    .replace(
      'district_id, application_method]',
      ['district_id, application_method', ...required.map((name) => JSON.stringify(name))].join(', ').concat(']'),
    )
    .replaceAll(/^ {8}category_id: \d+$/gm, (line) => line + lines);
};

const named =
  'parameters: [{ name: number, in: path, required: true, description: D., example: 1, schema: { type: integer } }]';
const number = 'schema: { type: object, required: [data], properties: { data: { type: string, description: D. } } }';
const tool = (name: string, more = '') =>
  `x-mcp: { name: ${name}, ${more}title: T, description: D., readOnly: true, destructive: false, idempotent: true, openWorld: false }`;

/** A resource of which only number 1 exists, with an operation below it that has a body. */
const numbers = {
  path: ({ schema, values: [value] }: DrawnBody) => `  /numbers/{number}:
    ${named}
    get:
      { operationId: readNumber, tags: [Jobs], summary: Read, description: D., x-scope: jobs:read, ${tool('read_number')},
        responses: { "200": { description: A., content: { application/json: { ${number}, examples: { a: { value: { data: x } } } } } }, "404": { $ref: "#/components/responses/JobNotFound" } } }
  /numbers/{number}/notes:
    ${named}
    post:
      { operationId: addNote, tags: [Jobs], summary: Add, description: D., x-scope: jobs:read, ${tool('add_note', 'body: note, ')},
        requestBody: { required: true, content: { application/json: { schema: ${json(schema)}, examples: { a: { value: ${json(value)} } } } } },
        responses: { "200": { description: A., content: { application/json: { ${number}, examples: { a: { value: { data: x } } } } } }, "404": { $ref: "#/components/responses/JobNotFound" } } }

`,
  code: `import type { ApiContext } from '../context.ts';
import type { Input, Reply } from '../contract/types.ts';
import { notFound } from '../domain/errors.ts';

export async function readNumber(_ctx: ApiContext, { path }: Input<'readNumber'>): Promise<Reply<'readNumber'>> {
  if (path.number !== 1) throw notFound('path');
  return { status: 200, body: { data: 'x' } };
}
export async function addNote(ctx: ApiContext, { path, body }: Input<'addNote'>): Promise<Reply<'addNote'>> {
  await readNumber(ctx, { path, query: {}, header: {}, body: undefined });
  return { status: 200, body: { data: JSON.stringify(body) } };
}
`,
};

/** An operation with a text in its path and parameters in its query, which answers with them. */
const echo = {
  path: (query: readonly Parameter[]) => `  /echo/{slug}:
    parameters:
      - { name: slug, in: path, required: true, description: D., example: a b, schema: { type: string, maxLength: 100 } }
    get:
      { operationId: list-echoes, tags: [Jobs], summary: "Echo */ it", description: D., deprecated: true, x-scope: jobs:read,
        x-mcp: { name: echo, title: T, description: D., readOnly: true, destructive: false, idempotent: true, openWorld: false },
        parameters: ${json(query.map(({ value: example, ...one }) => ({ ...one, in: 'query', description: 'D.', example })))},
        responses: { "202": { description: A., content: { application/json: {
          schema: { type: object, required: [data], properties: { data: { type: string, description: D. } } },
          examples: { a: { value: { data: x } } } } } }, "404": { $ref: "#/components/responses/JobNotFound" } } }

`,
  code: (query: readonly Parameter[]) => `import type { ApiContext } from '../context.ts';
import type { Input, Reply } from '../contract/types.ts';

export async function listEchoes(_ctx: ApiContext, { path, query }: Input<'list-echoes', ${query.map(({ name }) => `'${name}'`).join(' | ')}>): Promise<Reply<'list-echoes'>> {
  return { status: 202, body: { data: JSON.stringify({ ...path, ...query }) } };
}
`,
  usage: (query: readonly Parameter[]) => `import type { Client } from '../src/client/client.ts';
import type { Job, JobInput } from '../src/client/contract.ts';
export const echoed = (client: Client) => client.listEchoes('a b', ${JSON.stringify(valuesOf(query))});
`,
};
const valuesOf = (query: readonly Parameter[]) => Object.fromEntries(query.map(({ name, value }) => [name, value]));
const queryOf = (values: Values) =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value].flat().map((item) => [name, String(item)])),
  );

// biome-ignore lint/suspicious/noExplicitAny: fields that the types here do not have
type Body = any;

/** In the form of a credential. */
const secret = `vaga_live_1_${'0a'.repeat(28)}`;

describe('any edit of the contract', function () {
  this.timeout(24 * 3600_000);
  let folder: string;
  let project: EditedProject;
  let token: string;
  let original: { yaml: string; schema: string; functions: string; json: string };
  const samples = 'test/helper/sample-jobs.ts';

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
    project = await EditedProject.copy(join(folder, 'project'), { withTests: true });
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
  async function follow({ edits, values, query, body }: Batch, run: number): Promise<ServiceProcess> {
    for (const name of ['prisma', 'generated']) {
      if (name === 'prisma') await rm(project.path(name), { recursive: true });
      const filter = (path: string) => !path.includes(join('generated', 'prisma'));
      await cp(join(root, name), project.path(name), { recursive: true, filter });
    }
    const fields = edits.flatMap((edit) => edit.fields);
    const some = Object.assign({}, ...values.map(([one]) => one));
    const yaml = lineBefore(
      withRequired(original.yaml, fields, some),
      '  /jobs:',
      echo.path(query) + numbers.path(body),
    );
    const required = fields.filter(({ isRequired }) => isRequired);
    const lines = required.map(({ name }) => `  ${flow(name, some[name]).trimEnd()},\n`).join('');
    const minimal = (text: string) => text.replace(/\n};\n/, () => `\n${lines}};\n`);
    await writeFile(project.path('src/operations/echo.ts'), echo.code(query));
    await writeFile(project.path('src/operations/numbers.ts'), numbers.code);
    await writeFile(project.path('test/usage.ts'), echo.usage(query) + usageOf(fields));
    await writeFile(project.path(samples), minimal(await textOf(samples)));
    await writeFile(project.path('openapi.yaml'), yaml);
    await project.npm('generate');
    expect(await project.mistakes()).to.equal('');
    await readByOthers();
    const data = join(folder, `data-${run}`);
    await cp(join(folder, 'first'), data, { recursive: true });
    const plenty = { REQUESTS_PER_MINUTE: '1000000', IP_REQUESTS_PER_MINUTE: '1000000' };
    return ServiceProcess.listening({ DATA_DIR: data, ...plenty }, project.folder);
  }

  /** Other people's readers agree with the edited contract: OpenAPI's validators, and YAML 1.1. */
  async function readByOthers(): Promise<void> {
    const text = await readFile(project.path('openapi.yaml'), 'utf8');
    expect(parse(text, { version: '1.1' })).to.deep.equal(parse(text));
    if (existsSync(linters)) await project.npm('lint:contract');
  }

  /** Compiles only if the types have the fields. */
  const usageOf = (edits: readonly FieldEdit[]) =>
    edits
      .map(({ name }) => `export const use_${name} = (job: Job, input: JobInput) => [job.${name}, input.${name}];\n`)
      .join('');

  async function check(batch: Batch, run: number): Promise<void> {
    const fields = batch.edits.flatMap((edit) => edit.fields);
    const service = await follow(batch, run);
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
      const named = (at: 0 | 1): Values => Object.assign({}, ...batch.values.map((both) => both[at]));
      const shown = (job: Values) =>
        Object.fromEntries(fields.map(({ name, meant }) => [name, shownOf(meant, job[name])]));

      const { id: oldId, ...old } = (await rest('GET', '/jobs')).body.data[0];
      expect(old).to.deep.include(
        Object.fromEntries(fields.map(({ name, meant }) => [name, meant['x-default'] ?? null])),
      );
      for (const { name } of fields)
        expect(tools.create_job?.inputSchema.properties.job.properties, name).to.have.property(name);
      for (const { name, meant } of fields) {
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
      const change = { requirements: 'Carta.', ...named(1) };
      const earlierJob = await rest('PATCH', `/jobs/${oldId}`, change);
      expect(earlierJob.body.data, JSON.stringify(earlierJob.body)).to.deep.include(shown(named(1)));
      const after = await call('update_job', { id, job: change });
      expect(after.http_status, JSON.stringify(after)).to.equal(200);
      expect(after.response.data).to.deep.include(shown(named(1)));
      // Repeating the change changes nothing.
      const same = await rest('PATCH', `/jobs/${id}`, change);
      expect(same.body.data.updated_at).to.equal(after.response.data.updated_at);

      for (const { name } of fields.filter(({ isRequired }) => isRequired)) {
        const { [name]: _, ...others } = named(0);
        const refused = await rest('POST', '/jobs', { ...minimalJob, ...others }, `without-${name}`);
        expect([refused.status, Object.keys(refused.body.error.details)], name).to.deep.equal([422, [name]]);
      }

      for (const { fields: edited, refused: changes } of batch.edits)
        for (const [names, change] of changes) {
          const where = `${edited.map(about).join(', ')}: ${JSON.stringify(change)}`;
          const refused = await rest('PATCH', `/jobs/${id}`, change);
          expect(refused.status, where).to.equal(422);
          const named = Object.keys(refused.body.error.details);
          expect([named.length, names.includes(named[0] ?? '')], `${where} ${named}`).to.deep.equal([1, true]);
          const alike = await call('update_job', { id, job: change });
          expect(alike.error, where).to.deep.equal(refused.body.error);
          await checkAdvice(named[0] ?? '', refused.body, (fields) =>
            rest('PATCH', `/jobs/${id}`, { ...change, ...fields }),
          );
        }
      expect((await rest('GET', `/jobs/${id}`)).body.data).to.deep.include(shown(named(1)));

      const { query } = batch;
      for (const some of [query, query.filter(({ required }) => required)]) {
        const sent = valuesOf(some);
        const asked = { slug: 'a b/ç', ...sent };
        const echoed = await rest('GET', `/echo/a%20b%2F%C3%A7?${queryOf(sent)}`);
        expect(echoed.status, JSON.stringify([echoed.body, query])).to.equal(202);
        expect(JSON.parse(echoed.body.data)).to.deep.equal(asked);
        // Some clients send null for every argument that they leave out.
        const nulls = Object.fromEntries(query.filter(({ required }) => !required).map(({ name }) => [name, null]));
        const alike = await call('echo', { ...nulls, ...asked });
        expect(alike.http_status, JSON.stringify([alike, query])).to.equal(202);
        expect(JSON.parse(alike.response.data)).to.deep.equal(asked);
      }
      for (const { name, schema, required } of query) {
        const { [name]: _, ...others } = valuesOf(query);
        const wrong = wrongTexts(schema).map((text) => queryOf({ ...others, [name]: text }));
        for (const sent of [...wrong, ...(required ? [queryOf(others)] : [])]) {
          const refused = await rest('GET', `/echo/x?${sent}`);
          expect(refused.status, `${JSON.stringify(schema)} ${sent}`).to.equal(422);
          expect(Object.keys(refused.body.error.details), `${sent}`).to.deep.equal([name]);
        }
      }
      await checkBody(batch.body, rest, call);
      // In every parameter, whatever its type.
      for (const { name, schema } of [{ name: 'slug', schema: {} as Schema }, ...query]) {
        const misplaced = schema.type === 'array' ? [secret] : secret;
        const { slug, ...others } = { slug: 'x', ...valuesOf(query), [name]: misplaced } as Record<string, string>;
        const refused = await rest('GET', `/echo/${encodeURIComponent(String(slug))}?${queryOf(others)}`);
        const { details } = refused.body.error;
        expect([refused.status, Object.keys(details), details[name]?.length], name).to.deep.equal([422, [name], 1]);
        // What is longer than its parameter is only too long.
        expect(
          String(details[name]).replace(/^item 1 |^must have at most \d+ characters, not .*/, '') || secretMessage,
        ).to.equal(secretMessage);
        expect((await call('echo', { slug, ...others })).error, name).to.deep.equal(refused.body.error);
      }
      const wrong = query.map(({ name, schema }): [string, unknown] => [name, wrongTexts(schema)[0]]);
      const allWrong = await rest('GET', `/echo/x?${queryOf({ ...Object.fromEntries(wrong), ids: [1, 'x'] })}`);
      expect(Object.keys(allWrong.body.error.details)).to.have.members(query.map(({ name }) => name));
      expect((await rest('GET', '/echo/%E0%A4')).status).to.equal(404);
      expect(await readFile(project.path('generated/client.ts'), 'utf8')).to.include('@deprecated');
      const reference = await readFile(project.path('generated/reference.json'), 'utf8');
      for (const { name } of fields) expect(reference, name).to.include(`"${name}"`);
    } finally {
      await client.close();
      await service.stop();
      await rm(join(folder, `data-${run}`), { recursive: true, force: true });
    }
  }

  /** If a refusal names null, null is a value of the field, unless another field requires one. Nothing is changed. */
  async function checkAdvice(
    field: string,
    { error: { details } }: Body,
    change: (fields: Values) => Promise<{ body: Body }>,
  ): Promise<void> {
    if (!/\bnull\b/.test(String(details[field]).replaceAll(', not null', ''))) return;
    const { body } = await change({ [field]: null, title: '' });
    expect(body.error.details).to.have.property('title');
    expect(body.error.details[field] ?? 'is required when', details[field]).to.match(/^is required when/);
  }

  type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: Body }>;

  async function checkBody(
    { values, refused }: DrawnBody,
    rest: Ask,
    call: (name: string, args: Record<string, unknown>) => Promise<Body>,
  ): Promise<void> {
    for (const value of values) {
      const { status, body } = await rest('POST', '/numbers/1/notes', value);
      expect([status, JSON.parse(body.data ?? null)], JSON.stringify(body)).to.deep.equal([200, value]);
      const { response } = await call('add_note', { number: 1, note: value });
      expect(JSON.parse(response.data)).to.deep.equal(value);
    }
    for (const [field, wrong] of refused) {
      const { status, body } = await rest('POST', '/numbers/1/notes', wrong);
      expect([status, Object.keys(body.error?.details ?? {})], JSON.stringify(wrong)).to.deep.equal([422, [field]]);
      expect((await call('add_note', { number: 1, note: wrong })).error).to.deep.equal(body.error);
    }
    const [, wrong] = refused[0] ?? [];
    const nothing = ['2', '0', '9007199254740991', '9223372036854775808', '9'.repeat(400), 'abc', '1.0', '%00'];
    for (const number of nothing)
      for (const body of [values[0], wrong])
        expect((await rest('POST', `/numbers/${number}/notes`, body)).status, number).to.equal(404);
    for (const number of [2, 0, 2 ** 53, 1e300])
      expect((await call('add_note', { number, note: wrong })).http_status, String(number)).to.equal(404);
    for (const number of ['1', 1.5, null])
      expect((await call('add_note', { number, note: values[0] })).http_status).to.equal(422);
  }

  const shownOf = (schema: Schema, value: unknown): unknown =>
    schema.type === 'number' && typeof value === 'number' ? value.toFixed(Number(schema['x-decimals'])) : value;

  /** What the edited contract and its tools promise about answers. */
  async function published() {
    const read = async (name: string) => JSON.parse(await readFile(project.path('generated', name), 'utf8'));
    const document = dereference((await read('openapi.json')) as JsonObject);
    const fits = withFormats(new Ajv({ strict: false, multipleOfPrecision: 9 })).compile(schemaOf(document, 'Job'));
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
    const failure = (batch: Batch): Promise<unknown> =>
      check(batch, ++run).then(
        () => undefined,
        (error) => error,
      );
    /** The message about the smallest part of a batch that fails as well. */
    const explained = async (batch: Batch, error: unknown): Promise<Error> => {
      for (const half of halvesOf(batch)) {
        const other = await failure(half);
        if (other) return explained(half, other);
      }
      const fields = batch.edits.flatMap((edit) => edit.fields).map(about);
      return new Error(`${error}\n${fields.join('\n')}\n${JSON.stringify(batch.query)}`, { cause: error });
    };
    const property = fc.asyncProperty(batches, async (batch) => {
      // A long run says how far it is.
      if (rounds > 1) console.log(`round ${run + 1} of ${rounds}`);
      for (const edit of batch.refused) await expectRefused(edit);
      const error = await failure(batch);
      if (error) throw await explained(batch, error);
    });
    const { failed, errorInstance } = await fc.check(property, { numRuns: rounds, endOnFailure: true });
    if (failed) throw new Error(`SEED=${seed} EDITS=${EDITS}: ${errorInstance}`, { cause: errorInstance });
  });
});
