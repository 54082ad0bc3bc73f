import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { tools as entries } from '../../src/contract/tools.ts';

// Rules of model providers, who refuse a whole request if one tool breaks a rule. Clients send tools on unchanged.

interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly root: Schema;
  /** The root and all schemas inside it, with their depth. */
  readonly schemas: readonly (readonly [schema: Schema, depth: number])[];
}

function schemasIn(schema: Schema, depth = 1): [Schema, number][] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner = [...Object.values(properties), ...(items ? [items] : [])].flatMap((one) => schemasIn(one, depth + 1));
  return [[schema, depth], ...inner, ...anyOf.flatMap((one) => schemasIn(one, depth))];
}

const tools: readonly Tool[] = entries.map(({ tool: { name, description, inputSchema } }) => {
  const root = inputSchema as Schema;
  return { name, description, root, schemas: schemasIn(root) };
});

const every = ({ schemas }: Tool, holds: (schema: Schema) => boolean) => schemas.every(([schema]) => holds(schema));
const names = ({ schemas }: Tool) => schemas.flatMap(([{ properties = {} }]) => Object.keys(properties));
const enumerated = ({ schemas }: Tool) => schemas.flatMap(([schema]) => schema.enum ?? []);
const isObject = ({ type }: Schema) => type === 'object';
const words = (text: string) => new Set(text.split(' '));
const lacks = (keywords: string) => (schema: Schema) => [...words(keywords)].every((keyword) => !(keyword in schema));

const openaiFormats = words('date-time time date duration email hostname ipv4 ipv6 uuid');
const openai = 'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas';
const gemini = 'https://ai.google.dev/api/caching#Schema';
const bedrock = 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html';
const nova = 'https://github.com/zed-industries/zed/issues/28521';
const anthropic = 'https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes';
const claudeCode = 'https://code.claude.com/docs/en/mcp';

const rules: readonly (readonly [rule: string, source: string, holds: (tool: Tool) => boolean])[] = [
  [
    'OpenAI: only formats that it documents',
    openai,
    (tool) => every(tool, (one) => openaiFormats.has(one.format ?? 'date')),
  ],
  ['OpenAI: the root is an object, and no anyOf', openai, ({ root }) => isObject(root) && !root.anyOf],
  [
    'OpenAI, strict: objects are closed',
    openai,
    (tool) => every(tool, (one) => !isObject(one) || one.additionalProperties === false),
  ],
  [
    'OpenAI, strict: no composition but anyOf',
    openai,
    (tool) => every(tool, lacks('allOf oneOf not dependentRequired dependentSchemas if then else')),
  ],
  ['OpenAI: at most 5,000 properties', openai, (tool) => names(tool).length <= 5000],
  ['OpenAI: at most 10 levels', openai, ({ schemas }) => schemas.every(([, depth]) => depth <= 10)],
  [
    'OpenAI: at most 1,000 values of enums, and 120,000 characters with the names',
    openai,
    (tool) => enumerated(tool).length <= 1000 && [...names(tool), ...enumerated(tool)].join('').length <= 120_000,
  ],
  [
    'OpenAI: a name has 64 letters, digits, _ and -; a description 1,024 characters',
    'https://developers.openai.com/api/reference/resources/chat',
    ({ name, description }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name) && description.length <= 1024,
  ],
  [
    'Gemini: a name begins with a letter or _, and has at most 63 characters',
    'https://ai.google.dev/api/caching#FunctionDeclaration',
    ({ name }) => /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/.test(name),
  ],
  [
    'Gemini: the values of an enum are texts that are not empty',
    gemini,
    (tool) => enumerated(tool).every((value) => typeof value === 'string' && value !== ''),
  ],
  [
    'Gemini: a list says what its items are',
    gemini,
    (tool) => every(tool, ({ type, items }) => type !== 'array' || !!items),
  ],
  [
    'Gemini: what is required is a property',
    gemini,
    (tool) => every(tool, ({ required = [], properties = {} }) => required.every((name) => name in properties)),
  ],
  [
    'Gemini: one type, not a list of types',
    gemini,
    (tool) => every(tool, ({ type }) => typeof (type ?? '') === 'string'),
  ],
  [
    'Bedrock: a name has 64 letters, digits and _, and a tool a description',
    bedrock,
    ({ name, description }) => /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/.test(name) && description !== '',
  ],
  [
    'Bedrock, Nova: no further keywords at the root',
    nova,
    ({ root }) =>
      Object.keys(root).every((keyword) => words('type properties required additionalProperties').has(keyword)),
  ],
  ['Anthropic: no $ref', anthropic, (tool) => every(tool, lacks('$ref $defs definitions'))],
  ['Anthropic: no composition at the root', anthropic, ({ root }) => lacks('anyOf oneOf allOf')(root)],
  [
    'Anthropic and Bedrock: names of properties have 64 letters, digits, _ . and -',
    anthropic,
    (tool) => names(tool).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
  ],
  [
    'Anthropic: the schema is one of JSON Schema 2020-12',
    'https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use',
    ({ root }) => Boolean(formats.default(new Ajv2020({ strict: true })).compile(root)),
  ],
  [
    'Claude Code: a description has 2,048 characters, and a name 64 with its prefix',
    claudeCode,
    ({ name, description }) => description.length <= 2048 && `mcp__vaga__${name}`.length <= 64,
  ],
];

describe('every tool meets the rules of model providers', () => {
  for (const [rule, source, holds] of rules)
    it(`${rule} (${source})`, () => {
      expect(tools.filter((tool) => !holds(tool)).map(({ name }) => name)).to.deep.equal([]);
    });
});
