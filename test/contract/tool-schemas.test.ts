import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { rulesOf } from '../../src/domain/job-rules.ts';
import { allowedTags } from '../../src/sanitizer/allow-list.ts';
import { elementsMax } from '../../src/sanitizer/html-limits.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { invalidValues } from '../property/invalid-values.ts';

interface Schema {
  [keyword: string]: unknown;
  type?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
}

interface Tool extends Record<'name' | 'title' | 'description', string> {
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: Record<string, unknown>;
}

interface Entry {
  operationId: string;
  scope: string;
  arguments: Record<string, string>;
  tool: Tool;
}

interface Operation {
  operationId: string;
  'x-scope': string;
  'x-mcp'?: Record<string, unknown>;
  responses: Record<string, { $ref?: string; content?: { 'application/json': { examples?: object } } }>;
}

interface Published {
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: unknown }>; responses: Operation['responses'] };
}

const dependentFields = [...rulesOf].flatMap(([field, { requiredWhen }]) => (requiredWhen ? [field] : []));

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../generated/${name}`, import.meta.url), 'utf8'));
const entries: Entry[] = read('mcp-tools.json');
const tools = entries.map(({ tool }) => tool);
const published: Published = read('openapi.json');
const contractSchemas: Record<string, Schema> = read('contract.json').components.schemas;
const operations = Object.values(published.paths).flatMap((item) => Object.values(item));

const KEYWORDS = new Set(
  `type title description default enum format pattern minLength maxLength minimum maximum minItems maxItems minProperties
  required properties additionalProperties items anyOf`.split(/\s+/),
);
const COMPOSITIONS = ['oneOf', 'anyOf', 'allOf', 'not', 'if'];

/** A schema and every schema in it, each with its path. */
function* schemasIn(schema: Schema, way: string): Generator<[string, Schema]> {
  yield [way, schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* schemasIn(inner, `${way}.${name}`);
  for (const keyword of ['items', 'additionalProperties']) {
    if (typeof schema[keyword] === 'object') yield* schemasIn(schema[keyword] as Schema, `${way}.${keyword}`);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const inner of (schema[keyword] ?? []) as Schema[]) yield* schemasIn(inner, `${way}.${keyword}`);
  }
}

const inputs = tools.flatMap((tool) => [...schemasIn(tool.inputSchema, tool.name)]);
const all = [...inputs, ...tools.flatMap((tool) => [...schemasIn(tool.outputSchema, `${tool.name} output`)])];
const waysWhere = (schemas: [string, Schema][], isWrong: (schema: Schema) => boolean) =>
  schemas.filter(([, schema]) => isWrong(schema)).map(([way]) => way);

const propertyNames = (schema: Schema) => Object.keys(schema.properties ?? {});
const isNullSchema = (schema: Schema) => Object.keys(schema).length === 1 && schema.type === 'null';
const strict = () => formats.default(new Ajv2020({ strict: true, allErrors: true }));

/** Rules for what some client refuses or misreads; each lists its violations. */
const schemaRules: Record<string, () => string[]> = {
  'the root is an object': () => waysWhere(roots(), ({ type }) => type !== 'object'),
  'the root is not composed': () => waysWhere(roots(), (schema) => COMPOSITIONS.some((keyword) => keyword in schema)),
  'no keyword but the plain ones of JSON Schema (no $ref, $defs, oneOf, nullable, example, x-)': () =>
    waysWhere(all, (schema) => Object.keys(schema).some((keyword) => !KEYWORDS.has(keyword))),
  'each schema has one type, or anyOf': () =>
    waysWhere(all, (schema) => (typeof schema.type === 'string') === 'anyOf' in schema),
  'anyOf is one schema or null': () =>
    waysWhere(all, ({ anyOf }) => {
      if (anyOf === undefined) return false;
      const branches = anyOf as Schema[];
      return branches.length !== 2 || !branches.some(isNullSchema) || branches.every(isNullSchema);
    }),
  'enumerated values are strings, not empty, without null': () =>
    waysWhere(all, (schema) => schema.enum?.every((value) => typeof value === 'string' && value !== '') === false),
  'property names fit the narrowest pattern': () =>
    waysWhere(all, (schema) => propertyNames(schema).some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))),
  'every property of an input is described': () =>
    waysWhere(inputs, ({ properties = {} }) => Object.values(properties).some(({ description }) => !description)),
  'arrays have items': () => waysWhere(all, (schema) => schema.type === 'array' && typeof schema.items !== 'object'),
  'required properties exist': () =>
    waysWhere(all, (schema) => schema.required?.some((name) => !propertyNames(schema).includes(name)) === true),
  'objects of an input are closed': () =>
    waysWhere(inputs, (schema) => schema.type === 'object' && schema.additionalProperties !== false),
  'objects of an output are open': () =>
    waysWhere(all.slice(inputs.length), (schema) => schema.additionalProperties === false),
  'formats are known everywhere': () =>
    waysWhere(all, ({ format = 'date' }) => !['date', 'date-time', 'email', 'uri'].includes(String(format))),
};

function roots(): [string, Schema][] {
  return tools.flatMap(({ name, inputSchema, outputSchema }): [string, Schema][] => [
    [name, inputSchema],
    [`${name} output`, outputSchema],
  ]);
}

describe('tool schemas', () => {
  for (const [rule, offenders] of Object.entries(schemaRules)) {
    it(rule, () => expect(offenders()).to.deep.equal([]));
  }

  it('compile as JSON Schema 2020-12 in strict mode', () => {
    for (const [, schema] of roots()) strict().compile(schema);
  });
});

describe('tools', () => {
  it('are the nine of the requirements, in the order of the contract', () => {
    const names = tools.map(({ name }) => name);
    expect(names).to.have.members(
      'list_categories list_regions list_job_options get_account list_jobs get_job create_job update_job withdraw_job'.split(
        ' ',
      ),
    );
    expect(names).to.deep.equal(operations.flatMap((operation) => operation['x-mcp']?.name ?? []));
  });

  it('take the arguments of the requirements, and if_match, updated_since and cursor', () => {
    const taken = Object.fromEntries(entries.map((entry) => [entry.tool.name, entry.arguments]));
    expect(taken).to.deep.equal({
      list_categories: {},
      list_regions: {},
      list_job_options: {},
      get_account: {},
      list_jobs: { page: 'query', per_page: 'query', status: 'query', updated_since: 'query', cursor: 'query' },
      get_job: { id: 'path' },
      create_job: { idempotency_key: 'header:Idempotency-Key', job: 'body' },
      update_job: { id: 'path', if_match: 'header:If-Match', job: 'body' },
      withdraw_job: { id: 'path', if_match: 'header:If-Match' },
    });
    for (const entry of entries)
      expect(propertyNames(entry.tool.inputSchema)).to.deep.equal(Object.keys(entry.arguments));
  });

  it('have names and descriptions within the limits of every client', () => {
    for (const { name, description } of tools) {
      expect(name).to.match(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.length, name).to.be.within(1, 1024);
    }
  });

  it('that only read say so, and those that overwrite or withdraw are marked destructive', () => {
    const named = (hint: string) => tools.filter(({ annotations }) => annotations[hint]).map(({ name }) => name);
    const readers = entries.filter(({ scope }) => scope !== 'jobs:write').map(({ tool }) => tool.name);
    expect(named('readOnlyHint')).to.deep.equal(readers);
    expect(named('destructiveHint')).to.deep.equal(['update_job', 'withdraw_job']);
  });

  it('fit into 33 KB together', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools }))).to.be.below(33_000);
  });

  it('are described without Markdown, and name tools, not requests', () => {
    expect(JSON.stringify(tools)).to.not.match(/`|(GET|POST|PATCH|DELETE) \//);
    const job = tools.find(({ name }) => name === 'create_job')?.inputSchema.properties?.job?.properties ?? {};
    expect(job.category_id?.description).to.include('list_categories');
    expect(job.district_id?.description).to.include('list_regions');
  });
});

describe('a rule that can refuse a job, beyond what the keywords say,', () => {
  const rules = [...rulesOf].map(([field, rule]): [string, string[]] => [
    field,
    [
      ...(rule.visible ? ['not blank'] : []),
      ...(rule.default === undefined ? [] : [`${rule.default} if a new job leaves it out`]),
      ...(rule.references === 'categories' ? ['child', 'parent_id', 'list_categories', 'active'] : []),
      ...(rule.references === 'districts' ? ['list_regions'] : []),
      ...(rule.kind === 'html' ? [...allowedTags, 'https, mailto or tel', String(elementsMax), 'to read'] : []),
      ...(rule.maxBytes === undefined ? [] : [`${rule.maxBytes} bytes`]),
      ...(rule.future ? ['YYYY-MM-DD', 'after today'] : []),
      ...(rule.https ? ['https', 'user name or password', 'ASCII'] : []),
      ...(rule.kind === 'decimal' ? ['a number', 'two decimals'] : []),
      ...(rule.atLeast ? [`not below ${rule.atLeast}`] : []),
      ...Object.entries(rule.requiredWhen ?? {}).map(([other, value]) => `Required when ${other} is ${value}`),
      ...(field === 'application_method' ? dependentFields.map((name) => `(needs ${name})`) : []),
    ],
  ]);

  for (const name of ['create_job', 'update_job'])
    it(`is in the field's own description in ${name}`, () => {
      const job = tools.find((tool) => tool.name === name)?.inputSchema.properties?.job;
      for (const [field, words] of rules)
        for (const word of words) expect(job?.properties?.[field]?.description, field).to.include(word);
    });
});

describe('outputSchema', () => {
  for (const { operationId, tool } of entries) {
    it(`${tool.name} accepts every example of the contract, success or refusal`, () => {
      const validate = strict().compile(tool.outputSchema);
      const results = examplesOf(operationId);
      expect(results.map(({ http_status }) => http_status)).to.include.members([401, 429, 503]);
      for (const result of results) {
        expect(validate(result), `${result.http_status}: ${JSON.stringify(validate.errors)}`).to.equal(true);
      }
    });
  }

  it('no success of a tool is without a response, also where HTTP has no body', () => {
    for (const { tool } of entries) {
      const validate = strict().compile(tool.outputSchema);
      expect(validate({ environment: 'sandbox', http_status: 204, response: null }), tool.name).to.equal(false);
    }
  });
});

describe('the argument job', () => {
  const byContract = (name: string) => formats.default(new Ajv({ strict: false })).compile(contractSchemas[name] ?? {});
  const byTool = (name: string): ValidateFunction =>
    strict().compile(tools.find((tool) => tool.name === name)?.inputSchema.properties?.job ?? {});
  const nulls = Object.fromEntries(Object.keys(fullJob()).map((field) => [field, null]));
  const anyJob = { ...minimalJob, salary_negotiable: false };
  const accepted = [minimalJob, fullJob(), { ...nulls, ...anyJob }, { ...minimalJob, title: '😀'.repeat(255) }];
  const changes = [...accepted, { experience_years: 3 }, { valid_until: null }];
  const refused = [{}, [], '{}', null, { ...minimalJob, colour: 'red' }, { ...minimalJob, status: 'active' }];
  // Only the contract's format int64 refuses larger numbers.
  const isJudged = (value: unknown) => typeof value !== 'number' || Math.abs(value) < 2 ** 53;
  const values = Object.entries(invalidValues).flatMap(([field, all]) =>
    all.filter(isJudged).map((value) => ({ [field]: value })),
  );

  for (const [tool, schema, takes] of [
    ['create_job', 'JobInput', accepted],
    ['update_job', 'JobPatch', changes],
  ] as const)
    it(`${tool}: its schema accepts and refuses what REST's does`, () => {
      const validators = [byTool(tool), byContract(schema)];
      const verdicts = (job: unknown) => validators.map((validate) => validate(job));
      for (const job of takes) expect(verdicts(job), JSON.stringify(job)).to.deep.equal([true, true]);
      for (const job of refused) expect(verdicts(job), JSON.stringify(job)).to.deep.equal([false, false]);
      const judged = values.map((fields) => verdicts({ ...minimalJob, ...fields }));
      for (const [n, [mine, theirs]] of judged.entries()) expect(mine, JSON.stringify(values[n])).to.equal(theirs);
      // Most invalid values break the schema; some only the rules beyond it.
      expect(judged.filter(([mine]) => mine === false)).to.have.length.above(values.length / 2);
    });
});

function examplesOf(operationId: string) {
  const responses = operations.find((operation) => operation.operationId === operationId)?.responses ?? {};
  return Object.entries(responses).flatMap(([status, { $ref, content }]) => {
    const shared = $ref ? published.components.responses[nameOf($ref)]?.content : content;
    const examples: { $ref: string }[] = Object.values(shared?.['application/json'].examples ?? {});
    return examples.map((example) => {
      const value = published.components.examples[nameOf(example.$ref)]?.value;
      const http_status = status === 'x-mcp' ? 204 : Number(status);
      const outcome = http_status < 400 ? { response: value } : (value as object);
      return { environment: 'sandbox', http_status, ...outcome };
    });
  });
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
