import {
  asString,
  ContractError,
  dereference,
  type FoundOperation,
  isObject,
  type JsonObject,
  mediaOf,
  objectAt,
  operationsOf,
  schemaOf,
} from './document.ts';
import { toJsonSchema, toTypes } from './tool-schema.ts';

const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'];

/**
 * Text of mcp-tools.json: for every operation with x-mcp, in the order of the document, its operationId and scope, where
 * each argument goes (path, query, body, `header:<name>`), and the tool as `tools/list` answers it.
 */
export function renderTools(document: JsonObject): string {
  const inlined = dereference(document);
  // What all refusals have in common: the schema of one status would refuse the details of another.
  const error = toOutput(objectAt(schemaOf(inlined, 'Error'), 'properties', 'error'));
  const found = operationsOf(inlined).filter(({ operation }) => operation['x-mcp'] !== undefined);
  const json = JSON.stringify(
    found.map((operation) => toTool(operation, error)),
    null,
    2,
  );
  // `GET /categories` in a text is list_categories; models need no Markdown.
  const named = found.reduce(
    (text, { method, path, operation }) =>
      text.replaceAll(`\`${method.toUpperCase()} ${path}\``, String(objectAt(operation, 'x-mcp').name)),
    json,
  );
  return `${named.replaceAll('`', '')}\n`;
}

function toTool(found: FoundOperation, error: JsonObject): JsonObject {
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
        outputSchema: outputSchema(operation, error),
        annotations: { title, ...Object.fromEntries(annotations) },
      },
    };
  } catch (cause) {
    const message = `tool of ${operationId}: ${cause instanceof Error ? cause.message : cause}`;
    throw new ContractError(['paths', found.path, found.method, 'x-mcp'], message);
  }
}

function argumentsOf({ parameters, operation: { requestBody } }: FoundOperation) {
  // What only HTTP needs is no argument of a tool.
  const args = parameters
    .filter((parameter) => parameter['x-mcp'] !== false)
    .map(({ name: named, in: place, required, schema, description = '' }) => {
      const name = asString(named, 'parameter name');
      const isHeader = place === 'header';
      return {
        name: isHeader ? name.toLowerCase().replaceAll('-', '_') : name,
        source: isHeader ? `header:${name}` : asString(place, `${name}: in`),
        required: required === true,
        schema: toJsonSchema({ description, ...objectAt(schema) }),
      };
    });
  if (!isObject(requestBody)) return args;
  const schema = toJsonSchema(objectAt(mediaOf(requestBody), 'schema'));
  const described = { ...schema, description: schema.description ?? requestBody.description ?? '' };
  return [...args, { name: 'job', source: 'body', required: requestBody.required === true, schema: described }];
}

// One schema for both outcomes, because clients check it also when isError is true.
function outputSchema(operation: JsonObject, error: JsonObject): JsonObject {
  const { 'x-mcp': shown, ...responses } = objectAt(operation, 'responses');
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  const { headers } = objectAt(responses, successes[0] ?? 'a success');
  const { ETag: etag } = objectAt(headers);
  // Where HTTP has no body, a tool returns what x-mcp declares beside the statuses.
  const bodies = successes.map((status) => {
    const response = objectAt(responses, status);
    return toOutput(objectAt(mediaOf(response.content === undefined ? shown : response), 'schema'));
  });
  const distinct = [...new Map(bodies.map((schema) => [JSON.stringify(schema), schema])).values()];
  return {
    type: 'object',
    properties: {
      environment: toOutput(objectAt(headers, 'X-API-Environment', 'schema')),
      http_status: { type: 'integer' },
      ...(isObject(etag) && etag['x-mcp'] !== false ? { etag: toOutput(objectAt(etag, 'schema')) } : {}),
      response: distinct.length === 1 && distinct[0] ? distinct[0] : { anyOf: distinct },
      error,
    },
    required: ['environment', 'http_status'],
  };
}

const toOutput = (schema: JsonObject): JsonObject => toTypes(toJsonSchema(schema));
