import {
  dereference,
  type FoundOperation,
  identifierOf,
  isObject,
  type JsonObject,
  mediaOf,
  objectAt,
  operationsOf,
  schemaOf,
} from './document.ts';

/**
 * Returns the text of client.ts, with a method of the typed client for each operation. A method's arguments are the path's parameters, the
 * body, the query and the call's options. A method returns `data` if that is the response's only property.
 */
export function renderClient(document: JsonObject): string {
  const operations = operationsOf(dereference(document)).map(methodOf);
  const maxima = operations.flatMap(({ id, maxima: own }) => (Object.keys(own).length > 0 ? [[id, own]] : []));
  const { properties, required } = schemaOf(dereference(document), 'JobInput');
  const fields = Object.entries(objectAt(properties)).map(([name, field]) => [name, objectAt(field)] as const);
  const optional = fields.filter(([name]) => !(Array.isArray(required) && required.includes(name)));
  const empty = optional.map(([name, field]) => [name, field['x-default'] ?? null]);
  const namesOf = (keyword: string) => fields.flatMap(([name, field]) => (keyword in field ? [name] : []));
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.
import type { Client as Api } from 'openapi-fetch';
import { bodyOf, type Call, type CallOptions, type ChangeOptions, type CreateOptions, dataOf, ifMatchOf } from '../src/client/call.ts';
import type { operations, paths } from './openapi.ts';

type Path<O extends keyof operations> = NonNullable<operations[O]['parameters']['path']>;
type Query<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never;
type Sent<O extends keyof operations> = Json<NonNullable<operations[O]['requestBody']>>;
type Received<O extends keyof operations> = Json<
  operations[O]['responses'][keyof operations[O]['responses'] & (200 | 201 | 202)]
>;

/** The contract's operations by operationId. Each throws a VagaError if the service refuses it or does not answer. */
export interface Operations {
${operations.map(({ signature }) => `  ${signature};`).join('\n')}
}

/** The maximum values of query parameters. */
export const maxima = ${JSON.stringify(Object.fromEntries(maxima))} as const;

/** The values of the optional fields that a create leaves out. */
export const emptyFields = ${JSON.stringify(Object.fromEntries(empty))} as const;

/** The fields that a create accepts. */
export const inputFields = ${JSON.stringify(fields.map(([name]) => name))} as const;

/** The fields of a job that are numbers when sent and strings when received. */
export const decimalFields: readonly string[] = ${JSON.stringify(namesOf('x-decimals'))};

/** The fields of a job whose HTML the service rewrites. */
export const htmlFields: readonly string[] = ${JSON.stringify(namesOf('x-html'))};

/** How one call is sent. */
type Sending = (call?: CallOptions) => { signal: AbortSignal | null; fetch: (request: Request) => Promise<Response> };

export const operationsOver = (api: Api<paths>, sending: Sending): Operations => ({
${operations.map(({ method }) => `  ${method},`).join('\n')}
});
`;
}

/** For each header that an operation may accept: the type of the call's options, their destructuring, and the headers made from them. */
const optionsOf: Readonly<Record<string, readonly [type: string, argument: string, headers: string]>> = {
  'Idempotency-Key': [
    'CreateOptions',
    '{ idempotencyKey = crypto.randomUUID(), ...call } = {}',
    "{ 'Idempotency-Key': idempotencyKey }",
  ],
  'If-Match': ['ChangeOptions', 'call', 'ifMatchOf(call)'],
};

/** Returns the TypeScript of an operation's method and of its declaration, and the maximum values of its query. */
function methodOf({ operationId, method, path, operation, parameters }: FoundOperation) {
  const [id, of] = [identifierOf(operationId), `'${operationId.replace(/[\\']/g, '\\$&')}'`];
  const placed = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const inPath = placed('path').map(({ name }) => String(name));
  const query = placed('query');
  const needsQuery = query.some(({ required }) => required === true);
  const header = placed('header').find(({ name }) => String(name) in optionsOf)?.name;
  const [type, argument, headers] = optionsOf[String(header)] ?? ['CallOptions', 'call'];
  const responses = objectAt(operation, 'responses');
  const success = responses['200'] ?? responses['201'] ?? responses['202'];
  const hasData =
    success !== undefined && Object.keys(objectAt(mediaOf(success), 'schema', 'properties')).join() === 'data';
  const args: readonly (readonly [isThere: boolean, declared: string, taken: string])[] = [
    ...inPath.map((name) => [true, `${identifierOf(name)}: Path<${of}>['${name}']`, identifierOf(name)] as const),
    [operation.requestBody !== undefined, `body: Sent<${of}>`, 'body'],
    [query.length > 0, `query${needsQuery ? '' : '?'}: Query<${of}>`, needsQuery ? 'query' : 'query = {}'],
    [true, `call?: ${type}`, argument],
  ];
  const present = args.filter(([isThere]) => isThere);
  const params = [
    inPath.length > 0 &&
      `path: { ${inPath.map((name) => (identifierOf(name) === name ? name : `${name}: ${identifierOf(name)}`)).join(', ')} }`,
    query.length > 0 && 'query',
    headers && `header: ${headers}`,
  ].filter(Boolean);
  const options = [
    params.length > 0 && `params: { ${params.join(', ')} }`,
    operation.requestBody !== undefined && 'body',
    '...sending(call)',
  ].filter(Boolean);
  const comment = `${operation.summary}.${operation.deprecated ? ' @deprecated' : ''}`.replaceAll('*/', '*\\/');
  const sent = `api.${method.toUpperCase()}('${path}', { ${options.join(', ')} })`;
  const result = success ? `Received<${of}>${hasData ? "['data']" : ''}` : 'void';
  return {
    id,
    signature: `/** ${comment} */\n  ${id}(${present.map(([, declared]) => declared).join(', ')}): Call<${result}>`,
    method: `${id}: (${present.map(([, , taken]) => taken).join(', ')}) => ${hasData ? 'data' : 'body'}Of(() => ${sent})`,
    maxima: Object.fromEntries(
      query.flatMap(({ name, schema }) =>
        isObject(schema) && typeof schema.maximum === 'number' ? [[String(name), schema.maximum]] : [],
      ),
    ),
  };
}
