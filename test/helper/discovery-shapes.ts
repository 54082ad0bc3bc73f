import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';

/** What readers require of the documents, by the schemas that they name. Unknown keys fail here. */
const text = { type: 'string', minLength: 1 };
const absolute = { type: 'string', format: 'uri', pattern: '^https?://' };
const strict = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});

const input = { description: text, isRequired: { type: 'boolean' }, isSecret: { type: 'boolean' } };
const header = strict({
  ...input,
  name: text,
  value: text,
  variables: { type: 'object', additionalProperties: strict(input) },
});
const remote = { type: { const: 'streamable-http' }, url: absolute, headers: { type: 'array', items: header } };
const versions = { type: 'array', minItems: 1, items: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } };

const server = (schema: string, remotes: object) =>
  strict({
    $schema: { const: schema },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { ...text, maxLength: 100 },
    description: { ...text, maxLength: 100 },
    version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+$' },
    websiteUrl: absolute,
    remotes: { type: 'array', minItems: 1, items: remotes },
  });

const schemas = {
  card: server(
    'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    strict({ ...remote, supportedProtocolVersions: versions }),
  ),
  serverJson: server('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json', strict(remote)),
  catalog: strict({
    specVersion: { const: '1.0' },
    entries: {
      type: 'array',
      uniqueItems: true,
      items: strict({
        identifier: { type: 'string', pattern: '^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$' },
        displayName: text,
        type: { const: 'application/mcp-server-card+json' },
        url: absolute,
      }),
    },
  }),
};

const ajv = formats.default(new Ajv({ allErrors: true }));

export function expectShape(name: keyof typeof schemas, document: unknown): void {
  const isValid = ajv.validate(schemas[name], document);
  expect(isValid, `${name}: ${ajv.errorsText()} in ${JSON.stringify(document)}`).to.equal(true);
}
