import type { OpenAPIV3 } from 'openapi-types';
import { type ContractView, examplesOf, type ReferenceOperation } from './contract-view.ts';

export interface Samples {
  /** With $API and $TOKEN set. */
  readonly curl: string;
  /** With `client` made by createClient. */
  readonly typeScript: string;
  /** The JSON-RPC message; undefined for an operation without a tool. */
  readonly mcp: string | undefined;
}

type Parameter = OpenAPIV3.ParameterObject;

/** One call of an operation in three ways, with the values that the contract gives as examples. */
export function samplesOf(view: ContractView, operation: ReferenceOperation): Samples {
  // What is optional in a header shows nothing of the operation itself.
  const given = operation.parameters.filter((parameter) => parameter.required || parameter.in === 'query');
  const body = examplesOf(view, operation.body)[0]?.value;
  return {
    curl: curlOf(operation, given, body),
    typeScript: typeScriptOf(operation, given, body),
    mcp: mcpOf(operation, given, body),
  };
}

const inPlace = (given: readonly Parameter[], route: string) => given.filter((parameter) => parameter.in === route);
const valuesOf = (parameters: readonly Parameter[]): Record<string, unknown> =>
  Object.fromEntries(parameters.map(({ name, example }) => [name, example]));

function curlOf({ method, path }: ReferenceOperation, given: readonly Parameter[], body: unknown): string {
  const query = inPlace(given, 'query').map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const filled = inPlace(given, 'path').reduce(
    (to, { name, example }) => to.replace(`{${name}}`, String(example)),
    path,
  );
  const address = `$API${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const lines = [
    `curl -i ${method === 'GET' ? '' : `-X ${method} `}"${address}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...inPlace(given, 'header').map(({ name, example }) => `-H '${name}: ${example}'`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", "-d @- <<'JSON'"]),
  ];
  const command = lines.join(' \\\n  ');
  return body === undefined ? command : `${command}\n${JSON.stringify(body, null, 2)}\nJSON`;
}

function typeScriptOf(operation: ReferenceOperation, given: readonly Parameter[], body: unknown): string {
  const { operationId, responses } = operation;
  const query = valuesOf(inPlace(given, 'query'));
  const headers = inPlace(given, 'header').map(({ name, example }) => [camelCase(name), example]);
  const args = [
    ...inPlace(given, 'path').map(({ example }) => literal(example)),
    ...(Object.keys(query).length > 0 ? [literal(query)] : []),
    ...(body === undefined ? [] : [literal(body)]),
    ...(headers.length > 0 ? [literal(Object.fromEntries(headers))] : []),
  ];
  const answers = responses.some(({ status, response }) => status < 300 && response.content !== undefined);
  return `${answers ? 'const answer = ' : ''}await client.${operationId}(${args.join(', ')});`;
}

/** Idempotency-Key is idempotencyKey. */
const camelCase = (header: string): string =>
  header.toLowerCase().replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** JSON as people write it in TypeScript: bare keys, single quotes. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (typeof value === 'string')
    return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(item, inner)}`);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

function mcpOf({ tool }: ReferenceOperation, given: readonly Parameter[], body: unknown): string | undefined {
  if (!tool) return undefined;
  const args = Object.entries(tool.arguments).map(([name, route]): [string, unknown] => {
    if (route === 'body') return [name, body];
    const source = route.startsWith('header:') ? route.slice('header:'.length) : name;
    return [name, given.find((parameter) => parameter.name === source)?.example];
  });
  const params = { name: tool.tool.name, arguments: Object.fromEntries(args) };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2);
}
