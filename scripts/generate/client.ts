import { dereference, type FoundOperation, isObject, type JsonObject, operationsOf } from './document.ts';

/**
 * Text of client.ts: a method of the typed client for each operation. Its arguments are the path's parameters, the body, the query and the
 * options of the call; it returns `data` where the response has nothing else.
 */
export function renderClient(document: JsonObject): string {
  const operations = operationsOf(dereference(document));
  const signatures = operations.map(
    (operation) => `  /** ${operation.operation.summary}. */\n  ${signatureOf(operation)};`,
  );
  const methods = operations.map((operation) => `  ${methodOf(operation)},`);
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.
import type { Client as Api } from 'openapi-fetch';
import { bodyOf, type CallOptions, type ChangeOptions, type CreateOptions, dataOf, signalOf } from '../src/client/call.ts';
import type { operations, paths } from './openapi.ts';

type Path<O extends keyof operations> = NonNullable<operations[O]['parameters']['path']>;
type Query<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never;
type Sent<O extends keyof operations> = Json<NonNullable<operations[O]['requestBody']>>;
type Received<O extends keyof operations> = Json<
  operations[O]['responses'][keyof operations[O]['responses'] & (200 | 201)]
>;

/** The contract's operations by operationId. Each throws a VagaError if the service refuses it or does not answer. */
export interface Operations {
${signatures.join('\n')}
}

/** The largest values of query parameters. */
export const maxima = ${JSON.stringify(maximaOf(operations))} as const;

export const operationsOver = (api: Api<paths>): Operations => ({
${methods.join('\n')}
});
`;
}

function maximaOf(operations: readonly FoundOperation[]): object {
  const entries = operations.flatMap(({ operationId, parameters }) => {
    const maxima = parameters.flatMap(({ name, in: place, schema }) =>
      place === 'query' && isObject(schema) && typeof schema.maximum === 'number'
        ? [[String(name), schema.maximum]]
        : [],
    );
    return maxima.length > 0 ? [[operationId, Object.fromEntries(maxima)]] : [];
  });
  return Object.fromEntries(entries);
}

interface Shape {
  readonly id: string;
  readonly path: readonly string[];
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
  readonly hasKey: boolean;
  readonly hasIfMatch: boolean;
  /** What a success has: nothing, `data`, or more. */
  readonly result: 'nothing' | 'data' | 'body';
}

function shapeOf({ operationId, operation, parameters }: FoundOperation): Shape {
  const named = (place: string) =>
    parameters.filter((parameter) => parameter.in === place).map(({ name }) => String(name));
  const responses = isObject(operation.responses) ? operation.responses : {};
  const success = Object.entries(responses).find(([status]) => /^20[01]$/.test(status))?.[1];
  return {
    id: operationId,
    path: named('path'),
    hasBody: operation.requestBody !== undefined,
    hasQuery: named('query').length > 0,
    hasKey: named('header').includes('Idempotency-Key'),
    hasIfMatch: named('header').includes('If-Match'),
    result: success === undefined ? 'nothing' : keysOf(success).join() === 'data' ? 'data' : 'body',
  };
}

function keysOf(response: unknown): string[] {
  const content = (response as { content?: { 'application/json'?: { schema?: { properties?: object } } } }).content;
  return Object.keys(content?.['application/json']?.schema?.properties ?? {});
}

function signatureOf(operation: FoundOperation): string {
  const { id, path, hasBody, hasQuery, hasKey, hasIfMatch, result } = shapeOf(operation);
  const options = hasKey ? 'CreateOptions' : hasIfMatch ? 'ChangeOptions' : 'CallOptions';
  const parameters = [
    ...path.map((name) => `${name}: Path<'${id}'>['${name}']`),
    ...(hasBody ? [`body: Sent<'${id}'>`] : []),
    ...(hasQuery ? [`query?: Query<'${id}'>`] : []),
    `call?: ${options}`,
  ];
  const types = { nothing: 'void', data: `Received<'${id}'>['data']`, body: `Received<'${id}'>` };
  return `${id}(${parameters.join(', ')}): Promise<${types[result]}>`;
}

function methodOf(operation: FoundOperation): string {
  const { id, path, hasBody, hasQuery, hasKey, hasIfMatch, result } = shapeOf(operation);
  const key = hasKey ? '{ idempotencyKey = crypto.randomUUID(), ...call } = {}' : undefined;
  const call = key ?? (hasIfMatch ? '{ ifMatch, ...call } = {}' : 'call');
  const names = [...path, ...(hasBody ? ['body'] : []), ...(hasQuery ? ['query = {}'] : []), call];
  const params = [
    ...(path.length > 0 ? [`path: { ${path.join(', ')} }`] : []),
    ...(hasQuery ? ['query'] : []),
    ...(hasKey ? [`header: { 'Idempotency-Key': idempotencyKey }`] : []),
    ...(hasIfMatch ? [`header: ifMatch === undefined ? {} : { 'If-Match': ifMatch }`] : []),
  ];
  const options = [
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(hasBody ? ['body'] : []),
    '...signalOf(call)',
  ];
  const read = result === 'data' ? 'dataOf' : 'bodyOf';
  return `${id}: (${names.join(', ')}) => ${read}(api.${operation.method.toUpperCase()}('${operation.path}', { ${options.join(', ')} }))`;
}
