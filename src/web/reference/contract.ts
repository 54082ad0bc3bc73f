import { readFileSync } from 'node:fs';
import type { OpenAPIV3 } from 'openapi-types';
import { type Tool, tools } from '../../contract/tools.ts';

export type Schema = OpenAPIV3.SchemaObject;
export type Written<T> = T | OpenAPIV3.ReferenceObject;
type Content = { readonly content?: Record<string, OpenAPIV3.MediaTypeObject> };

/** The contract with its references, which the API reference shows as links. The build copies the file beside the code. */
export const document: OpenAPIV3.Document = JSON.parse(
  readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'),
);

/** The last part of a `$ref`; undefined for a value written in place. */
export const nameOf = (value: object): string | undefined =>
  '$ref' in value ? String(value.$ref).split('/').at(-1) : undefined;

export function resolve<T extends object>(value: Written<T>): T {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = String(value.$ref).split('/');
  const components = document.components as Record<string, Record<string, Written<T>>>;
  const found = components[kind]?.[name];
  if (!found) throw new Error(`the contract has no ${value.$ref}`);
  return resolve(found);
}

export interface NamedResponse {
  readonly status: number;
  /** Its name among the contract's components, if it has one. */
  readonly name: string | undefined;
  readonly response: OpenAPIV3.ResponseObject;
}

export interface Operation {
  readonly operationId: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly scope: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly OpenAPIV3.ParameterObject[];
  readonly body: OpenAPIV3.RequestBodyObject | undefined;
  readonly responses: readonly NamedResponse[];
  readonly tool: Tool | undefined;
}

// The linters allow only operations in a path item.
type WrittenOperation = OpenAPIV3.OperationObject & { readonly 'x-scope'?: string };

function readOperation(path: string, method: string, written: WrittenOperation): Operation {
  const { operationId = '', tags = [], summary = '', description = '', parameters = [], requestBody } = written;
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    scope: written['x-scope'] ?? '',
    summary,
    description,
    parameters: parameters.map(resolve),
    body: requestBody && resolve(requestBody),
    responses: Object.entries(written.responses).flatMap(([status, response]) =>
      status === 'x-mcp' ? [] : [{ status: Number(status), name: nameOf(response), response: resolve(response) }],
    ),
    tool: tools.find((tool) => tool.operationId === operationId),
  };
}

/** Every operation in the contract's order. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods = {}]) =>
  Object.entries(methods).map(([method, written]) => readOperation(path, method, written as WrittenOperation)),
);

/** The schema of a JSON request or response. */
export const schemaOf = (holder: Content | undefined): Written<Schema> | undefined =>
  holder?.content?.['application/json']?.schema;

/** The examples of a JSON request or response. */
export const examplesOf = (holder: Content | undefined): { summary: string; value: unknown }[] =>
  Object.entries(holder?.content?.['application/json']?.examples ?? {}).map(([name, example]) => {
    const { summary = name, value } = resolve(example);
    return { summary, value };
  });

/** The values of an enumeration without null, which the type mentions. */
export const enumOf = ({ enum: values = [] }: Schema): string[] =>
  values.filter((value: unknown) => value !== null).map(String);

const [introduction = '', ...parts] = (document.info.description ?? '').split(/^## /m);

/** The first paragraph of the contract's description. */
export const summary = introduction.trim();

/** The headings of the contract's description, each with its text. */
export const sections = parts.map((part) => {
  const end = part.indexOf('\n');
  return { heading: part.slice(0, end), text: part.slice(end + 1).trim() };
});
