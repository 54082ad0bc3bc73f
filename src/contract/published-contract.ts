import { readFileSync } from 'node:fs';
import type { OpenAPIV3 } from 'openapi-types';
import { builtFile } from '../files.ts';

const { info, paths }: OpenAPIV3.Document = JSON.parse(readFileSync(builtFile('generated/openapi.json'), 'utf8'));

export { info };

const written = Object.values(paths).flatMap((methods) => Object.values(methods ?? {}) as OpenAPIV3.OperationObject[]);

/** Turns a title into its part of an address in the API reference, as the renderer of /docs/try does: Limits (429) becomes limits-429. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-');

/** The fragment of an operation in the API reference, below its first tag. */
export const fragmentOf = ({
  operationId,
  tags: [tag = ''] = [],
}: Pick<OpenAPIV3.OperationObject, 'operationId' | 'tags'>): string => `tag/${slugOf(tag)}/${operationId}`;

/** The place of each operation in the API reference. */
export const referencePaths: ReadonlyMap<string | undefined, string> = new Map(
  written.map((operation) => [operation.operationId, `/docs#${fragmentOf(operation)}`]),
);
