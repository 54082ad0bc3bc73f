import {
  asObject,
  asString,
  ContractError,
  dereference,
  type FoundOperation,
  isObject,
  type Json,
  type JsonObject,
  jsonSchemaOf,
  operationsOf,
  schemaOf,
} from './document.ts';
import { compositions, toJsonSchema, toTypes } from './tool-schema.ts';

interface Argument {
  name: string;
  source: string;
  required: boolean;
  schema: JsonObject;
}

/**
 * Text of mcp-tools.json: for every operation with x-mcp, in the order of the document, its operationId and scope, where
 * each argument goes (path, query, body, `header:<name>`), and the tool as `tools/list` answers it.
 */
export function renderTools(document: JsonObject): string {
  const inlined = dereference(document);
  const error = commonError(inlined);
  const found = operationsOf(inlined).filter(({ operation }) => operation['x-mcp'] !== undefined);
  const tools = found.map((operation) => toTool(operation, error));
  return `${inToolWords(JSON.stringify(tools, null, 2), found)}\n`;
}

/** `GET /categories` in a text is list_categories; models need no Markdown. */
function inToolWords(json: string, operations: FoundOperation[]): string {
  const named = operations.reduce((text, { method, path, operation }) => {
    const name = asString(asObject(operation['x-mcp'], 'x-mcp').name, 'x-mcp.name');
    return text.replaceAll(`\`${method.toUpperCase()} ${path}\``, name);
  }, json);
  return named.replaceAll('`', '');
}

function toTool(found: FoundOperation, error: JsonObject): JsonObject {
  const { operationId, operation } = found;
  try {
    const mcp = asObject(operation['x-mcp'], 'x-mcp');
    const args = argumentsOf(found);
    const title = asString(mcp.title, 'x-mcp.title');
    return {
      operationId,
      scope: asString(found.scope ?? undefined, 'x-scope'),
      arguments: Object.fromEntries(args.map(({ name, source }) => [name, source])),
      tool: {
        name: asString(mcp.name, 'x-mcp.name'),
        title,
        description: asString(mcp.description, 'x-mcp.description').trim(),
        inputSchema: inputSchema(args),
        outputSchema: outputSchema(operation, error),
        annotations: Object.fromEntries([['title', title], ...hints.map((hint) => [`${hint}Hint`, flagOf(mcp, hint)])]),
      },
    };
  } catch (cause) {
    const message = `tool of ${operationId}: ${cause instanceof Error ? cause.message : cause}`;
    throw new ContractError(['paths', found.path, found.method, 'x-mcp'], message);
  }
}

const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'];
function flagOf(mcp: JsonObject, hint: string): boolean {
  const value = mcp[hint];
  if (typeof value === 'boolean') return value;
  throw new Error(`x-mcp.${hint}: true or false is expected`);
}

function argumentsOf({ parameters, operation }: FoundOperation): Argument[] {
  // What only HTTP needs is no argument of a tool.
  const args = parameters
    .filter((parameter) => parameter['x-mcp'] !== false)
    .map((parameter) => {
      const name = asString(parameter.name, 'parameter name');
      const route = asString(parameter.in, `${name}: in`);
      const described = { description: parameter.description ?? '', ...asObject(parameter.schema, `${name}: schema`) };
      return {
        name: route === 'header' ? name.toLowerCase().replaceAll('-', '_') : name,
        source: route === 'header' ? `header:${name}` : route,
        required: parameter.required === true,
        schema: toJsonSchema(described),
      };
    });
  return isObject(operation.requestBody) ? [...args, bodyArgument(operation.requestBody)] : args;
}

function bodyArgument(requestBody: JsonObject): Argument {
  const schema = toJsonSchema(jsonSchemaOf(requestBody, 'requestBody'));
  const composed = compositions.find((keyword) => schema[keyword] !== undefined);
  if (composed) throw new Error(`${composed} at the root of the request body, which some clients refuse`);
  const description = schema.description ?? requestBody.description ?? '';
  return { name: 'job', source: 'body', required: requestBody.required === true, schema: { ...schema, description } };
}

function inputSchema(args: Argument[]): JsonObject {
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

// One schema for both outcomes, because clients check it also when isError is true.
function outputSchema(operation: JsonObject, error: JsonObject): JsonObject {
  const { 'x-mcp': shown, ...responses } = asObject(operation.responses, 'responses');
  const successes = Object.entries(responses).flatMap(([status, value]) =>
    status.startsWith('2') ? [asObject(value, status)] : [],
  );
  const [first] = successes;
  if (!first) throw new Error('no success response');
  const headers = asObject(first.headers, 'headers');
  const environment = asObject(headers['X-API-Environment'], 'X-API-Environment');
  const etag = isObject(headers.ETag) && headers.ETag['x-mcp'] !== false ? headers.ETag : undefined;
  return {
    type: 'object',
    properties: {
      environment: toOutput(asObject(environment.schema, 'X-API-Environment: schema')),
      http_status: { type: 'integer' },
      ...(etag ? { etag: toOutput(asObject(etag.schema, 'ETag: schema')) } : {}),
      response: anyOfDistinct(successes.map((success) => responseSchema(success, shown))),
      error,
    },
    required: ['environment', 'http_status'],
  };
}

// What all refusals have in common: the schema of one status would refuse the details of another.
function commonError(document: JsonObject): JsonObject {
  return toOutput(
    asObject(asObject(schemaOf(document, 'Error').properties, 'Error: properties').error, 'Error: error'),
  );
}

/** Where HTTP has no body, a tool returns what x-mcp declares beside the statuses. */
const responseSchema = (response: JsonObject, shown: Json | undefined): JsonObject =>
  toOutput(
    jsonSchemaOf(response.content === undefined ? asObject(shown, 'responses.x-mcp') : response, 'a 2xx response'),
  );

const toOutput = (schema: JsonObject): JsonObject => toTypes(toJsonSchema(schema));

function anyOfDistinct(schemas: JsonObject[]): JsonObject {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 && distinct[0] ? distinct[0] : { anyOf: distinct };
}
