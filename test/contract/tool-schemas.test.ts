import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { document, operationOf, operations } from '../../src/contract/document.ts';
import { tools as entries } from '../../src/contract/tools.ts';

import { jobRules } from '../../src/operations/jobs/job.ts';
import { allowedTags, elementsMax } from '../../src/sanitizer/html-rules.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { readTools } from '../helper/tool-names.ts';
import { invalidValues } from '../property/invalid-values.ts';

interface Schema {
  [keyword: string]: unknown;
  type?: string;
  enum?: unknown[];
  required?: readonly string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

const tools = entries.map(({ tool }) => ({
  ...tool,
  inputSchema: tool.inputSchema as Schema,
  outputSchema: tool.outputSchema as Schema,
}));

const propertyNames = (schema: Schema) => Object.keys(schema.properties ?? {});
const strict = () => formats.default(new Ajv2020({ strict: true, strictRequired: true, allErrors: true }));

/** Required keywords of a schema, by type. */
const needs = (type: string, ...required: string[]) => ({
  anyOf: [{ not: { required: ['type'], properties: { type: { const: type } } } }, { required }],
});
const freeKeywords =
  'title description default pattern minLength maxLength minimum maximum minItems maxItems minProperties required';

/**
 * A schema for schemas that every client accepts and reads correctly: no $ref, $defs, oneOf, nullable, example, x-, and so on. Model
 * providers refuse a whole request if one tool breaks a rule, and clients send tools on unchanged.
 */
const plainSchema = (isInput: boolean) => ({
  type: 'object',
  oneOf: [{ required: ['type'] }, { required: ['anyOf'] }],
  properties: {
    ...Object.fromEntries(freeKeywords.split(' ').map((keyword) => [keyword, true])),
    type: { type: 'string' },
    enum: { items: { type: 'string', minLength: 1 } },
    format: { enum: 'date date-time time duration email hostname ipv4 ipv6 uuid'.split(' ') },
    // One schema or null.
    anyOf: { minItems: 2, maxItems: 2, items: { $ref: '#' }, contains: { const: { type: 'null' } }, maxContains: 1 },
    items: { $ref: '#' },
    properties: {
      propertyNames: { pattern: '^[a-zA-Z0-9_.-]{1,64}$' },
      additionalProperties: { $ref: '#', required: isInput ? ['description'] : [] },
    },
    // Inputs are closed, outputs open.
    additionalProperties: isInput ? { const: false } : { anyOf: [{ const: true }, { $ref: '#' }] },
  },
  additionalProperties: false,
  allOf: [needs('array', 'items'), needs('object', ...(isInput ? ['additionalProperties'] : []))],
});

it('every client can read the schemas of the tools', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const [input, output] = [ajv.compile(plainSchema(true)), ajv.compile(plainSchema(false))];
  for (const { name, inputSchema, outputSchema } of tools)
    for (const [schema, validate] of [
      // OpenAI, strict: https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas
      // Gemini: https://ai.google.dev/api/caching#Schema
      // Anthropic: https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use
      [inputSchema, input],
      [outputSchema, output],
    ] as const) {
      validate(schema);
      expect(validate.errors, name).to.equal(null);
      expect(schema.type, name).to.equal('object');
      // As JSON Schema 2020-12; every required property must exist.
      strict().compile(schema);
    }
});

it('every tool that answers one job shows its ETag and its idempotency key', () => {
  const shown = tools.flatMap(({ name, outputSchema: { properties = {} } }) =>
    properties.response?.properties?.data?.properties?.title ? [[name, ...Object.keys(properties)]] : [],
  );
  expect(shown.map(([name]) => name)).to.include.members(['get_job', 'create_job', 'update_job', 'withdraw_job']);
  for (const members of shown) expect(members).to.include.members(['etag', 'idempotency_key']);
});

const depthOf = ({ properties = {}, items, anyOf = [] }: Schema): number => {
  const inner = [...Object.values(properties), ...(items ? [items] : [])].map((schema) => 1 + depthOf(schema));
  return Math.max(1, ...inner, ...anyOf.map(depthOf));
};
const enumerated = ({ enum: own = [], properties = {}, items, anyOf = [] }: Schema): unknown[] => [
  ...own,
  ...[...Object.values(properties), ...(items ? [items] : []), ...anyOf].flatMap(enumerated),
];

const filters = 'page per_page status updated_since cursor idempotency_key include'.split(' ');

describe('tools', () => {
  it('have the nine of the requirements, in the order of the contract, with if_match and the filters', () => {
    const taken = Object.fromEntries(entries.map((entry) => [entry.tool.name, entry.arguments]));
    expect(taken).to.deep.include({
      list_categories: {},
      list_regions: {},
      list_job_options: {},
      get_account: {},
      list_jobs: { ...Object.fromEntries(filters.map((name) => [name, 'query'])), view: 'view' },
      get_job: { id: 'path' },
      create_job: { idempotency_key: 'header:Idempotency-Key', job: 'body' },
      update_job: { id: 'path', if_match: 'header:If-Match', job: 'body' },
      withdraw_job: { id: 'path', if_match: 'header:If-Match' },
    });
    for (const { tool } of entries)
      expect(propertyNames(tool.inputSchema)).to.deep.equal(Object.keys(taken[tool.name] ?? {}));
    const ordered = [...operations.keys()].flatMap((operationId) =>
      entries.filter((entry) => entry.operationId === operationId),
    );
    expect(entries).to.deep.equal(ordered);
  });

  // The generator refuses a longer name.
  it('have descriptions and schemas within every client’s limits', () => {
    for (const { name, description, inputSchema } of tools) {
      // OpenAI: https://developers.openai.com/api/reference/resources/chat
      expect(description.length, name).to.be.within(1, 1024);
      expect(depthOf(inputSchema), name).to.be.at.most(10);
      expect(enumerated(inputSchema), name).to.have.length.at.most(1000);
      // Nova: https://github.com/zed-industries/zed/issues/28521
      expect(['type', 'properties', 'required', 'additionalProperties']).to.include.members(Object.keys(inputSchema));
    }
  });

  it('that return jobs let Claude Code show a long result in full', () => {
    const long = { 'anthropic/maxResultSizeChars': 500_000 };
    for (const { name, _meta } of tools) expect(_meta, name).to.deep.equal(/_jobs?$/.test(name) ? long : undefined);
  });

  it('that only read say so, and those that overwrite or withdraw are marked destructive', () => {
    const named = (hint: string) => tools.filter(({ annotations }) => annotations[hint]).map(({ name }) => name);
    expect(named('readOnlyHint')).to.deep.equal(readTools);
    expect(named('destructiveHint')).to.include.members(['update_job', 'withdraw_job']).and.not.include('create_job');
    expect(readTools.filter((name) => named('destructiveHint').includes(name))).to.deep.equal([]);
  });

  it('are described without Markdown, and mention tools, not HTTP requests', () => {
    expect(JSON.stringify(tools)).to.not.match(/`|(GET|POST|PATCH|DELETE) \//);
  });
});

const jobArgument = (name: string): Schema =>
  tools.find((tool) => tool.name === name)?.inputSchema.properties?.job ?? {};

it("every rule that can refuse a job is in its keywords or in the field's own description", () => {
  const dependent = [...jobRules].flatMap(([field, { requiredWhen }]) => (requiredWhen ? [field] : []));
  const sent = operationOf('createJob').shape.properties?.requestBody as Schema;
  for (const [field, rule] of jobRules) {
    const schema = sent.properties?.[field];
    const words = [
      ...(schema?.['x-visible'] ? ['not blank'] : []),
      ...(rule.default === undefined ? [] : [`${rule.default} if a new job leaves it out`]),
      ...(rule.references === 'categories' ? ['child', 'parent_id', 'list_categories', 'active'] : []),
      ...(rule.references === 'districts' ? ['list_regions'] : []),
      ...(rule.kind === 'html' ? [...allowedTags, 'https, http, mailto or tel', String(elementsMax), 'to read'] : []),
      ...(rule.maxBytes === undefined ? [] : [`${rule.maxBytes} bytes`]),
      ...(rule.future ? ['YYYY-MM-DD', 'after today'] : []),
      ...(schema?.['x-https'] ? ['https', 'user name or password', 'ASCII'] : []),
      ...(rule.kind === 'decimal' ? ['a number', 'two decimals'] : []),
      ...(rule.atLeast ? [`not below ${rule.atLeast}`] : []),
      ...Object.entries(rule.requiredWhen ?? {}).map(([other, value]) => `Required when ${other} is ${value}`),
      ...(field === 'application_method' ? dependent.map((name) => `(needs ${name})`) : []),
    ];
    for (const name of ['create_job', 'update_job'])
      for (const word of words)
        expect(jobArgument(name).properties?.[field]?.description, `${name} ${field}`).to.include(word);
  }
});

// McpClient validates real answers, in every test that calls a tool.
it('an outputSchema accepts an error, and a success only with a response, even where HTTP has no body', () => {
  const error = { status: 404, message: 'x', details: { reason: 'job' } };
  for (const { tool } of entries) {
    const validate = strict().compile(tool.outputSchema);
    for (const [outcome, isValid] of [
      [{ http_status: 404, error }, true],
      // A tool without a response says nothing of one.
      [{ http_status: 204, response: null }, !JSON.stringify(tool.outputSchema).includes('"response"')],
    ] as const)
      expect(validate({ environment: 'sandbox', ...outcome }), tool.name).to.equal(isValid);
  }
});

describe('the argument job', () => {
  // Tools have no format uri; the service checks URLs with its own rule.
  const byContract = (name: string) =>
    formats
      .default(new Ajv({ strict: false }))
      .addFormat('uri', true)
      .compile(document.components?.schemas?.[name] ?? {});
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
    it(`${tool}: accepts and refuses the same jobs as REST`, () => {
      const validators: ValidateFunction[] = [strict().compile(jobArgument(tool)), byContract(schema)];
      const verdicts = (job: unknown) => validators.map((validate) => validate(job));
      for (const job of takes) expect(verdicts(job), JSON.stringify(job)).to.deep.equal([true, true]);
      for (const job of refused) expect(verdicts(job), JSON.stringify(job)).to.deep.equal([false, false]);
      const judged = values.map((fields) => verdicts({ ...minimalJob, ...fields }));
      for (const [n, [mine, theirs]] of judged.entries()) expect(mine, JSON.stringify(values[n])).to.equal(theirs);
      // Most invalid values break the schema. Some break only the rules beyond it.
      expect(judged.filter(([mine]) => mine === false)).to.have.length.above(values.length / 2);
    });
});
