import {
  asObject,
  asString,
  ContractError,
  dereference,
  type FoundOperation,
  isObject,
  type Json,
  type JsonObject,
  mediaOf,
  objectAt,
  operationsOf,
  valueAt,
} from './document.ts';
import { int32, isInTools } from './keywords.ts';

const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'];

/**
 * Returns mcp-tools.json. For every operation with x-mcp, in the order of the document: its operationId and scope, the place of each
 * argument in the request (path, query, body, `header:<name>`), and the tool as `tools/list` returns it.
 */
export function renderTools(document: JsonObject): string {
  const inlined = dereference(document);
  const found = operationsOf(inlined).filter(({ operation }) => isObject(operation['x-mcp']));
  // In texts, `GET /categories` becomes list_categories. Models need no Markdown.
  const worded = (text: string) =>
    found
      .reduce(
        (said, { method, path, operation }) =>
          said.replaceAll(`\`${method.toUpperCase()} ${path}\``, String(objectAt(operation, 'x-mcp').name)),
        text,
      )
      .replaceAll('`', '');
  const made = found.map(toTool);
  const isProse = (key: string, value: unknown): value is string => prose.has(key) && typeof value === 'string';
  return `${JSON.stringify(made, (key, value: unknown) => (isProse(key, value) ? worded(value) : value), 2)}\n`;
}

const prose = new Set(['title', 'description']);

function toTool(found: FoundOperation): JsonObject {
  const { operationId, operation } = found;
  try {
    const mcp = objectAt(operation, 'x-mcp');
    const args = argumentsOf(found);
    const required = args.filter((argument) => argument.required).map(({ name }) => name);
    const title = asString(mcp.title, 'x-mcp.title');
    const annotations = hints.map((hint) => {
      if (typeof mcp[hint] !== 'boolean') throw new Error(`x-mcp.${hint}: true or false is expected`);
      return [`${hint}Hint`, mcp[hint]];
    });
    return {
      operationId,
      scope: asString(found.scope ?? undefined, 'x-scope'),
      arguments: Object.fromEntries(args.map(({ name, source }) => [name, source])),
      ...(mcp.summary === undefined ? {} : { summary: mcp.summary }),
      tool: {
        name: asString(mcp.name, 'x-mcp.name'),
        title,
        description: asString(mcp.description, 'x-mcp.description').trim(),
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: false,
        },
        outputSchema: outputSchema(operation),
        annotations: { title, ...Object.fromEntries(annotations) },
        // Claude Code shows only the beginning of a result that is longer than this. It accepts a limit of at most 500,000.
        ...(mcp.resultCharsMax === undefined ? {} : { _meta: { 'anthropic/maxResultSizeChars': mcp.resultCharsMax } }),
      },
    };
  } catch (cause) {
    const message = `tool of ${operationId}: ${cause instanceof Error ? cause.message : cause}`;
    throw new ContractError(['paths', found.path, found.method, 'x-mcp'], message);
  }
}

export function argumentsOf(found: FoundOperation) {
  const { parameters, operation } = found;
  const { requestBody } = operation;
  // Parameters that only HTTP needs are no arguments of a tool.
  const args = parameters
    .filter((parameter) => parameter['x-mcp'] !== false)
    .map(({ name: named, in: place, required, schema, description = '', deprecated = false }) => {
      const name = asString(named, 'parameter name');
      const isHeader = place === 'header';
      return {
        name: isHeader ? name.toLowerCase().replaceAll('-', '_') : name,
        source: isHeader ? `header:${name}` : asString(place, `${name}: in`),
        required: required === true,
        schema: toJsonSchema({ description, ...(deprecated && { deprecated }), ...objectAt(schema) }),
      };
    });
  const summary = valueAt(operation, 'x-mcp', 'summary');
  if (Array.isArray(summary)) args.push(viewOf(found, summary.map(String)));
  if (!isObject(requestBody)) return args;
  const schema = toJsonSchema(objectAt(mediaOf(requestBody), 'schema'));
  const described = { ...schema, description: schema.description ?? requestBody.description ?? '' };
  return [
    ...args,
    { name: bodyArgumentOf(operation), source: 'body', required: requestBody.required === true, schema: described },
  ];
}

/** The name of the argument that is the request body. */
export const bodyArgumentOf = (operation: JsonObject): string =>
  asString(valueAt(operation, 'x-mcp', 'body') ?? 'body', 'x-mcp.body');

/** The argument that asks for a list of summaries. */
function viewOf({ path, method, operation }: FoundOperation, fields: readonly string[]) {
  const response = objectAt(operation, 'responses', '200');
  const items = objectAt(mediaOf(response), 'schema', 'properties', 'data', 'items', 'properties');
  const unknown = fields.find((field) => !Object.hasOwn(items, field));
  if (unknown !== undefined)
    throw new ContractError(['paths', path, method, 'x-mcp', 'summary'], `summary: no item has the field ${unknown}`);
  const description = `summary: of each item only ${fields.join(', ')}. Without it, whole items.`;
  return { name: 'view', source: 'view', required: false, schema: { type: 'string', enum: ['summary'], description } };
}

/** The response headers that a tool's result includes, and their names there. */
const shownHeaders = [
  ['ETag', 'etag'],
  ['Idempotency-Key', 'idempotency_key'],
] as const;
/** The schema of every refusal. It has only what all have in common, because the schema of one status would refuse the details of another. */
const error: JsonObject = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    message: { type: 'string' },
    details: { type: 'object', additionalProperties: true },
  },
};

// One schema covers successes and errors, because clients check results against it even if isError is true.
function outputSchema(operation: JsonObject): JsonObject {
  const responses = objectAt(operation, 'responses');
  const { response: shown } = objectAt(operation, 'x-mcp');
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  const { headers } = objectAt(responses, successes[0] ?? 'a success');
  // Where HTTP has no body, a tool returns the response of x-mcp.
  const bodies = successes.flatMap((status) => {
    const response = objectAt(responses, status);
    const held = response.content === undefined ? shown : response;
    return held === undefined ? [] : [toOutput(objectAt(mediaOf(held), 'schema'))];
  });
  const distinct = [...new Map(bodies.map((schema) => [JSON.stringify(schema), schema])).values()];
  return {
    type: 'object',
    properties: {
      environment: toOutput(objectAt(headers, 'X-API-Environment', 'schema')),
      http_status: { type: 'integer' },
      ...Object.fromEntries(
        shownHeaders.flatMap(([header, name]) => {
          const declared = objectAt(headers)[header];
          const isShown = isObject(declared) && declared['x-mcp'] !== false;
          return isShown ? [[name, toOutput(objectAt(declared, 'schema'))]] : [];
        }),
      ),
      ...(distinct.length > 0 && { response: distinct[1] ? { anyOf: distinct } : distinct[0] }),
      error,
    },
    required: ['environment', 'http_status'],
  };
}

const toOutput = (schema: JsonObject): JsonObject => toTypes(toJsonSchema(schema));

// We convert schemas ourselves, because maintained libraries stop at draft 4, turn `nullable` into type arrays, and lose it beside other
// keywords. Clients want 2020-12 with `anyOf`.
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const annotations = setOf('title description default deprecated');
const types = setOf('type properties items anyOf additionalProperties');
/** Only generated code needs the size of a number in bits; tools get the bounds of int32. OpenAI refuses a whole request because of one `format: uri`. */
const notForTools = setOf('int32 int64 float double uri uri-reference');
const isForTools = (key: string, value: Json): boolean =>
  isInTools(key) && !(key === 'format' && notForTools.has(String(value))) && value !== Number.MAX_SAFE_INTEGER;

/** The keywords that become sentences of the description, because Gemini does not know them and refuses a whole request because of one. */
const inWords: Readonly<Record<string, (value: Json) => string>> = {
  multipleOf: (step) => `A multiple of ${step}.`,
  uniqueItems: (isUnique) => (isUnique ? 'No item twice.' : ''),
};

/** Converts a dereferenced OpenAPI 3.0 schema to JSON Schema 2020-12, with the keywords that keywords.ts gives to tools. */
function toJsonSchema(written: JsonObject): JsonObject {
  const schema = written.format === 'int32' ? { ...written, ...int32, ...written } : written;
  const described: JsonObject = {};
  const rules: JsonObject = {};
  const words: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'nullable' || !isForTools(key, value)) continue;
    const said = inWords[key]?.(value);
    if (said !== undefined) words.push(said);
    else if (annotations.has(key)) described[key] = value;
    else if (key === 'enum' && Array.isArray(value)) rules.enum = value.filter((item) => item !== null);
    else rules[key] = types.has(key) ? mapSubschemas(key, value, toJsonSchema) : value;
  }
  if (words.length > 0) described.description = [described.description ?? [], words].flat().join(' ').trim();
  if (schema.nullable !== true) return { ...described, ...rules };
  const values = Array.isArray(rules.enum) ? rules.enum.map(String) : [];
  // LangChain's adapter keeps only the description of an anyOf, so the description must name the values.
  const named = asString(described.description ?? '', 'description');
  if (!values.every((value) => named.includes(value)))
    described.description = `${named} One of ${values.join(', ')}.`.trim();
  return { ...described, anyOf: [rules, { type: 'null' }] };
}

/** Returns a copy of a schema that has only these keywords, at every depth. */
const withOnly = (keywords: ReadonlySet<string>, schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => keywords.has(key))
      .map(([key, value]) => [key, mapSubschemas(key, value, (inner) => withOnly(keywords, inner))]),
  );

/**
 * Reduces an output schema to types, so that no client refuses a result because of a length or pattern. Input schemas and descriptions have
 * these rules. Keeps every property, because clients that convert a schema to zod strip unlisted properties.
 */
const toTypes = (schema: JsonObject): JsonObject => withOnly(types, schema);

// Codex's keywords and limit, from codex-rs/tools/src/json_schema.rs and json_schema/compaction.rs of github.com/openai/codex.
const codexKeywords = setOf('type description enum items properties required additionalProperties anyOf');
const codexBytesMax = 5000;

/** The size in bytes of an input schema, in the form that Codex gives it. */
const codexBytes = (schema: JsonObject): number => Buffer.byteLength(JSON.stringify(withOnly(codexKeywords, schema)));

/** Returns one line for each tool whose descriptions Codex would drop. The line names the tool's longest fields. */
export const toolNotices = (rendered: string): string[] =>
  (JSON.parse(rendered) as { tool: { name: string; inputSchema: JsonObject } }[]).flatMap(({ tool }) => {
    const bytes = codexBytes(tool.inputSchema);
    if (bytes <= codexBytesMax) return [];
    const longest = fieldsIn(tool.inputSchema)
      .map(([name, schema]) => [name, codexBytes(schema)] as const)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([name, size]) => `${name} ${size}`);
    const limit = `over ${codexBytesMax} bytes Codex drops all descriptions, unless its tool_input_schema_max_bytes is higher`;
    return [`the input schema of ${tool.name} has ${bytes} bytes; ${limit}; the longest are ${longest.join(', ')}`];
  });

/** The arguments of a tool with their schemas. Instead of an object, lists its fields. */
const fieldsIn = (schema: JsonObject): [name: string, schema: JsonObject][] =>
  Object.entries(objectAt(schema, 'properties')).flatMap(([name, value]) => {
    const inner = asObject(value, name);
    return isObject(inner.properties) ? fieldsIn(inner) : [[name, inner]];
  });

/** Returns the value of a keyword, with `change` applied to its subschemas. */
function mapSubschemas(key: string, value: Json, change: (subschema: JsonObject) => JsonObject): Json {
  if (key === 'anyOf' && Array.isArray(value)) return value.map((subschema) => change(asObject(subschema, key)));
  if (!isObject(value)) return value;
  if (key !== 'properties') return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(asObject(inner, name))]));
}
