import { policy } from '../../src/domain/environment.ts';
import {
  type FoundOperation,
  identifierOf,
  isObject,
  type Json,
  type JsonObject,
  mediaOf,
  objectAt,
} from './document.ts';
import { bodyArgumentOf } from './tools.ts';

/** Stands for the service's address in samples. */
const addressMark = '{address}';

const { restBase, mcpPath } = policy.sandbox;

type Call = ReturnType<typeof callOf>;

/** Returns one call of an operation in each language, as `x-codeSamples` has them. `operation` must contain no `$ref`. */
export function samplesOf(operation: FoundOperation): JsonObject[] {
  const call = callOf(operation);
  const samples: [lang: string, label: string, source: string | undefined][] = [
    ['shell', 'curl', curlOf(call)],
    ['typescript', 'TypeScript client', typeScriptOf(call)],
    ['python', 'Python (httpx)', pythonOf(call)],
    ['php', 'PHP', phpOf(call)],
    ['shell', 'MCP', mcpOf(call)],
  ];
  return samples.flatMap(([lang, label, source]) => (source === undefined ? [] : [{ lang, label, source }]));
}

/** The examples of a JSON request body by name. */
export const bodyExamplesOf = ({ requestBody }: JsonObject): JsonObject =>
  isObject(requestBody) ? objectAt(mediaOf(requestBody), 'examples') : {};

/** Returns what samples need of an operation: a call with the contract's examples, and the names of its tool and of the tool's body argument. */
function callOf({ operationId, method, path, operation, parameters }: FoundOperation) {
  const placed = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const ids = placed('path').map(({ name, example = null }): [string, Json] => [String(name), example]);
  // Takes only parameters with a default or an enum: those for a synchronisation make sense only with a time that the client has kept.
  const query = placed('query').flatMap(({ name, example = null, schema }): [string, Json][] =>
    isObject(schema) && ('default' in schema || 'enum' in schema) ? [[String(name), example]] : [],
  );
  const search = new URLSearchParams(
    query.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  ).toString();
  const segments = ids.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  const bodies = Object.values(bodyExamplesOf(operation)).map((example) => objectAt(example).value);
  const url = addressMark + restBase + segments + (search && `?${search}`);
  return {
    operationId: identifierOf(operationId),
    method: method.toUpperCase(),
    url,
    query,
    ids,
    isCreate: placed('header').some(({ name }) => name === 'Idempotency-Key'),
    // The shortest example: only what a caller must send.
    body: bodies.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length)[0],
    hasAnswer: Object.entries(objectAt(operation, 'responses')).some(
      ([status, response]) => status.startsWith('2') && objectAt(response).content !== undefined,
    ),
    argument: bodyArgumentOf(operation),
    tool: isObject(operation['x-mcp']) ? String(operation['x-mcp'].name) : undefined,
  };
}

function curlOf({ method, url, isCreate, body }: Call): string {
  return [
    `curl -i ${method === 'GET' ? '' : `-X ${method} `}"${url}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(isCreate ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", here(body)]),
  ].join(' \\\n  ');
}

/** Gives curl the JSON on standard input, so that the JSON may contain quotation marks. */
const here = (body: Json): string => `-d @- <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`;

/** Writes JSON as a literal of a language. `changes` replaces what the language writes differently at the start or end of a line. */
const literal = (value: Json, indent: number, changes: readonly (readonly [RegExp, string])[]): string =>
  changes.reduce((text, [from, to]) => text.replace(from, to), JSON.stringify(value, null, indent));

const typeScript = [[/^(\s*)"(\w+)": /gm, '$1$2: ']] as const;
const python = [
  [/\btrue(,?)$/gm, 'True$1'],
  [/\bfalse(,?)$/gm, 'False$1'],
  [/\bnull(,?)$/gm, 'None$1'],
  [/\n/g, '\n    '],
] as const;

function typeScriptOf({ operationId, ids, query, body, hasAnswer }: Call): string {
  const args = [
    ...ids.map(([, value]) => value),
    body,
    ...(query.length > 0 ? [Object.fromEntries(query)] : []),
  ].filter((arg) => arg !== undefined);
  const values = args.map((arg) => literal(arg, 2, typeScript)).join(', ');
  return `// curl -O ${addressMark}/vaga-client.tgz && npm i ./vaga-client.tgz && node program.mjs
import { createClient } from '@vaga/client';

const client = createClient({ baseUrl: '${addressMark}', token: process.env.TOKEN ?? '' });
${hasAnswer ? 'const answer = ' : ''}await client.${operationId}(${values});`;
}

function pythonOf({ method, url, isCreate, body, hasAnswer }: Call): string {
  const key = isCreate ? ', "Idempotency-Key": str(uuid.uuid4())' : '';
  const args = [
    `"${url}"`,
    `headers={"Authorization": f"Bearer {os.environ['TOKEN']}"${key}}`,
    ...(body === undefined ? [] : [`json=${literal(body, 4, python)}`]),
  ];
  return `# pip install httpx && python3 program.py
import os${isCreate ? ', uuid' : ''}

import httpx

response = httpx.${method.toLowerCase()}(
${args.map((arg) => `    ${arg},\n`).join('')})
response.raise_for_status()${hasAnswer ? '\nprint(response.json())' : ''}`;
}

function phpOf({ method, url, isCreate, body }: Call): string {
  const headers = [
    `'Authorization: Bearer ' . getenv('TOKEN')`,
    ...(isCreate ? [`'Idempotency-Key: ' . bin2hex(random_bytes(16))`] : []),
    ...(body === undefined ? [] : [`'Content-Type: application/json'`]),
  ];
  const sent =
    body === undefined ? '' : `\n    CURLOPT_POSTFIELDS => <<<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON,`;
  return `<?php
$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
${headers.map((header) => `        ${header},\n`).join('')}    ],${sent}
]);
$answer = json_decode(curl_exec($request), true);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), PHP_EOL;
print_r($answer);`;
}

function mcpOf({ tool, ids, query, isCreate, body, argument }: Call): string | undefined {
  if (tool === undefined) return undefined;
  const args = {
    ...Object.fromEntries(ids),
    ...Object.fromEntries(query),
    ...(isCreate ? { idempotency_key: `${argument}-1` } : {}),
    ...(body === undefined ? {} : { [argument]: body }),
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
  return [
    `curl -s ${addressMark}${mcpPath}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    "-H 'Accept: application/json, text/event-stream'",
    here(message),
  ].join(' \\\n  ');
}
