import { readFileSync } from 'node:fs';
import type { OpenAPIV3 } from 'openapi-types';

const text = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8');
const { info, paths }: OpenAPIV3.Document = JSON.parse(text);

export { info };

const written = Object.values(paths).flatMap((methods) => Object.values(methods ?? {}) as OpenAPIV3.OperationObject[]);

/** Where the API reference has each operation. */
export const referencePaths: ReadonlyMap<string | undefined, string> = new Map(
  written.map(({ operationId, tags: [tag = ''] = [] }) => [
    operationId,
    `/docs#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
  ]),
);

/** The messages of refusals that the contract gives, in the words of both protocols. What else is answered may hold a client's own words. */
export const publishedMessages: ReadonlySet<string> = new Set(
  // In the description a quote is escaped.
  [...text.matchAll(/"message\\?": ?\\?"([^"\\]+)/g)].flatMap(([, message = '']) => [
    message,
    message.replace('Idempotency-Key', 'idempotency_key').replace('If-Match', 'if_match'),
  ]),
);
