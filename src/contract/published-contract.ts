import { readFileSync } from 'node:fs';
import type { OpenAPIV3 } from 'openapi-types';

const text = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8');
const { info, paths }: OpenAPIV3.Document = JSON.parse(text);

export { info };

const written = Object.values(paths).flatMap((methods) => Object.values(methods ?? {}) as OpenAPIV3.OperationObject[]);

/** The place of each operation in the API reference. */
export const referencePaths: ReadonlyMap<string | undefined, string> = new Map(
  written.map(({ operationId, tags: [tag = ''] = [] }) => [
    operationId,
    `/docs#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
  ]),
);

/** The contract's messages of refusals, in the words of both protocols. Other messages may contain a client's own words. */
export const publishedMessages: ReadonlySet<string> = new Set(
  // Quotes are escaped in the description.
  [...text.matchAll(/"message\\?": ?\\?"([^"\\]+)/g)].flatMap(([, message = '']) => [
    message,
    message.replace('Idempotency-Key', 'idempotency_key').replace('If-Match', 'if_match'),
  ]),
);
