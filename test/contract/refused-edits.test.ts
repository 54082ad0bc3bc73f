import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { derive } from '../../scripts/generate/generate.ts';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const yaml = textOf('openapi.yaml');

/** The contract with a text replaced by another, or with a text inserted before it, and where the change begins. */
const edited = (found: string, text: string, isBefore = false) => {
  const at = yaml.indexOf(found);
  expect(at, found).to.be.above(-1);
  return { text: yaml.slice(0, at) + text + yaml.slice(isBefore ? at : at + found.length), at };
};

type Edit = ReturnType<typeof edited>;
/** Lines at the end of JobInput's properties. */
const fields = (lines: string): Edit =>
  edited('\n    JobPatch:\n', lines.replaceAll(/^/gm, '        ').trimEnd().concat('\n'), true);
const field = (line: string): Edit => fields(`${line}\n`);
const path = (lines: string): Edit => edited('\ncomponents:\n', `\n${lines.replaceAll(/^/gm, '  ').trimEnd()}\n`, true);
const component = (lines: string): Edit =>
  edited('    JobStatus:\n', `${lines.replaceAll(/^/gm, '    ').trimEnd()}\n`, true);

const mcp =
  '{ name: list_tags, title: T, description: D., readOnly: true, destructive: false, idempotent: true, openWorld: false }';
const answer = `"200": { description: A., content: { application/json: { schema: { type: object, properties: { data: { type: integer } } }, examples: { a: { value: { data: 1 } } } } } }`;
/** A correct operation with one part replaced. */
const operation = (found = '', by = '', where = '/tags', below = ''): Edit =>
  path(
    `${where}:\n${below}  get:\n    operationId: listTags\n    tags: [Jobs]\n    summary: List\n    description: D.\n    x-scope: jobs:read\n    x-mcp: ${mcp}\n    parameters: []\n    responses:\n      ${answer}\n`.replace(
      found,
      () => by,
    ),
  );
const parameter = (text: string, where = '/tags'): Edit => operation('parameters: []', `parameters: [${text}]`, where);

const nullable = 'nullable: true, description: D.';

/** An edit, the text at which it is refused, and the message. */
const refused: Readonly<Record<string, readonly (readonly [edit: Edit, at: string, said: RegExp])[]>> = {
  'a keyword that the table lacks or refuses': [
    [
      field(`a: { type: string, maxLength: 9, ${nullable}, minlength: 1 }`),
      'minlength',
      /JobInput\.a minlength: unknown keyword of a FieldSchema; known are/,
    ],
    [
      field(`a: { type: string, maxLength: 9, ${nullable}, x-color: red }`),
      'x-color',
      /JobInput\.a x-color: unknown extension/,
    ],
    [
      field(`a: { type: string, maxLength: 9, ${nullable}, writeOnly: true }`),
      'writeOnly',
      /a writeOnly: what a job has is returned/,
    ],
    [field(`a: { type: string, maxLength: 9, ${nullable}, default: x }`), 'default', /use x-default/],
    [
      field(`a: { type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, ${nullable} }`),
      'exclusiveMinimum',
      /as minimum/,
    ],
    [field(`a: { ${nullable}, oneOf: [{ type: string }] }`), 'oneOf', /write one object/],
    [field(`a: { type: object, maxProperties: 3, ${nullable} }`), 'maxProperties', /leave it out/],
    [
      field(`a: { type: object, additionalProperties: { type: string }, properties: {}, ${nullable} }`),
      'a: {',
      /additionalProperties: false; a map is a list of objects/,
    ],
    [
      field(`a: { type: [string, "null"], maxLength: 9, description: D. }`),
      'type',
      /a type: must be string or integer/,
    ],
    [
      field(`a: { type: string, maxLength: 9, ${nullable}, in: query }`),
      'in:',
      /has no effect on a FieldSchema; it belongs to a Parameter/,
    ],
    [
      component('Pay: { type: number, minimum: 0, maximum: 9, x-decimals: 2 }'),
      'x-decimals',
      /no effect on a Schema; it belongs to a FieldSchema/,
    ],
    [operation('x-scope', 'security: []\n    x-scope'), 'security', /get \/tags security|\/tags get security/],
    [operation('x-scope', 'callbacks: {}\n    x-scope'), 'callbacks', /calls nobody/],
    [operation('"200"', 'default'), 'default', /responses default: write each status/],
    [operation('"200"', '"302"'), '"302"', /responses 302: unknown keyword of a Responses; known are 200, 201/],
    [
      operation('application/json', 'text/plain'),
      'text/plain',
      /unknown keyword of a Content; known are application\/json/,
    ],
    [path('/tags:\n  head: {}\n'), 'head', /answers this method itself/],
    [path('/tags:\n  summary: S.\n'), 'summary', /write it in each operation/],
  ],
  'a value that is not as its keyword needs it': [
    [
      field(`a: { type: string, maxLength: -1, ${nullable} }`),
      'maxLength',
      /a maxLength: must be a whole number from 0/,
    ],
    [
      field(`a: { type: string, maxLength: 9, pattern: "[", ${nullable} }`),
      'pattern',
      /a pattern: must be a regular expression/,
    ],
    [field(`a: { type: string, maxLength: 9, pattern: '\\_', ${nullable} }`), 'pattern', /valid with the flag u/],
    [
      field(`a: { type: string, maxLength: 9, format: password, ${nullable} }`),
      'format',
      /a format: must be one of its type: string has date/,
    ],
    [
      field(`a: { type: string, maxLength: 9, format: int32, ${nullable} }`),
      'format',
      /a format: must be one of its type/,
    ],
    [
      field(`a: { type: string, maxLength: 9, required: true, ${nullable} }`),
      'required',
      /no effect on type string: it is for object/,
    ],
    [
      field(`a: { type: integer, minimum: 0, maximum: 9223372036854775807, format: int64, ${nullable} }`),
      'maximum',
      /9007199254740991: JSON readers round others/,
    ],
    [
      field(`a: { type: integer, minimum: -9223372036854775808, maximum: 9, ${nullable} }`),
      'minimum',
      /JSON readers round/,
    ],
    [field(`a: { type: integer, minimum: 5, maximum: 4, ${nullable} }`), 'minimum', /a minimum: is above maximum/],
    [field(`a: { type: string, minLength: 5, maxLength: 4, ${nullable} }`), 'minLength', /is above maxLength/],
    [
      field(`a: { type: number, minimum: 0, maximum: 9, x-decimals: 2, multipleOf: 0.1, ${nullable} }`),
      'multipleOf',
      /use x-decimals/,
    ],
    [field(`a: { type: array, maxItems: 3, ${nullable} }`), 'a: {', /items: is needed/],
    [field(`a: { maxLength: 3, ${nullable} }`), 'a: {', /type: is needed/],
    [field(`a: { type: string, enum: [], description: D. }`), 'enum', /each value once/],
    [field(`a: { type: string, enum: [x, x], description: D. }`), 'enum', /each value once/],
    [field(`a: { type: string, enum: [x, 1], description: D. }`), 'enum', /values of type string/],
    [field(`a: { type: string, enum: [x, y], ${nullable} }`), 'enum', /a nullable enum lists null/],
    [
      field(`a: { type: integer, minimum: 0, maximum: 9, maxLength: 3, ${nullable} }`),
      'maxLength',
      /no effect on type integer: it is for string/,
    ],
    [field(`a: { type: boolean, x-default: 1, description: D. }`), 'x-default', /a x-default: must be true or false/],
    [
      field(`a: { type: string, maxLength: 9, deprecated: 1, ${nullable} }`),
      'deprecated',
      /a deprecated: must be true or false/,
    ],
    [operation('jobs:read', 'job:read'), 'x-scope', /x-scope: must be jobs:read or jobs:write/],
    [operation('name: list_tags', 'name: list tags'), 'name: list', /x-mcp name: must be a letter and up to 62/],
  ],
  'a reference': [
    [field(`a: { $ref: "#/components/schemas/Jbo" }`), '$ref', /a \$ref: leads nowhere/],
    [field(`a: { $ref: "other.yaml#/A" }`), '$ref', /leads nowhere/],
    [
      field(`a: { $ref: "#/components/schemas/SalaryType", nullable: true }`),
      'nullable',
      /ignored beside \$ref; write `allOf/,
    ],
    [
      component('Tree: { type: object, properties: { child: { $ref: "#/components/schemas/Tree" } } }'),
      '$ref',
      /is a circle/,
    ],
    [field(`a: { nullable: true, allOf: [{ type: string }] }`), 'allOf', /a list of one \$ref/],
    [
      field(`a: { allOf: [{ $ref: "#/components/schemas/SalaryType" }, { $ref: "#/components/schemas/SalaryType" }] }`),
      'allOf',
      /a list of one \$ref/,
    ],
    [
      component('Used: { type: string, allOf: [{ $ref: "#/components/schemas/SalaryType" }] }'),
      'type',
      /with allOf it is that of the \$ref/,
    ],
    [parameter('{ $ref: "#/components/parameters/Pgae" }'), '$ref', /leads nowhere: write #\/components\/parameters\//],
  ],
  'a name': [
    ...['xmin', 'status', 'to_string', 'value_of', 'constructor', 'query', 'request_body'].map(
      (name) =>
        [
          field(`${name}: { type: boolean, x-default: true, description: D. }`),
          `${name}: {`,
          /the service uses this name itself/,
        ] as const,
    ),
    [
      field(`${'long_'.repeat(12)}name: { type: boolean, x-default: true, description: D. }`),
      'long_',
      /at most 63 characters/,
    ],
    [
      field('wasEdited: { type: boolean, x-default: true, description: D. }'),
      'wasEdited',
      /lower case words with underscores/,
    ],
    [
      fields(
        `address1: { type: string, maxLength: 9, ${nullable} }\naddress_1: { type: string, maxLength: 9, ${nullable} }\n`,
      ),
      'address1',
      /is too like address_1/,
    ],
    [
      fields(
        `city: { type: string, enum: [a, null], ${nullable} }\ncitie: { type: string, enum: [a, null], ${nullable} }\n`,
      ),
      'city',
      /is too like citie/,
    ],
  ],
  'a rule of a field that would have no effect': [
    [
      field(`a: { type: string, maxLength: 9, x-future: true, ${nullable} }`),
      'x-future',
      /write format: date beside it/,
    ],
    [
      field(`a: { type: string, maxLength: 9, format: uri, x-https: true, ${nullable} }`),
      'x-https',
      /write format: uri and pattern: ".*:\/\/" beside it/,
    ],
    [
      field(`a: { type: string, maxLength: 9, x-visible: true, ${nullable} }`),
      'x-visible',
      /write pattern: "\\\\S" beside it/,
    ],
    [
      field(`a: { type: integer, minimum: 1, maximum: 9, x-references: districts, ${nullable} }`),
      'x-references',
      /only category_id refers to categories/,
    ],
    [
      field(`a: { type: integer, minimum: 1, maximum: 9, x-references: towns, ${nullable} }`),
      'x-references',
      /only category_id refers/,
    ],
    [
      field(`a: { type: integer, minimum: 1, maximum: 9, x-at-least: salary, ${nullable} }`),
      'x-at-least',
      /must name another field of the same kind/,
    ],
    [
      field(`a: { type: integer, minimum: 1, maximum: 9, x-at-least: salary_min, ${nullable} }`),
      'x-at-least',
      /must name another field of the same kind/,
    ],
    [
      field(`a: { type: string, maxLength: 9, x-required-when: { application_methd: email }, ${nullable} }`),
      'x-required-when',
      /must name another field/,
    ],
    [
      field(`a: { type: string, maxLength: 9, x-required-when: { application_method: mail }, ${nullable} }`),
      'x-required-when',
      /and one of its values/,
    ],
    [
      field(`a: { type: integer, minimum: 0, maximum: 9, x-decimals: 2, ${nullable} }`),
      'x-decimals',
      /no effect on type integer/,
    ],
    [
      field(`a: { type: array, maxItems: 2, items: { type: string, maxLength: 9, x-visible: true }, ${nullable} }`),
      'x-visible',
      /no effect on a Schema/,
    ],
    [
      field(`a: { type: string, maxLength: 9, x-returned-nullable: false, ${nullable} }`),
      'x-returned-nullable',
      /must be true/,
    ],
  ],
  'a field whose column or size is not known': [
    [
      field(`a: { type: integer, enum: [1, 2, null], minimum: 1, maximum: 2, ${nullable} }`),
      'enum',
      /a enum: must be of texts/,
    ],
    [field(`a: { type: number, minimum: 0, maximum: 9, ${nullable} }`), 'a: {', /JobInput\.a: needs x-decimals/],
    [
      field(`a: { type: number, minimum: 0, maximum: 9999999999, x-decimals: 6, ${nullable} }`),
      'maximum',
      /more digits than a JSON number/,
    ],
    [
      field(`a: { type: number, minimum: -9999999999, maximum: 9, x-decimals: 6, ${nullable} }`),
      'maximum',
      /more digits than a JSON number/,
    ],
    [field(`a: { type: integer, maximum: 9, ${nullable} }`), 'a: {', /needs minimum/],
    [field(`a: { type: string, ${nullable} }`), 'a: {', /needs maxLength/],
    [field('a: { type: boolean, description: D. }'), 'a: {', /needs x-default/],
    [field('a: { type: string, maxLength: 9, description: D. }'), 'a: {', /an optional field needs nullable: true/],
    [field(`a: { type: array, items: { type: string, maxLength: 9 }, ${nullable} }`), 'a: {', /needs maxItems/],
    [field(`a: { type: array, maxItems: 9, items: { type: string }, ${nullable} }`), 'items', /items: needs maxLength/],
    [
      field(`a: { type: object, additionalProperties: false, properties: { b: { type: string } }, ${nullable} }`),
      'b: {',
      /a properties b: needs maxLength/,
    ],
    [
      field(`a: { type: object, properties: { b: { type: boolean } }, ${nullable} }`),
      'a: {',
      /needs additionalProperties: false/,
    ],
    [
      field(`a: { type: object, additionalProperties: false, properties: { "0": { type: boolean } }, ${nullable} }`),
      '"0"',
      /a name here is up to 64 letters/,
    ],
    [
      field(
        `a: { type: object, additionalProperties: false, required: [c], properties: { b: { type: boolean } }, ${nullable} }`,
      ),
      'required',
      /names c, which its properties lack/,
    ],
  ],
  'an operation': [
    [
      operation('operationId: listTags', 'operationId: getJob'),
      'operationId',
      /getJob is that of get \/jobs\/\{id\} too/,
    ],
    [operation('name: list_tags', 'name: get_job'), 'name: get_job', /get_job is that of/],
    [operation('tags: [Jobs]', 'tags: [Job]'), 'tags: [Job]', /needs one of the tags Account, Reference data, Jobs/],
    [operation('tags: [Jobs]', 'tags: [Jobs, Account]'), 'tags: [', /needs one of the tags/],
    [operation('    summary: List\n', ''), 'get:', /listTags needs a summary/],
    [
      operation(
        'parameters: []',
        'requestBody: { required: true, description: D., content: { application/json: { schema: { type: object }, examples: { a: { value: {} } } } } }',
      ),
      'requestBody',
      /a get has no body/,
    ],
    [operation('', '', '/tags/{slug}'), 'parameters', /\{slug\} needs a parameter in: path/],
    [operation('', '', '/tags/{my-slug}'), 'get:', /a path is made of/],
    [
      parameter(
        '{ name: id, in: path, required: true, example: 1, description: D., schema: { type: integer } }',
        '/jobs/{id}/tags/{x}',
      ),
      'parameters',
      /\{x\} needs a parameter/,
    ],
    [
      parameter('{ name: q, in: query, description: D., schema: { type: object } }'),
      'parameters',
      /a object has no place in the query/,
    ],
    [
      parameter('{ name: q, in: cookie, description: D., schema: { type: string } }'),
      'in:',
      /in: must be path or query or header/,
    ],
    [
      parameter('{ name: q, in: query, style: pipeDelimited, description: D., schema: { type: string } }'),
      'style',
      /leave it out/,
    ],
    [
      parameter('{ name: q, in: query, description: D., schema: { type: string, nullable: true } }'),
      'nullable',
      /is left out/,
    ],
    [
      parameter('{ name: q, in: query, description: D., schema: { type: integer, default: many } }'),
      'default',
      /does not fit its schema/,
    ],
    [
      parameter(
        '{ name: X-Q, in: header, description: D., schema: { type: string } }, { name: x_q, in: query, description: D., schema: { type: string } }',
      ),
      'parameters',
      /two inputs of the name x_q/,
    ],
    [
      parameter(
        '{ name: other, in: path, required: true, example: 1, description: D., schema: { type: integer } }',
        '/jobs/{other}',
      ),
      'get:',
      /get \/jobs\/\{\} is that of get \/jobs\/\{id\} too/,
    ],
  ],
};

describe('an edit that some layer could not support', () => {
  const [schema, functions, json] = ['prisma/schema.prisma', 'prisma/functions.sql', 'generated/openapi.json'].map(
    textOf,
  );

  for (const [kind, edits] of Object.entries(refused))
    it(`is refused at its line and column, with what to write instead: ${kind}`, async () => {
      for (const [{ text, at }, found, said] of edits) {
        const error: unknown = await derive(text, schema ?? '', functions ?? '', json).then(
          () => `accepted: ${text.slice(at, at + 200)}`,
          ({ message }) => message,
        );
        const before = text.slice(0, text.indexOf(found, at)).split('\n');
        const place = `openapi.yaml:${before.length}:${(before.at(-1) ?? '').length + 1} `;
        expect(String(error), found).to.match(said);
        expect(String(error).slice(0, place.length), `${error}`).to.equal(place);
      }
    });
});
