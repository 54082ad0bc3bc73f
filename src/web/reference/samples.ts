import type { OpenAPIV3 } from 'openapi-types';
import { examplesOf, type Operation } from './contract.ts';

type Parameter = OpenAPIV3.ParameterObject;

/** An operation with the example values of one call. */
interface Call {
  readonly operation: Operation;
  /** Required parameters, and all of the query. */
  readonly parameters: readonly Parameter[];
  readonly body: unknown;
}

/** One call of an operation: in curl with $API and $TOKEN, in TypeScript with `client`, and as a JSON-RPC message. */
export function samplesOf(operation: Operation): { curl: string; typeScript: string; mcp: string | undefined } {
  const parameters = operation.parameters.filter((parameter) => parameter.required || parameter.in === 'query');
  const call = { operation, parameters, body: examplesOf(operation.body)[0]?.value };
  return { curl: curlOf(call), typeScript: typeScriptOf(call), mcp: mcpOf(call) };
}

const parametersIn = ({ parameters }: Call, place: string) => parameters.filter((parameter) => parameter.in === place);

function curlOf(call: Call): string {
  const { method, path } = call.operation;
  const query = parametersIn(call, 'query').map(
    ({ name, example }) => `${name}=${encodeURIComponent(String(example))}`,
  );
  const filledPath = parametersIn(call, 'path').reduce(
    (to, { name, example }) => to.replace(`{${name}}`, String(example)),
    path,
  );
  const address = `$API${filledPath}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const lines = [
    `curl -i ${method === 'GET' ? '' : `-X ${method} `}"${address}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...parametersIn(call, 'header').map(({ name, example }) => `-H '${name}: ${example}'`),
    ...(call.body === undefined ? [] : ["-H 'Content-Type: application/json'", "-d @- <<'JSON'"]),
  ];
  const command = lines.join(' \\\n  ');
  return call.body === undefined ? command : `${command}\n${JSON.stringify(call.body, null, 2)}\nJSON`;
}

function typeScriptOf(call: Call): string {
  const { operationId, responses } = call.operation;
  const query = parametersIn(call, 'query').map(({ name, example }) => [name, example]);
  const headers = parametersIn(call, 'header').map(({ name, example }) => [camelCase(name), example]);
  const args = [
    ...parametersIn(call, 'path').map(({ example }) => literal(example)),
    ...(query.length > 0 ? [literal(Object.fromEntries(query))] : []),
    ...(call.body === undefined ? [] : [literal(call.body)]),
    ...(headers.length > 0 ? [literal(Object.fromEntries(headers))] : []),
  ];
  const hasAnswer = responses.some(({ status, response }) => status < 300 && response.content !== undefined);
  return `${hasAnswer ? 'const answer = ' : ''}await client.${operationId}(${args.join(', ')});`;
}

/** Idempotency-Key is idempotencyKey. */
const camelCase = (header: string): string =>
  header.toLowerCase().replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** A value as TypeScript code: bare keys, single quotes. */
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

function mcpOf({ operation: { tool }, parameters, body }: Call): string | undefined {
  if (!tool) return undefined;
  const args = Object.entries(tool.arguments).map(([name, place]) => {
    if (place === 'body') return [name, body];
    const source = place.startsWith('header:') ? place.slice('header:'.length) : name;
    return [name, parameters.find((parameter) => parameter.name === source)?.example];
  });
  const params = { name: tool.tool.name, arguments: Object.fromEntries(args) };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2);
}
