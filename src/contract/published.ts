import { readFileSync } from 'node:fs';
import type { OpenAPIV3 } from 'openapi-types';

const { info, paths, components }: OpenAPIV3.Document = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
);

export { info };

const written = Object.values(paths).flatMap((methods) => Object.values(methods ?? {}) as OpenAPIV3.OperationObject[]);

/** Where the API reference has each operation. */
export const referencePaths: ReadonlyMap<string | undefined, string> = new Map(
  written.map(({ operationId, tags: [tag = ''] = [] }) => [
    operationId,
    `/docs#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
  ]),
);

/** What the examples of refusals say, in the words of both protocols. What else is answered may hold a client's own words. */
export const publishedMessages: ReadonlySet<string> = new Set(
  Object.values(components?.examples ?? {}).flatMap((example) => {
    const message: string | undefined = 'value' in example ? example.value.error?.message : undefined;
    return message
      ? [message, message.replace('Idempotency-Key', 'idempotency_key').replace('If-Match', 'if_match')]
      : [];
  }),
);
