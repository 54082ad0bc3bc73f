import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { derive } from '../../scripts/generate/generate.ts';
import { renderModels } from '../../scripts/generate/stored-columns.ts';
import { nounOf, storedSchemasOf } from '../../scripts/generate/stored-fields.ts';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';
import { camelCase } from '../../src/domain/camel-case.ts';
import { declarations } from '../../src/operations/declarations.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { draws, sample } from '../helper/draws.ts';
import { db } from '../helper/fixtures.ts';

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const yaml = textOf('openapi.yaml');

/** The contract with a text replaced by another, or with a text inserted before it, and where the change begins. */
const edited = (found: string, text: string, isBefore = false) => {
  const at = yaml.indexOf(found);
  expect(at, found).to.be.above(-1);
  return { text: yaml.slice(0, at) + text + yaml.slice(isBefore ? at : at + found.length), at };
};

type Edit = ReturnType<typeof edited>;
/** An edit that is refused at an earlier line. */
const before = (edit: Edit, line: string): Edit => ({ ...edit, at: edit.text.indexOf(line) });
/** Lines at the end of JobInput's properties. */
const fields = (lines: string): Edit =>
  edited('\n    JobPatch:\n', lines.replaceAll(/^/gm, '        ').trimEnd().concat('\n'), true);
const field = (line: string): Edit => fields(`${line}\n`);
const path = (lines: string): Edit => edited('\ncomponents:\n', `\n${lines.replaceAll(/^/gm, '  ').trimEnd()}\n`, true);
const component = (lines: string): Edit =>
  edited('    JobStatus:\n', `${lines.replaceAll(/^/gm, '    ').trimEnd()}\n`, true);

const [first = '', second = ''] = ['/sandbox/v1', '/v1'].map((base) => `  - url: http://127.0.0.1:3000${base}\n`);
/** The contract with these servers. */
const servers = (lines: string): Edit =>
  edited(/^servers:\n[\s\S]*?(?=\nsecurity:)/m.exec(yaml)?.[0] ?? '', `servers:\n${lines}`);

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
const query = (text: string): Edit => parameter(`{ name: q, in: query, description: D., ${text} }`);
const inPath = (name: string, where: string): Edit =>
  parameter(
    `{ name: ${name}, in: path, required: true, example: 1, description: D., schema: { type: integer } }`,
    where,
  );
/** A correct operation with a body. */
const sending = (schema: string, more = ''): Edit => {
  const { text, at } = operation(
    'parameters: []',
    `requestBody: { required: true, content: { application/json: { schema: ${schema}, examples: { a: { value: {} } } } } }${more}`,
  );
  return { text: text.slice(0, at) + text.slice(at).replace('  get:', '  post:'), at };
};
const sent = (keywords: string): Edit => sending(`{ type: object, additionalProperties: false, ${keywords} }`);
const header = (name: string): Edit =>
  parameter(`{ name: ${name}, in: header, description: D., schema: { type: string } }`);
const salaryType = '$ref: "#/components/schemas/SalaryType"';

const nullable = 'nullable: true, description: D.';
/** A correct optional field with these keywords in addition. */
const optional = (keywords: string): Edit => field(`a: { ${keywords}, ${nullable} }`);
const text = (keywords: string): Edit => optional(`type: string, maxLength: 9, ${keywords}`);
const integer = (keywords: string): Edit => optional(`type: integer, minimum: 0, maximum: 9, ${keywords}`);
const object = (keywords: string): Edit => optional(`type: object, additionalProperties: false, ${keywords}`);
const twoOf = (keywords: string, ...names: string[]): Edit =>
  fields(names.map((name) => `${name}: { ${keywords}, ${nullable} }\n`).join(''));
const flag = (name: string): Edit => field(`${name}: { type: boolean, x-default: true, description: D. }`);

const ref = (kind: string, name: string) => `{ $ref: "#/components/${kind}/${name}" }`;
const json = (schema: string, examples = '') =>
  `content: { application/json: { schema: ${ref('schemas', schema)}${examples} } }`;
/** A stored resource: its paths and its schemas. */
const resource = (name: string, more = '') => {
  const noun = name.toLowerCase();
  const [ok, missing] = [`{ description: A., ${json(`${name}Response`)} }`, ref('responses', 'JobNotFound')];
  const body = (kind: string) =>
    `requestBody: { required: true, ${json(name + kind, ', examples: { a: { value: { note: x } } }')} }`;
  const method = (verb: string, answers: string, more = '') =>
    `  ${verb}: { operationId: ${verb}${name}, tags: [Jobs], summary: S., description: D., x-scope: jobs:write, x-mcp: false, ${more}responses: { ${answers} } }\n`;
  const changes = `"404": ${missing}, "412": ${ref('responses', 'PreconditionFailed')}`;
  const [ifMatch, key] = ['IfMatch', 'IdempotencyKey'].map((one) => `parameters: [${ref('parameters', one)}], `);
  const id = `{ name: id, in: path, required: true, x-names: ${noun}, description: D., example: 1, schema: { type: integer } }`;
  const made = `{ description: A., headers: { Location: ${ref('headers', 'Location')} }, ${json(`${name}Response`)} }`;
  const answers = `"200": ${ok}, "201": ${made}, "409": ${ref('responses', 'IdempotencyConflict')}, "410": ${ref('responses', 'JobRemoved')}`;
  const one =
    method('get', `"200": ${ok}, "404": ${missing}`) +
    method('patch', `"200": ${ok}, ${changes}`, `${ifMatch}${body('Patch')}, `) +
    method('delete', `"204": { description: D. }, ${changes}`, ifMatch);
  const note = `note: { type: string, maxLength: 9, nullable: true, description: D. }${more}`;
  const page = `{ type: object, required: [data, meta], properties: { data: { type: array, description: D., items: ${ref('schemas', name)} }, meta: ${ref('schemas', 'PageMeta')} } }`;
  const list = method(
    'get',
    `"200": { description: A., content: { application/json: { schema: ${page} } } }`,
    `parameters: [${ref('parameters', 'Page')}, ${ref('parameters', 'PerPage')}], `,
  ).replace(`get${name},`, `list${name},`);
  return {
    paths: `/${noun}s:\n${method('post', answers, `${key}${body('Input')}, `)}${list}/${noun}s/{id}:\n  parameters: [${id}]\n${one}`,
    schemas: `
${name}Input: { x-stored: ${noun}s, type: object, description: D., additionalProperties: false, properties: {
    ${note} } }
${name}Patch: { type: object, description: D., additionalProperties: false, minProperties: 1 }
${name}: { type: object, description: D., properties: { id: { type: integer, format: int64, description: D. } } }
${name}Response: { type: object, required: [data], properties: { data: ${ref('schemas', name)} } }`,
  };
};
/** The contract with stored resources. */
const withResources = (nouns: string, ...made: readonly ReturnType<typeof resource>[]): string => {
  const lines = (key: 'paths' | 'schemas', indent: string) =>
    made.map((one) => one[key].trim().replaceAll(/^/gm, indent).concat('\n')).join('');
  return yaml
    .replace('\ncomponents:\n', (found) => `\n${lines('paths', '  ')}${found}`)
    .replace('    JobStatus:\n', (found) => lines('schemas', '    ') + found)
    .replace('enum: [job, path]', `enum: [job, ${nouns}, path]`)
    .replace('enum: [job_removed]', `enum: [job_removed, ${nouns.replaceAll(/\w+/g, '$&_removed')}]`);
};
/** The contract with a stored resource of which one part is replaced. */
const place = (found: string | RegExp, by: string): Edit => {
  const text = withResources('place', resource('Place'));
  const at = text.indexOf('\n  /places:\n');
  expect(text.slice(at).split(found), `${found}`).to.have.length.above(1);
  return { text: text.slice(0, at) + text.slice(at).replace(found, () => by), at };
};

/** An edit, the text at which it is refused, and the message. */
const refused: Readonly<Record<string, readonly (readonly [edit: Edit, at: string, said: RegExp])[]>> = {
  'a keyword that the table lacks or refuses': [
    [text('minlength: 1'), 'minlength', /JobInput\.a minlength: unknown keyword of a FieldSchema; known are/],
    [text('x-color: red'), 'x-color', /JobInput\.a x-color: unknown extension/],
    [text('writeOnly: true'), 'writeOnly', /a writeOnly: every property is returned; leave it out/],
    [text('default: x'), 'default', /say in the description/],
    [field('a: { type: boolean, default: true, description: D. }'), 'default', /use x-default/],
    [optional('type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9'), 'exclusiveMinimum', /as minimum/],
    [optional('oneOf: [{ type: string }]'), 'oneOf', /write one object/],
    [optional('type: object, maxProperties: 3'), 'maxProperties', /leave it out/],
    [
      optional('type: object, additionalProperties: { type: string }, properties: {}'),
      'a: {',
      /additionalProperties: false; a map is a list of objects/,
    ],
    [
      optional('type: object, additionalProperties: { type: string }'),
      'a: {',
      /a map is a list of objects with a name and a value/,
    ],
    [
      field(`a: { type: [string, "null"], maxLength: 9, description: D. }`),
      'type',
      /a type: must be string or integer/,
    ],
    [text('in: query'), 'in:', /has no effect on a FieldSchema; it belongs to a Parameter/],
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
  'a path without an operation': [
    [path('/tags: {}\n'), '/tags', /\/tags: has no operation: add one, or leave the path out/],
    [
      path('/tags/{id}:\n  parameters: [{ $ref: "#/components/parameters/JobId" }]\n'),
      '/tags',
      /\/tags\/\{id\}: has no operation/,
    ],
  ],
  'HTML whose rules could not hold once it is sanitized': [
    [text('x-html: true, minLength: 2'), 'minLength', /a minLength: sanitizing changes the text/],
    [text("x-html: true, pattern: '^a'"), 'pattern', /a pattern: sanitizing changes the text/],
    [optional('type: string, x-html: true, enum: [a, null]'), 'enum', /a enum: sanitizing changes the text/],
    [
      edited('        remote_policy:\n', '        remote_policy:\n          x-html: true\n'),
      'x-html',
      /remote_policy x-html: texts of jobs from before are not sanitized/,
    ],
    [
      edited(
        'type: array\n          maxItems: 50\n          items:\n            type: string\n            maxLength: 500\n',
        'type: string\n          maxLength: 500\n          x-html: true\n',
      ),
      'x-html',
      /education_details x-html: texts of jobs from before are not sanitized/,
    ],
  ],
  'another type of a required field, whose column begins empty': [
    [
      edited(
        'contact_instructions:\n          x-returned-description: "What candidates should know about applying, as plain text."\n          x-label: How to apply\n          x-visible: true\n          type: string\n          pattern: "\\\\S"\n          minLength: 1\n          maxLength: 10000\n',
        'contact_instructions:\n          x-label: How to apply\n          type: integer\n          minimum: 1\n          maximum: 9\n',
      ),
      'contact_instructions',
      /jobs from before the field had this type may have no value for it: add x-returned-nullable: true/,
    ],
  ],
  'the document itself': [
    [edited('openapi: 3.0.3', 'openapi: 3.1.0'), 'openapi', /openapi: must be 3\.0\.3/],
    [edited('openapi: 3.0.3', 'openapi: "2.0"'), 'openapi', /openapi: must be 3\.0\.3/],
    [edited('  version: 1.0.0', '  version: 1.1'), 'version', /info\.version: must be three numbers/],
    [edited('  title: ', '  contcat: {}\n  title: '), 'contcat', /info\.contcat: unknown keyword of a Info/],
    [edited('  title: ', '  summary: '), 'summary', /begin the description with it/],
    [before(edited('  version: 1.0.0\n', ''), 'info:'), 'info', /info: needs version/],
    ...['security: []', 'security: [{ bearer: [] }, {}]', 'security: [{ bearer: [x] }]'].map(
      (text): [Edit, string, RegExp] => [edited('security:\n  - bearer: []', text), 'security', /a list of one scheme/],
    ),
    [edited('security:\n  - bearer: []', 'security: [{ key: [] }]'), 'security', /securitySchemes has no key/],
    [
      edited('      type: http\n      scheme: bearer', '      type: apiKey\n      scheme: bearer'),
      'type',
      /bearer type: must be http/,
    ],
    [edited('      scheme: bearer', '      scheme: basic'), 'scheme', /scheme: must be bearer/],
    [edited('      scheme: bearer', '      in: header\n      scheme: bearer'), 'in:', /write type: http/],
    [
      before(edited('http://127.0.0.1:3000/v1', 'http://127.0.0.1:3000/v2'), 'url: http://127.0.0.1:3000/v2'),
      'url',
      /has no other paths/,
    ],
    [
      before(edited('http://127.0.0.1:3000/v1', 'https://jobs.example.com/v1'), 'url: https://jobs.example.com/v1'),
      'url',
      /must be http:\/\/127.0.0.1:3000 and/,
    ],
    [edited('  - name: Account', '  - name: Jobs\n  - name: Account'), 'name: Jobs\n    desc', /Jobs is there before/],
    [edited('      X-Request-Id: X-Request-Id', '      X-Request-Id: 1'), 'X-Request-Id', /must be a text/],
    [
      edited('    refusals:\n', '    refusals:\n      X-Newer: ETag\n'),
      'X-Newer',
      /no refusal has it: write it under ans/,
    ],
    [edited('    all:\n', '    all:\n      X-Newer: ETag\n'), 'X-Newer', /no refusal has it/],
  ],
  'JobInput itself': [
    [
      before(
        edited('      additionalProperties: false\n      required: [title', '      required: [title'),
        '    JobInput:\n',
      ),
      'JobInput',
      /JobInput: needs additionalProperties/,
    ],
    [
      edited(
        '      additionalProperties: false\n      required: [title',
        '      additionalProperties: true\n      required: [title',
      ),
      'additionalProperties',
      /must be false/,
    ],
    [
      edited(
        '      additionalProperties: false\n      required: [title',
        '      nullable: true\n      additionalProperties: false\n      required: [title',
      ),
      'nullable',
      /what is stored is an object/,
    ],
    [text('readOnly: true'), 'readOnly', /a program sends this field/],
  ],
  'what is sent': [
    [sending('{ type: object, properties: {} }'), 'schema', /additionalProperties: needs to be false/],
    [sending('{ type: array, maxItems: 2, items: { type: string } }'), 'schema', /a body is an object/],
    [sent('nullable: true, properties: {}'), 'nullable', /a body is an object, and not null/],
    [sent('properties: { a: { type: object, properties: {} } }'), 'a: { type: object, properties', /needs to be false/],
    [sent('properties: { a: { type: string, readOnly: true } }'), 'readOnly: true }', /a program sends this/],
    [sent('properties: { constructor: { type: string } }'), 'constructor', /as every JavaScript object has it/],
    [sent('properties: { a: { type: array, items: { type: object, properties: {} } } }'), 'items', /needs to be false/],
  ],
  'allOf with more than texts': [
    [
      component(`Used: { allOf: [{ ${salaryType} }], properties: { b: { type: boolean } } }`),
      'properties',
      /further rule beside allOf/,
    ],
    [component(`Used: { allOf: [{ ${salaryType} }], maxLength: 20 }`), 'maxLength', /the whole schema without a \$ref/],
    [field(`a: { nullable: true, allOf: [{ ${salaryType} }] }`), 'nullable', /further rule/],
    [field(`a: { allOf: [{ ${salaryType} }], enum: [x, null] }`), 'enum', /further rule/],
  ],
  'what OpenAPI forbids': [
    [component('Made: { type: string, readOnly: true }'), 'readOnly', /for the schemas of properties only/],
    [component('Made: { type: array, items: { type: string, readOnly: true } }'), 'readOnly', /of properties only/],
    ...['Authorization', 'accept', 'Content-Type', 'X Bad Name', 'X-É'].map((name): [Edit, string, RegExp] => [
      header(name),
      `name: ${name}`,
      /name: must be up to 100 characters.*none that HTTP has/,
    ]),
    [component('"Pay scale": { type: integer }'), '"Pay scale"', /a component has letters/],
    [
      parameter(
        '{ name: q, in: query, description: D., schema: { type: string } }, { name: q, in: query, description: D., schema: { type: integer } }',
      ),
      '{ name: q, in: query, description: D., schema: { type: integer',
      /another parameter of that name/,
    ],
    [operation('"200"', '"204"'), 'content', /a 204 has no body/],
    [
      operation('responses:\n', 'responses:\n      "304": { description: A., content: {} }\n'),
      'content',
      /a 304 has no body|needs application/,
    ],
    [
      operation(
        '"200": { description: A.,',
        '"200": { description: A., headers: { Content-Type: { schema: { type: string } } },',
      ),
      'Content-Type',
      /none that HTTP has/,
    ],
  ],
  'a word that YAML 1.1 reads otherwise': [
    [
      field('a: { type: string, nullable: true, enum: ["x", yes, null], description: D. }'),
      'yes',
      /a text between quotes/,
    ],
    [optional('type: string, maxLength: 9, example: 2026-12-24'), '2026-12-24', /write quotes/],
    [optional('type: integer, minimum: 0, maximum: 0100'), '0100', /write the number in digits/],
    [optional('type: integer, minimum: 0, maximum: 1e6'), '1e6', /write the number in digits/],
    [field('a: { type: string, nullable: true, enum: ["x", y, null], description: D. }'), 'y, null', /y is another/],
    [object('properties: { n: { type: string, maxLength: 9 } }'), 'n:', /n is another value in YAML 1\.1/],
    [optional('type: integer, minimum: 0, maximum: 0x1_F'), '0x1_F', /in digits, or a text between quotes/],
    [
      optional('type: number, minimum: 0, maximum: 1_000.5, x-decimals: 2'),
      '1_000.5',
      /; write the number in digits, or a text between quotes$/,
    ],
    [optional('type: integer, minimum: 0, maximum: 1_000'), '1_000', /write the number in digits, or/],
    [optional('type: string, maxLength: 9, example: @all?'), '@all?', /./],
    [field('a: { type: boolean, nullable: yes, description: D. }'), 'yes', /; write true, or a text between quotes$/],
    [flag('off'), 'off', /off is another value in YAML 1\.1.*; write quotes around it$/],
    [field('a: { type: boolean, x-default: true, description: No }'), 'No', /write false, or a text between quotes/],
    [field('a: { type: boolean, x-default: true, x-label: 10:30, description: D. }'), '10:30', /a text between quotes/],
    [field('a: { type: boolean, x-default: true, description: Is it remote? }'), 'Is it', /write quotes/],
    [optional('type: number, minimum: -.5, maximum: 9, x-decimals: 1'), '-.5', /write the number in digits/],
    [text('x-label: .1_0'), '.1_0', /a text between quotes/],
    [text('x-label: 0100'), '0100', /a text between quotes/],
    [operation('"200"', '200.0'), '200.0', /write quotes/],
    [operation('"200"', 'null'), 'null', /write quotes/],
    [fields('? [a]\n: { type: boolean }\n'), '[a]', /is no key/],
  ],
  'what not every YAML parser knows': [
    ...['\t', '\u0007', '\u007f', '\u0085', '\u2028', '\ufeff', '\uffff', '\r'].flatMap(
      (character): [Edit, string, RegExp][] =>
        [`a: { type: boolean } # A${character}.`, `a: "A${character}."`, `a: A${character}.`].map((line) => [
          field(line),
          character,
          /\\u[0-9a-f]{4} is no character for all YAML tools; write .*\\u[0-9a-f]{4} between double quotes/,
        ]),
    ),
    [edited('\npaths:\n', '\n\t\npaths:\n'), '\t', /write spaces/],
    [edited('maxLength: 20\n', 'maxLength: 20\t# C.\n'), '\t', /write spaces/],
    [text('x-label: !important L'), 'L,', /has the tag !important.*leave it out/],
    [text('x-label: ! 12'), '12', /has the tag !,/],
    [optional('type: string, maxLength: !!int "9"'), '"9"', /has the tag/],
    [text('x-label: &l L'), 'L,', /has the anchor &l/],
  ],
  'a key that is there twice': [
    [
      edited('        "200":\n', '        200: { description: Other. }\n        "200":\n'),
      '"200":',
      /keys must be unique/,
    ],
  ],
  'line ends that a text would keep': ['>+', '|+', '|2+'].map((style) => [
    fields(`a:\n  type: boolean\n  x-default: true\n  description: ${style}\n    A text.\n\n`),
    style,
    /keeps line ends: write [|>] without \+/,
  ]),
  'an answer without an object': [
    ...['{ type: array, items: { type: integer } }', '{ type: string }', '{ type: object }'].map(
      (schema): [Edit, string, RegExp] => [
        operation('{ type: object, properties: { data: { type: integer } } }', schema),
        'schema',
        /needs responses\.200\.content\.application\/json\.schema\.properties/,
      ],
    ),
    [operation(/content: .*/.exec(answer)?.[0] ?? '', '}'), '"200"', /needs responses\.200\.content/],
  ],
  'a pattern that takes more than linear time': [
    [text("pattern: '^(\\w+\\s?)*$'"), 'pattern', /takes more than linear time on/],
    [
      sent("properties: { a: { type: string, pattern: '^(a|a)*$' } }"),
      'pattern',
      /a pattern: takes more than linear time/,
    ],
    [query("schema: { type: string, pattern: 'x*x*$' }"), 'pattern', /schema pattern: takes more than linear time/],
  ],
  'values of which none fits': [
    [field('a: { type: string, nullable: true, enum: [null], description: D. }'), 'enum', /one that is not null/],
    [
      field('a: { type: string, nullable: true, enum: [constructor, null], description: D. }'),
      'enum',
      /constructor is a name/,
    ],
    [optional('type: integer, minimum: 6, maximum: 8, multipleOf: 5'), 'multipleOf', /no multiple/],
    [
      optional('type: string, enum: [ab, null], pattern: "^x"'),
      'enum',
      /is refused by its schema: ab: must match pattern/,
    ],
    [optional('type: string, enum: [ab, null], maxLength: 1'), 'enum', /is refused by its schema: ab/],
    [
      optional('type: number, minimum: 0.1, maximum: 0.5, x-decimals: 0'),
      'x-decimals',
      /no multiple of 1 is from minimum to maximum/,
    ],
    [optional('type: number, minimum: 0.001, maximum: 0.009, x-decimals: 2'), 'x-decimals', /no multiple of 0\.01 is/],
    [
      optional('type: number, minimum: 0.1, maximum: 0.4, x-decimals: 1, multipleOf: 0.25'),
      'multipleOf',
      /no multiple of 0\.5 is/,
    ],
    [optional('type: integer, minimum: 0.2, maximum: 0.8'), 'minimum', /no multiple of 1 is/],
    [optional('type: integer, minimum: 1, maximum: 2, multipleOf: 1.5'), 'multipleOf', /no multiple of 3 is/],
    [
      optional('type: string, minLength: 300000, maxLength: 300000'),
      'minLength',
      /more than the 131072 bytes of a request/,
    ],
    [optional('type: array, minItems: 70000, maxItems: 70000, items: { type: boolean }'), 'minItems', /131072 bytes/],
    [
      object('required: [b], properties: { b: { type: string, minLength: 131070, maxLength: 131070 } }'),
      'required',
      /bytes of a request/,
    ],
    [optional('type: string, minLength: 9, maxLength: 9, x-max-bytes: 8'), 'minLength', /is above x-max-bytes/],
    [
      object('minProperties: 2, properties: { b: { type: boolean } }'),
      'minProperties',
      /above the number of its properties/,
    ],
    [query('schema: { type: string, minLength: 20000 }'), 'minLength', /more than the 16384 bytes of a request/],
  ],
  'an example at its own place, with what is wrong': [
    [
      field('a: { type: integer, minimum: 1, maximum: 3, nullable: true, example: 9, description: D. }'),
      'example',
      /JobInput\.a example: does not fit its schema: must be <= 3/,
    ],
    [
      place('maxLength: 9', 'maxLength: 9, example: too long for it'),
      'example: too',
      /PlaceInput\.note example: does not fit its schema/,
    ],
    [place('{ note: x }', '{ note: x, nott: z }'), 'nott', /value nott: does not fit its schema: it has no nott/],
    [operation('{ data: 1 }', '{ data: x }'), 'data: x', /data: does not fit its schema: must be integer/],
    [optional('type: string, enum: [ab, null], example: abc'), 'example', /one of the allowed values: ab, /],
    [
      optional('type: string, format: uuid, example: "urn:uuid:7d2f6c1e-90b4-4c52-8f0e-2f6a1b6f3c11"'),
      'example',
      /must match format "uuid"/,
    ],
  ],
  'a value that is not as its keyword needs it': [
    [optional('type: string, maxLength: 0'), 'a: {', /a minLength: is above maxLength/],
    [optional('type: string, maxLength: -1'), 'maxLength', /a maxLength: must be a whole number from 0/],
    [text('pattern: "["'), 'pattern', /a pattern: must be a regular expression/],
    [text('x-visible: true, pattern: "["'), 'pattern', /a pattern: must be a regular expression/],
    [text("pattern: '\\_'"), 'pattern', /valid with the flag u/],
    [text("pattern: '^\\p{Lu}'"), 'pattern', /write .* letters such as \[A-ZÀ-ÖØ-Þ\] in place of \\p/],
    [text("pattern: '^\\\\\\P{Lu}'"), 'pattern', /in place of \\p/],
    [text("pattern: '^\\u{41}'"), 'pattern', /and \\u\{ \}, which not every reader knows/],
    [text(`pattern: '^"'`), 'pattern', /write \\x22 for a quotation mark/],
    // What one of JavaScript (with and without the flag u), Python and Java cannot read, or reads otherwise.
    ...String.raw`^(?<year>[0-9]{4})$ (?<=a)b (?<!a)b ^(a)\1$ (?i:a) a{10000} \cJ \0 \v ^[^]$ ^[]$ a[[b] [a&&b] [+--] [\b] \ud83d\ude00 ^😀+$ ^[😀-😎]+$`
      .split(' ')
      .map((pattern): [Edit, string, RegExp] => [
        text(`pattern: '${pattern}'`),
        'pattern',
        /which not every reader knows/,
      ]),
    ...['date', 'date-time', 'uuid'].map((format): [Edit, string, RegExp] => [
      text(`format: ${format}`),
      'maxLength',
      /means nothing to most languages/,
    ]),
    [text('format: password'), 'format', /a format: must be one of its type: string has date/],
    [text('format: int32'), 'format', /a format: must be one of its type/],
    [text('required: true'), 'required', /no effect on type string: it is for object/],
    [
      optional('type: integer, minimum: 0, maximum: 9223372036854775807, format: int64'),
      'maximum',
      /9007199254740991: JSON readers round others/,
    ],
    [optional('type: integer, minimum: -9223372036854775808, maximum: 9'), 'minimum', /JSON readers round/],
    [optional('type: integer, minimum: 5, maximum: 4'), 'minimum', /a minimum: is above maximum/],
    [optional('type: string, minLength: 5, maxLength: 4'), 'minLength', /is above maxLength/],
    [optional('type: number, minimum: 0, maximum: 9, x-decimals: 2, multipleOf: 0.1'), 'multipleOf', /use x-decimals/],
    [optional('type: array, maxItems: 3'), 'a: {', /items: is needed/],
    [optional('maxLength: 3'), 'a: {', /type: is needed/],
    [field(`a: { type: string, enum: [], description: D. }`), 'enum', /each value once/],
    [field(`a: { type: string, enum: [x, x], description: D. }`), 'enum', /each value once/],
    [field(`a: { type: string, enum: [x, 1], description: D. }`), 'enum', /values of type string/],
    [optional('type: string, enum: [x, z]'), 'enum', /a nullable enum lists null/],
    [integer('maxLength: 3'), 'maxLength', /no effect on type integer: it is for string/],
    [field(`a: { type: boolean, x-default: 1, description: D. }`), 'x-default', /a x-default: must be true or false/],
    [text('deprecated: 1'), 'deprecated', /a deprecated: must be true or false/],
    [operation('jobs:read', 'jobs:change'), 'x-scope', /x-scope: must be like jobs:read or jobs:write/],
    [operation('jobs:read', 'tags:read'), 'x-scope', /add tags:read to required_scope of ForbiddenError/],
    [optional('type: integer, format: int32, minimum: 0, maximum: 2147483648'), 'maximum', /outside of format int32/],
    [query('schema: { type: integer, format: int32, minimum: -2147483649 }'), 'minimum', /write format: int64/],
    [operation('title: T', 'body: a-b, title: T'), 'body: a-b', /must be a letter and up to 62/],
    [operation('name: list_tags', 'name: list tags'), 'name: list', /x-mcp name: must be a letter and up to 52/],
  ],
  'a reference': [
    [field(`a: { $ref: "#/components/schemas/Jbo" }`), '$ref', /a \$ref: leads nowhere/],
    [field(`a: { $ref: "other.yaml#/A" }`), '$ref', /leads nowhere/],
    [field(`a: { ${salaryType}, nullable: true }`), 'nullable', /ignored beside \$ref; write it in the component/],
    [field(`a: { ${salaryType}, description: D. }`), 'description', /ignored beside \$ref; write `allOf/],
    [
      component('Tree: { type: object, properties: { child: { $ref: "#/components/schemas/Tree" } } }'),
      '$ref',
      /is a circle/,
    ],
    [field(`a: { allOf: [{ type: string }] }`), 'allOf', /a list of one \$ref/],
    [field(`a: { allOf: [{ ${salaryType} }, { ${salaryType} }] }`), 'allOf', /a list of one \$ref/],
    [component(`Used: { type: string, allOf: [{ ${salaryType} }] }`), 'type', /with allOf it is that of the \$ref/],
    [parameter('{ $ref: "#/components/parameters/Pgae" }'), '$ref', /leads nowhere: write #\/components\/parameters\//],
  ],
  'a name': [
    ...['xmin', 'status', 'to_string', 'value_of', 'constructor', 'query', 'request_body', 'record'].map(
      (name) => [flag(name), `${name}: {`, /the service uses this name itself/] as const,
    ),
    [flag(`${'long_'.repeat(12)}name`), 'long_', /at most 63 characters/],
    [flag('wasEdited'), 'wasEdited', /lower case words with underscores/],
    [twoOf('type: string, maxLength: 9', 'address1', 'address_1'), 'address1', /is too like address_1/],
    [twoOf('type: string, enum: [a, null]', 'city', 'citie'), 'city', /is too like citie/],
  ],
  'a rule of a field that would have no effect': [
    [text('x-future: true'), 'x-future', /write format: date beside it/],
    [text('format: uri, x-https: true'), 'x-https', /write format: uri and pattern: ".*:\/\/" beside it/],
    [text('x-visible: true'), 'x-visible', /write pattern: "\\\\S" beside it/],
    ...['^\\\\D', '^.{3,}$', '^[A-Z ]{2,}$'].map(
      (pattern) =>
        [text(`x-visible: true, pattern: "${pattern}"`), 'x-visible', /or one that no blank text matches/] as const,
    ),
    [
      integer('x-references: districts'),
      'x-references',
      /of a job, only district_id refers to districts; leave it out/,
    ],
    [integer('x-references: towns'), 'x-references', /must be categories or districts/],
    [integer('x-at-least: salary'), 'x-at-least', /must name another field of the same kind/],
    [integer('x-at-least: salary_min'), 'x-at-least', /must name another field of the same kind/],
    [text('x-required-when: { application_methd: email }'), 'x-required-when', /must name another field/],
    [text('x-required-when: { application_method: mail }'), 'x-required-when', /and one of its values/],
    [integer('x-decimals: 2'), 'x-decimals', /no effect on type integer/],
    [
      optional('type: array, maxItems: 2, items: { type: string, maxLength: 9, x-visible: true }'),
      'x-visible',
      /no effect on a Schema/,
    ],
    [text('x-returned-nullable: false'), 'x-returned-nullable', /must be true/],
  ],
  'a field whose column or size is not known': [
    [optional('type: integer, enum: [1, 2, null], minimum: 1, maximum: 2'), 'enum', /a enum: must be of texts/],
    [optional('type: number, minimum: 0, maximum: 9'), 'a: {', /JobInput\.a: needs x-decimals/],
    [
      optional('type: number, minimum: 0, maximum: 9999999999, x-decimals: 6'),
      'maximum',
      /more digits than a JSON number/,
    ],
    [
      optional('type: number, minimum: -9999999999, maximum: 9, x-decimals: 6'),
      'maximum',
      /more digits than a JSON number/,
    ],
    [optional('type: integer, maximum: 9'), 'a: {', /needs minimum/],
    [optional('type: string'), 'a: {', /needs maxLength/],
    [field('a: { type: boolean, description: D. }'), 'a: {', /needs x-default/],
    [field('a: { type: string, maxLength: 9, description: D. }'), 'a: {', /an optional field needs nullable: true/],
    [optional('type: array, items: { type: string, maxLength: 9 }'), 'a: {', /needs maxItems/],
    [optional('type: array, maxItems: 9, items: { type: string }'), 'items', /items: needs maxLength/],
    [object('properties: { b: { type: string } }'), 'b: {', /a properties b: needs maxLength/],
    [optional('type: object, properties: { b: { type: boolean } }'), 'a: {', /needs additionalProperties: false/],
    [object('properties: { "0": { type: boolean } }'), '"0"', /a name here is up to 64 letters/],
    [object('required: [c], properties: { b: { type: boolean } }'), 'required', /names c, which its properties lack/],
  ],
  'an operation': [
    [
      operation('operationId: listTags', 'operationId: getJob'),
      'operationId',
      /getJob is that of get \/jobs\/\{id\} too/,
    ],
    [operation('name: list_tags', 'name: get_job'), 'name: get_job', /get_job is that of/],
    [operation('operationId: listTags', 'operationId: toString'), 'operationId', /none of JavaScript/],
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
    ...['/./tags', '/tags/.', '/../tags', '/tags/..', '/tags/../jobs/./x'].map(
      (where) => [operation('', '', where), 'get:', /a client would call \/.*: leave out \. and \.\./] as const,
    ),
    [inPath('id', '/jobs/{id}/tags/{x}'), 'parameters', /\{x\} needs a parameter/],
    [query('schema: { type: object }'), 'parameters', /a object has no place in the query/],
    [query('schema: { type: array, items: { type: object } }'), 'parameters', /an item is a text/],
    [
      parameter('{ name: constructor, in: query, description: D., schema: { type: string } }'),
      'name: constr',
      /no name of JavaScript/,
    ],
    [inPath('id', '/things/{id}/parts/{id}'), 'get:', /a parameter is in a path once/],
    [query('x-names: job, schema: { type: integer }'), 'parameters', /x-names is for the path/],
    [query('schema: { type: string, readOnly: true }'), 'readOnly: true }', /a program sends it/],
    [
      parameter('{ name: q, in: cookie, description: D., schema: { type: string } }'),
      'in:',
      /in: must be path or query or header/,
    ],
    [query('style: pipeDelimited, schema: { type: string }'), 'style', /leave it out/],
    [query('schema: { type: string, nullable: true }'), 'nullable', /is left out/],
    [query('schema: { type: integer, default: many }'), 'default', /does not fit its schema/],
    [
      parameter(
        '{ name: X-Q, in: header, description: D., schema: { type: string } }, { name: x_q, in: query, description: D., schema: { type: string } }',
      ),
      'parameters',
      /two inputs of the name x_q/,
    ],
    [optional('type: boolean, x-default: true'), 'a:', /a: has null or x-default when it is left out, not both/],
    [text('minLength: 0'), 'a:', /a: an optional text is never empty: write minLength: 1 with its type/],
    [
      component(
        'TagInput: { x-stored: tags, type: object, description: D., additionalProperties: false, properties: {} }\nTagPatch: { type: object, description: D., additionalProperties: false, minProperties: 1 }\nTag: { type: object, description: D., properties: {} }',
      ),
      'TagInput',
      /TagInput: add tag to the reasons of NotFoundError/,
    ],
    ...(['Approval', 'Path'] as const).map((name): [Edit, string, RegExp] => [
      component(
        `${name}Input: { x-stored: things, type: object, description: D., additionalProperties: false, properties: {} }\n${name}Patch: { type: object, description: D., additionalProperties: false, minProperties: 1 }\n${name}: { type: object, description: D., properties: {} }`,
      ),
      `${name}Input`,
      /is the reason of another refusal; write another name/,
    ]),
    [inPath('other', '/jobs/{other}'), 'get:', /get \/jobs\/\{\} is that of get \/jobs\/\{id\} too/],
  ],
  'a name of what is stored that the service or its database has': [
    ...[
      'name',
      'subscription',
      'verified',
      'auto_publish',
      'suspended_at',
      'environment',
      'job_status',
      'constructor',
    ].map((table): [Edit, string, RegExp] => [
      place('x-stored: places', `x-stored: ${table}`),
      'x-stored',
      new RegExp(`PlaceInput x-stored: the service has a ${table} itself; write another name$`),
    ]),
    ...['jobs_pkey', 'jobs_id_seq', 'users_email_key', 'jobs_newest_idx'].map((table): [Edit, string, RegExp] => [
      place('x-stored: places', `x-stored: ${table}`),
      'x-stored',
      /PlaceInput x-stored: (jobs|users)_\w+ names a part of the table (jobs|users) itself; write another name$/,
    ]),
    [
      place('x-stored: places', 'x-stored: pg_class'),
      'x-stored',
      /x-stored: names that begin with pg_ or citus_ are those of the database itself; write another name$/,
    ],
  ],
  'an operation of what is stored, which the service would not find': [
    [
      place(/ {4}delete: .*\n/, ''),
      '/places/{id}',
      /Place needs delete \/places\/\{id\}, too: pages and commands use all of post,/,
    ],
    [place(/ {4}get: \{ operationId: getPlace.*\n/, ''), '/places/{id}', /Place needs get \/places\/\{id\}/],
    [place('    post: {', '    put: {'), '/places:', /Place needs post \/places/],
    [
      place(/ {4}patch: .*\n/, ''),
      'PlaceInput:',
      /PlaceInput: needs a patch with the body .*PlacePatch", at a path such as \/places/,
    ],
    [place('x-names: place, ', ''), '{ name: id', /parameter id: write x-names: place, by which the service finds/],
    [
      before(edited('      x-names: job\n', ''), '$ref: "#/components/parameters/JobId"'),
      '$ref',
      /parameter id: write x-names: job/,
    ],
    [place('x-names: place', 'x-names: job'), 'x-names', /x-names: parameter id: write x-names: place/],
    [
      place('/schemas/PlaceInput" }', '/schemas/JobInput" }'),
      'schema: { $ref: "#/components/schemas/JobInput',
      /must be \$ref: "#\/components\/schemas\/PlaceInput"/,
    ],
    [
      place(/parameters: \[\{ \$ref: "#\/components\/parameters\/IdempotencyKey" \}\], /, ''),
      'post',
      /needs the header Idempotency-Key, with required: true/,
    ],
    [
      place(/"201": \{ descr.*?\} \} \} \}, /, ''),
      'responses',
      /post \/places responses: needs 201, which is its answer/,
    ],
    [
      place(/headers: \{ Location: .*? \} \}, /, ''),
      '"201"',
      /responses 201: needs the header Location, with required/,
    ],
    [
      place('required: [data, meta]', 'required: [data]'),
      'schema: { type: object, required: [data]',
      /get \/places .*schema: needs required: \[data, meta\]/,
    ],
    ...['maximum: 10', 'multipleOf: 10'].map((rule): [Edit, string, RegExp] => [
      place('format: int64, description', `format: int64, ${rule}, description`),
      `${rule}, description`,
      /Place.id \w+: the service does not keep it: leave it out/,
    ]),
    [
      place('format: int64, description', 'format: int32, description'),
      'format: int32, description',
      /must be format: int64/,
    ],
  ],
  'a refusal that an operation always may give': [
    ...['409', '410'].map((status): [Edit, string, RegExp] => [
      place(new RegExp(`, "${status}": \\{.*?\\}`), ''),
      'responses: {',
      new RegExp(
        `post /places responses ${status}: needs ${status} with the schema \\w+, which follows from its parameter Idem`,
      ),
    ]),
    [
      place(/(?<="204".*), "404": \{.*?\}/, ''),
      'responses: { "204"',
      /delete \/places\/\{id\} responses 404: needs 404 with the schema NotFoundError/,
    ],
    [place(/(?<="204".*), "412": \{.*?\}/, ''), 'responses: { "204"', /delete .* needs 412 with the schema Precond/],
    [
      place(/responses\/IdempotencyConflict/, 'responses/JobRemoved'),
      '"409"',
      /needs 409 with the schema ConflictError/,
    ],
    [
      parameter('{ name: If-None-Match, in: header, description: D., schema: { type: string } }'),
      'responses',
      /needs 304, which follows from its parameter If-None-Match/,
    ],
  ],
  'servers other than the sandbox, and then production': [
    [
      edited('url: http://127.0.0.1:3000/v1', 'url: http://127.0.0.1:3000/sandbox/v1'),
      'url:',
      /servers.1.url: must be that of \/v1: the sandbox is first/,
    ],
    [
      edited('url: http://127.0.0.1:3000/sandbox/v1', 'url: http://127.0.0.1:3000/v1'),
      'url:',
      /servers.0.url: must be that of \/sandbox\/v1: the sandbox is first/,
    ],
    [servers(second + first), 'url:', /servers.0.url: must be that of \/sandbox\/v1/],
    [servers(second), 'url:', /servers.0.url: must be that of \/sandbox\/v1/],
    [servers(first), 'servers', /servers: needs that of \/v1, too/],
    [
      servers(first + second + second.replace('3000', '3001')),
      'url: http://127.0.0.1:3001',
      /servers.2.url: leave it out/,
    ],
  ],
  'an idempotency key that the index of keys could not hold': [
    [
      place(
        '{ $ref: "#/components/parameters/IdempotencyKey" }',
        '{ name: Idempotency-Key, in: header, required: true, description: D., schema: { type: string, minLength: 1, maxLength: 3000 } }',
      ),
      'maxLength: 3000',
      /write maxLength, at most 255/,
    ],
    [
      before(
        edited(
          '        maxLength: 128\n        pattern: "^[A-Za-z0-9._:-]{1,128}$"\n        x-pattern',
          '        pattern: "^.+$"\n        x-pattern',
        ),
        '      schema:\n        type: string\n        minLength: 1\n        pattern: "^.+$"',
      ),
      'schema',
      /write maxLength, at most 255/,
    ],
  ],
};

describe('an edit that some layer could not support', () => {
  const [schema, functions, json] = ['prisma/schema.prisma', 'prisma/functions.sql', 'generated/openapi.json'].map(
    textOf,
  );

  for (const [kind, edits] of Object.entries(refused))
    it(`is refused at its line and column, with what to write instead: ${kind}`, async () => {
      for (const [{ text, at }, found, said] of sample(edits, 3)) {
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

it('what is stored has no name of a command, a page or a table of the service, with which its own would collide', async () => {
  const [schema, document] = [textOf('prisma/schema.prisma'), parseDocument(yaml).toJS()];
  // What is stored has its own.
  const tables = new Set(storedSchemasOf(document).flatMap(({ table, name }) => [table, nounOf(name)].map(camelCase)));
  const nouns = declarations.map(({ command }) => command.split(' ')[0] ?? '');
  const paths = dashboardPages.routes.map(({ path }) => path.split(/[/.]/)[1] ?? '');
  const own = (names: readonly string[]) =>
    new Set(names.filter((name) => name !== '' && !tables.has(camelCase(name))));
  const stored = (name: string, table: string) => {
    const schemas = { [`${name}Input`]: { 'x-stored': table, type: 'object', properties: {} } };
    return () => renderModels(schema, { ...document, components: { schemas } });
  };
  for (const noun of own(nouns))
    expect(stored(noun.charAt(0).toUpperCase() + noun.slice(1), 'things'), noun).to.throw(/itself; write another name/);
  for (const path of own(paths))
    expect(stored('Thing', path.replaceAll('-', '_')), path).to.throw(/itself; write another name/);
  // What a command prints beside a row or a list, the kind of an exported person, and the details of an audit entry.
  for (const name of ['Version', 'Person']) expect(stored(name, 'things'), name).to.throw(/itself; write another name/);
  const beside = 'page last_page total near next searched searched_from left_out_nodes keys days access fields';
  for (const name of beside.split(' ')) expect(stored('Thing', name), name).to.throw(/itself; write another name/);
  // What the database has of such a name, indexes, sequences and types included.
  const taken = await db().$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class
     WHERE relnamespace IN (current_schema()::regnamespace, 'pg_catalog'::regnamespace)
     UNION SELECT typname::text FROM pg_type WHERE typnamespace = current_schema()::regnamespace`;
  const possible = taken.filter(({ name }) => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && name.length <= 40);
  expect(possible).to.have.length.above(100);
  for (const { name } of possible) expect(stored('Thing', name), name).to.throw(/write (another name|JobInput)/);
  expect(stored('Order', 'order')()).to.include('  order Order[]');
  expect(stored('Thing', 'things')()).to.include('model Thing {');
  // Prisma exports no list of the models that its generator refuses, so this reads its source.
  const source = textOf('node_modules/prisma/build/cli.js');
  const words = [...source.matchAll(/\bmodels:(\["PrismaClient",[^\]]*\])/g)].flatMap(([, list = '[]']) =>
    JSON.parse(list),
  );
  expect(words).to.include('Prisma');
  for (const word of words.filter((one) => /^[A-Z]/.test(one)))
    expect(stored(word, 'things'), word).to.throw(/itself; write another name/);
});

/** An edit, and what the tools, the completed contract or the client then have. */
const followed: readonly (readonly [edit: Edit, file: string, has: RegExp])[] = [
  [operation(answer, '"204": { description: Done. }'), 'generated/mcp-tools.json', /"name": "list_tags"/],
  [
    operation(answer, '"204": { description: Done. }'),
    'generated/client.ts',
    /listTags\(call\?: CallOptions\): Call<void>/,
  ],
  [operation(mcp, 'false'), 'generated/client.ts', /listTags\(/],
  [operation('operationId: listTags', 'operationId: allJobs'), 'generated/client.ts', / _allJobs\(/],
  // A function for people has this name.
  [
    operation('operationId: listTags', 'operationId: resubmitJob'),
    'generated/operations.ts',
    /from '..\/src\/operations\/resubmit-job.ts'/,
  ],
  // Not every client reads these in the schema of a tool.
  [
    integer('multipleOf: 3'),
    'generated/mcp-tools.json',
    /"description": "D\. A multiple of 3\.",\s+"anyOf": \[\s+\{\s+"type": "integer",\s+"minimum": 0,\s+"maximum": 9\s+\}/,
  ],
  [
    optional('type: array, maxItems: 3, uniqueItems: true, items: { type: integer, minimum: 0, maximum: 9 }'),
    'generated/mcp-tools.json',
    /"description": "D\. No item twice\."/,
  ],
  // An optional text is never empty, and what is returned may get further properties.
  [
    field('a: { type: string, maxLength: 9, nullable: true, description: D. }'),
    'openapi.yaml',
    /\n {8}a:[\s\S]{0,200}?\bminLength: 1\b/,
  ],
  [text('format: uri-reference'), 'openapi.yaml', /\n {8}a:[\s\S]{0,200}?\bminLength: 1\b/],
  [
    object('properties: { city: { type: string, maxLength: 9 } }'),
    'openapi.yaml',
    /\n {8}a:\n {10}type: object\n {10}properties:\n {12}city:/,
  ],
  [
    query('schema: { type: integer, format: int32 }'),
    'generated/mcp-tools.json',
    /"q": \{\s+"description": "D\.",\s+"type": "integer",\s+"minimum": -2147483648,\s+"maximum": 2147483647\s+\}/,
  ],
  [text("pattern: '^[A-Z]{2}-[0-9]+$'"), 'generated/openapi.json', /"pattern": "\^\[A-Z/],
  ...[
    String.raw`^(?=[\w.+\-]{2})(?!-)(?:[^\s@&/]{1,9}?|\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/){1,2}$`,
    String.raw`^[\dA-ZÀ-Þ\u0100-\u017f^&-]\b[\[\]\x22\\]?\D\W\S\B(\n|\r|\t|\f|)$`,
  ].map((pattern): [Edit, string, RegExp] => [
    text(`pattern: '${pattern}'`),
    'generated/openapi.json',
    /"pattern": "\^[[(]/,
  ]),
  [
    operation(
      '{ data: { type: integer } } }, examples: { a: { value: { data: 1 } } }',
      '{ data: { type: array, items: { type: integer } } } }',
    ),
    'generated/mcp-tools.json',
    /"name": "list_tags"/,
  ],
  ...['>', '>-', '|', '|-'].map((style): [Edit, string, RegExp] => [
    operation('description: D.\n', `description: ${style}\n      A text\n      of lines.\n`),
    'openapi.yaml',
    /of lines\.\s+Needs the scope `jobs:read`\.\n/,
  ]),
  [query('deprecated: true, schema: { type: string }'), 'generated/mcp-tools.json', /"deprecated": true/],
  [
    field('a: { type: string, nullable: true, enum: ["yes", "010", null], description: "No" }'),
    'openapi.yaml',
    /as:\s+- "yes"\s+- "010"/,
  ],
  [
    field(
      String.raw`a: { type: string, nullable: true, enum: ["q", "=", "2020-01-01 10:00", "0O7", "-.5", "a?", "b\u00a0", "\u2028", "\ufeff", null], title: "a\tb", description: "D.\n\n" }`,
    ),
    'openapi.yaml',
    /as:\s+- q\s+- "="\s+- "2020-01-01 10:00"\s+- "0O7"\s+- "-\.5"\s+- a\?\s+- b\u00a0\s+- "\\u2028"\s+- "\\ufeff"\n/,
  ],
];

it('an edit in another style, or of a rarer kind, reaches what follows from it, and then there is nothing to do', async () => {
  const [schema, functions, json] = ['prisma/schema.prisma', 'prisma/functions.sql', 'generated/openapi.json'].map(
    textOf,
  );
  for (const [{ text, at }, file, has] of sample(followed, 4)) {
    const { texts } = await derive(text, schema ?? '', functions ?? '', json).catch((error) =>
      expect.fail(`${error.message}\n${text.slice(at, at + 300)}`),
    );
    const of = (name: string) => texts.get(name) ?? '';
    const again = await derive(
      of('openapi.yaml'),
      of('prisma/schema.prisma'),
      of('prisma/functions.sql'),
      of('generated/openapi.json'),
    );
    expect(again, text.slice(at, at + 300)).to.deep.equal({ texts, notes: [] });
    expect(
      texts.get(file)?.match(has) ?? texts.get(file)?.slice(at - 500, at + 1500),
      text.slice(at, at + 300),
    ).to.be.an('array');
  }
});

it('a derived part that somebody deletes is written again, and the output says so; without its source it stays deleted', async () => {
  const [schema = '', functions = '', json] = [
    'prisma/schema.prisma',
    'prisma/functions.sql',
    'generated/openapi.json',
  ].map(textOf);
  const without = (after: string, found: RegExp) => {
    const at = yaml.indexOf(after);
    expect(yaml.slice(at)).to.match(found);
    return yaml.slice(0, at) + yaml.slice(at).replace(found, '');
  };
  for (const [text, note] of [
    [without('\n    JobPatch:\n', / {8}requirements:\n(?: {10}.*\n)+/), 'JobPatch.requirements'],
    [without('  /account:\n', / {8}"429":\n.*\n/), 'get /account responses 429'],
    [without('  /account:\n', / {12}X-Request-Id:\n.*\n/), 'get /account responses 200 headers X-Request-Id'],
    [without('  /account:\n', / Needs the scope `jobs:read`\./), 'get /account description'],
  ] as const) {
    const { texts, notes } = await derive(text, schema, functions, json);
    expect(notes).to.deep.equal([`written again: ${note}`]);
    expect(JSON.parse(texts.get('generated/openapi.json') ?? '')).to.deep.equal(JSON.parse(json ?? ''));
  }
  const { notes } = await derive(
    without('\n    JobInput:\n', / {8}remote_policy:\n(?: {10}.*\n)+/),
    schema,
    functions,
    json,
  );
  expect(notes[0]).to.equal('field removed: remote_policy');
  expect(notes[1]).to.match(/^deleted from the example DeveloperInput: remote_policy: /);
  expect(notes).to.have.length(2);
});

it('an example of one resource gets no field of another, and the fields that are added to its own', async () => {
  const lead = ', lead: { type: string, maxLength: 9, nullable: true, description: D. }';
  const places = withResources('place, team', resource('Place'), resource('Team', lead)).replace(
    /^ {2}examples:\n/m,
    '  examples:\n    OnePlace: { value: { data: { id: 1, note: x } } }\n',
  );
  const [schema = '', functions = '', json] = [
    'prisma/schema.prisma',
    'prisma/functions.sql',
    'generated/openapi.json',
  ].map(textOf);
  const first = await derive(places, schema, functions, json);
  const again = async (from: typeof first, change = (text: string) => text) =>
    derive(
      change(from.texts.get('openapi.yaml') ?? ''),
      from.texts.get('prisma/schema.prisma') ?? '',
      from.texts.get('prisma/functions.sql') ?? '',
      from.texts.get('generated/openapi.json'),
    );
  const exampleIn = ({ texts }: typeof first): unknown =>
    JSON.parse(texts.get('generated/openapi.json') ?? '').components.examples.OnePlace.value.data;
  const second = await again(first);
  expect(exampleIn(second)).to.deep.equal({ id: 1, note: 'x' });
  const city = ', city: { type: string, maxLength: 9, nullable: true, description: D. }';
  const third = await again(second, (text) => text.replace(/(x-stored: places,[^}]*\})/, `$1${city}`));
  expect(exampleIn(third)).to.deep.equal({ id: 1, note: 'x', city: null });
  const added = first.notes.filter((note) => note.startsWith('field'));
  expect(added).to.deep.equal(['field added: places.note', 'field added: teams.note', 'field added: teams.lead']);
  const said = (found: RegExp, by: string) =>
    again(second, (text) => {
      expect(text).to.match(found);
      return text.replace(found, by);
    }).then(
      ({ notes }) => notes,
      ({ message }) => message,
    );
  const returned = /(\n {4}Place: [\s\S]*?properties: \{)/;
  expect(await said(returned, '$1 score: { type: integer },')).to.match(
    /^openapi.yaml:\d+:\d+ Place.score: no row has it: what is returned is id, created_at, updated_at and the fields of PlaceIn/,
  );
  expect(await said(/(\n {4}Place: [\s\S]*?id: \{ )type: integer, format: int64/, '$1type: string')).to.match(
    /^openapi.yaml:\d+:\d+ Place.id type: must be type: integer$/,
  );
  expect(await said(/x-stored: places/, 'x-stored: rooms')).to.match(
    /^openapi.yaml:\d+:\d+ PlaceInput x-stored: Place is in the table places: write places; to rename it, see "Remove a re/,
  );
  const renamed = again(second, (text) => text.replaceAll(/\bPlace(?=\b|Input|Patch|Response)/g, 'Room'));
  expect(await renamed.catch(({ message }) => message)).to.match(
    /^openapi.yaml:\d+:\d+ RoomInput: the table places is that of Place: write PlaceInput; to rename it, see "Remove a re/,
  );
  const removed = await again(second, () => yaml);
  expect(removed.notes.filter((note) => note.startsWith('field'))).to.deep.equal([]);
  expect(removed.notes).to.include(
    'the table places and the model Place of schema.prisma stay: see "Remove a resource" in src/contract/README.md',
  );
});

describe('any damage to the contract', () => {
  type Path = readonly (string | number)[];
  const pathsIn = (value: unknown, path: Path = []): Path[] =>
    typeof value !== 'object' || value === null
      ? [path]
      : [
          path,
          ...Object.entries(value).flatMap(([key, inner]) =>
            pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
          ),
        ];
  // Most of the text is examples.
  const whole = parseDocument(yaml);
  const paths = pathsIn(whole.toJS()).filter((path) => path.length > 0 && !path.includes('value'));
  const values = [undefined, null, [], {}, '', 'x', 0, -1, true, false, [null], [{}], { a: 1 }, ['x'], '$'];

  it('is accepted, or refused at a line: no other error leaves the generator', async () => {
    const [schema = '', functions = '', json] = [
      'prisma/schema.prisma',
      'prisma/functions.sql',
      'generated/openapi.json',
    ].map(textOf);
    const property = fc.asyncProperty(fc.constantFrom(...paths), fc.constantFrom(...values), async (path, value) => {
      const damaged = whole.clone();
      if (value === undefined) damaged.deleteIn(path);
      else damaged.setIn(path, value);
      const said: string = await derive(String(damaged), schema, functions, json).then(
        () => 'accepted',
        ({ message }) => message,
      );
      expect(said).to.match(/^(accepted$|openapi\.yaml:\d+:\d+ .*: .{5})/s);
    });
    await fc.assert(property, { numRuns: draws(2, 200), endOnFailure: true });
  });
});
