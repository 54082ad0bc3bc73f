import type { OpenAPIV3 } from 'openapi-types';
import { type Tool, tools } from '../../contract/tools.ts';

export type Schema = OpenAPIV3.SchemaObject;
type Reference = OpenAPIV3.ReferenceObject;

/** A response with the name that the contract gives it, if it has one. */
export interface NamedResponse {
  readonly status: number;
  readonly name: string | undefined;
  readonly response: OpenAPIV3.ResponseObject;
}

export interface ReferenceOperation {
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

/** The published contract as the reference reads it. */
export class ContractView {
  readonly document: OpenAPIV3.Document;
  readonly operations: readonly ReferenceOperation[];

  constructor(document: OpenAPIV3.Document) {
    this.document = document;
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods ?? {}).map(([method, written]) =>
        // The linters let nothing but operations stand beside a path's methods.
        this.#operation(path, method, written as OpenAPIV3.OperationObject),
      ),
    );
  }

  resolve<T extends object>(value: T | Reference): T {
    const name = nameOf(value);
    if (name === undefined) return value as T;
    const [, , kind = ''] = (value as Reference).$ref.split('/');
    const components = this.document.components as Record<string, Record<string, T | Reference>>;
    const found = components[kind]?.[name];
    if (!found) throw new Error(`the contract has no ${(value as Reference).$ref}`);
    return this.resolve(found);
  }

  #operation(path: string, method: string, written: OpenAPIV3.OperationObject): ReferenceOperation {
    const { operationId = '', tags = [], summary = '', description = '', parameters = [], requestBody } = written;
    return {
      operationId,
      method: method.toUpperCase(),
      path,
      tag: tags[0] ?? '',
      scope: (written as { 'x-scope'?: string })['x-scope'] ?? '',
      summary,
      description,
      parameters: parameters.map((parameter) => this.resolve(parameter)),
      body: requestBody && this.resolve(requestBody),
      responses: Object.entries(written.responses).map(([status, response]) => ({
        status: Number(status),
        name: nameOf(response),
        response: this.resolve(response),
      })),
      tool: tools.find((tool) => tool.operationId === operationId),
    };
  }
}

/** The last step of a reference; undefined for what stands in place. */
export const nameOf = (value: object): string | undefined =>
  '$ref' in value ? String(value.$ref).split('/').at(-1) : undefined;

/** What a request or response has as JSON. */
export const jsonOf = (holder: { content?: Record<string, OpenAPIV3.MediaTypeObject> } | undefined) =>
  holder?.content?.['application/json'];

/** Summary and value of each example of a body. */
export function examplesOf(
  view: ContractView,
  holder: Parameters<typeof jsonOf>[0],
): { summary: string; value: unknown }[] {
  return Object.entries(jsonOf(holder)?.examples ?? {}).map(([name, example]) => {
    const { summary = name, value } = view.resolve(example);
    return { summary, value };
  });
}

/** Words of a name in camel case: PostingForbidden is “Posting forbidden”. */
export const wordsOf = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
