import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { changesBetween, type Published } from '../../scripts/breaking-changes.ts';
import { released, sinceRelease, versionFaults } from '../../scripts/check-breaking.ts';
import { completeContract } from '../../scripts/generate/complete-contract.ts';
import { readDocument } from '../../scripts/generate/document.ts';
import { renderTools } from '../../scripts/generate/tools.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { sample } from '../helper/draws.ts';
import { ownFolder } from '../helper/own-folder.ts';

const yaml = (await readFile(join(packageRoot, 'openapi.yaml'), 'utf8')).replace(/\n+( {4}JobPatch:)/, '\n$1');
const last = readDocument(yaml);

/** The published texts after an edit, derived as by `npm run generate`. */
function published(text: string): Published {
  const contract = completeContract(readDocument(text), last);
  try {
    return { contract, tools: renderTools(contract) };
  } catch {
    // `npm run generate` refuses an operation that it cannot make a tool of; the contract by itself is still compared.
    return { contract, tools: renderTools(last) };
  }
}

const today = published(yaml);

type Edits = Readonly<Record<string, readonly [from: string | RegExp, to: string]>>;

const status = 'enum: [active, pending, inactive, expired]';
const field = (more = '') =>
  `        sort_key: { type: integer, minimum: 1, maximum: 99, nullable: true, description: A number.${more} }\n`;
const isShift = (rule: string) => `        is_shift: { type: boolean, ${rule}, description: A flag. }\n`;
const parameter = (more: string) =>
  `      parameters:\n        - { name: shift, in: query, description: A shift., schema: { type: string }, example: a${more} }\n`;
const header = (more: string) => parameter(more).replace('name: shift, in: query', 'name: X-Shift, in: header');
const ofAccount = '      parameters:\n';
const policy = '        remote_policy:\n';
const jobBody = '        description: The new job.\n        content:\n';
const paths = '\npaths:\n';
const health = `  /health:
    get: { operationId: getHealth, tags: [Account], summary: Health, description: Health., x-scope: jobs:read,
      x-mcp: { name: get_health, title: Health, description: D., readOnly: true, destructive: false, idempotent: true, openWorld: false },
      responses: { "200": { description: D., headers: {}, content: { application/json: { schema: { type: object } } } } } }
`;

const breaks: Edits = {
  'a shorter field': ['maxLength: 255', 'maxLength: 200'],
  'a longer field, which is also returned': ['maxLength: 255', 'maxLength: 300'],
  'a larger number that is only returned': [
    'maximum: 100\n          description: How many',
    'maximum: 200\n          description: How many',
  ],
  'a value that is no longer taken': [status, status.replace(', expired', '')],
  'a value that strict clients do not know': ['full_time, ', 'full_time, seasonal, '],
  'a path that is gone': ['  /regions:\n', '  /areas:\n'],
  'an operation that is renamed': ['operationId: listRegions', 'operationId: listAreas'],
  'another tag, which names classes of generated code': ['tags: [Account]', 'tags: [Company]'],
  'another scope': ['x-scope: reference:read', 'x-scope: jobs:write'],
  'a smaller page': ['maximum: 100\n        default: 25', 'maximum: 50\n        default: 25'],
  'another default': ['default: 25', 'default: 50'],
  'a header no longer sent': ['            ETag:\n              $ref: "#/components/headers/ETag"\n', ''],
  'a tool that is renamed': ['name: list_regions', 'name: list_areas'],
  'a tool that writes': ['readOnly: true', 'readOnly: false'],
  'a tool that is gone': ['      x-mcp:\n        name: get_account\n', '      x-label:\n        name: get_account\n'],
  'an argument that tools lose': ['    IfMatch:\n', '    IfMatch:\n      x-mcp: false\n'],
  'a field that another one requires': [policy, `${policy}          x-required-when: { application_method: email }\n`],
  'a new field that a known one requires': [
    '    JobPatch:\n',
    `${field().replace('nullable', 'x-required-when: { application_method: system }, nullable')}    JobPatch:\n`,
  ],
  'a new field that the default of another new one requires': [
    '    JobPatch:\n',
    `${isShift('x-default: true')}${field().replace('nullable', 'x-required-when: { is_shift: true }, nullable')}    JobPatch:\n`,
  ],
  'a field that is required for another value': [
    'x-required-when: { application_method: phone }',
    'x-required-when: { application_method: email }',
  ],
  'fewer bytes': ['x-max-bytes: 65535', 'x-max-bytes: 60000'],
  'a bound in bytes': [policy, `${policy}          x-max-bytes: 6000\n`],
  'fewer decimals': ['x-decimals: 2', 'x-decimals: 1'],
  'only https': [policy, `${policy}          x-https: true\n`],
  'something to read': [policy, `${policy}          x-visible: true\n`],
  'a pattern': [policy, `${policy}          pattern: a\n`],
  'a format': [policy, `${policy}          format: email\n`],
  'sanitized HTML': [policy, `${policy}          x-html: true\n`],
  'at least another field': [
    '          x-decimals: 2\n',
    '          x-decimals: 2\n          x-at-least: salary_max\n',
  ],
  'another default of new jobs': ['x-default: false', 'x-default: true'],
  'more properties at least': ['minProperties: 1', 'minProperties: 2'],
  'a returned field that may be null': [
    '          description: How many requests a',
    '          nullable: true\n          description: How many requests a',
  ],
  'a number instead of an integer': [
    'type: integer\n          minimum: 0\n          maximum: 50',
    'type: number\n          x-decimals: 1\n          minimum: 0\n          maximum: 50',
  ],
  'another address': ['3000/sandbox/v1', '3000/test/v1'],
  'another address that is the first': ['servers:\n', 'servers:\n  - url: http://127.0.0.1:3000/v1\n'],
  'no security': ['security:\n  - bearer: []\n', 'security: []\n'],
  'security of one operation': [
    '      operationId: getAccount\n',
    '      operationId: getAccount\n      security: []\n',
  ],
  'another scheme of credentials': ['scheme: bearer', 'scheme: basic'],
  'another media type of a body': [
    `${jobBody}          application/json:`,
    `${jobBody}          application/merge-patch+json:`,
  ],
  'another media type of a response': [
    '          description: The account.\n          content:\n            application/json:',
    '          description: The account.\n          content:\n            application/hal+json:',
  ],
  'a new required header': [ofAccount, header(', required: true')],
  'a new required parameter': [ofAccount, parameter(', required: true')],
  'a parameter that is gone': ['        - $ref: "#/components/parameters/Page"\n', ''],
  'a parameter in another style': [
    'in: query\n      description: Only jobs in',
    'in: query\n      explode: false\n      description: Only jobs in',
  ],
  'a required field': ['district_id, application_method]', 'district_id, application_method, salary_type]'],
  'a body for an operation that had none': [
    ofAccount,
    `      requestBody: { required: true, description: D., content: { application/json: { schema: { type: object } } } }\n${ofAccount}`,
  ],
  'a status of a success': [
    '      responses:\n        "200":\n          description: The account.',
    '      responses:\n        "202": { description: Later., headers: {} }\n        "200":\n          description: The account.',
  ],
  'a status that is gone': ['    "413": PayloadTooLarge\n', ''],
  'a returned field that may be missing': ['required: [data, meta]', 'required: [data]'],
  'a returned field that is gone': ['        access_type:\n', '        access:\n'],
  'a schema that is renamed, which names types of generated code': [/(?<=\/schemas\/|^ {4})Region\b(?="|:$)/gm, 'Area'],
  'an extension that nobody has thought of': [policy, `${policy}          x-shouting: true\n`],
  'a keyword that nobody has thought of': [policy, `${policy}          readOnly: true\n`],
};

const additions: Edits = {
  'a longer idempotency key': ['maxLength: 128', 'maxLength: 200'],
  'a larger page': ['maximum: 100\n        default: 25', 'maximum: 200\n        default: 25'],
  'one more value of a parameter': [status, status.replace(']', ', denied]')],
  'a parameter without a pattern': [
    '        maxLength: 6500\n        pattern:',
    '        maxLength: 6500\n        example:',
  ],
  'one more reason': ['enum: [database, sanitizer,', 'enum: [tide, database, sanitizer,'],
  'a scope of an operation that is new': [
    '"reference:read", "jobs:write"]',
    '"reference:read", "jobs:write", "x:read"]',
  ],
  'one more field': ['    JobPatch:\n', `${field()}    JobPatch:\n`],
  'two more fields, of which one requires the other': [
    '    JobPatch:\n',
    `${isShift('nullable: true')}${field().replace('nullable', 'x-required-when: { is_shift: true }, nullable')}    JobPatch:\n`,
  ],
  'one more field of the account': [
    '        access_type:\n',
    '        level: { type: string, description: D. }\n        access_type:\n',
  ],
  'a returned field that is never null any more': [
    'type: string\n          nullable: true\n          description: The name of',
    'type: string\n          description: The name of',
  ],
  'a header that is no longer required': ['in: header\n      required: true', 'in: header\n      required: false'],
  'a field that no other requires': ['          x-required-when: { application_method: phone }\n', ''],
  'a field that is deprecated': [policy, `${policy}          deprecated: true\n`],
  'a parameter that is deprecated': [
    '      description: Only jobs in',
    '      deprecated: true\n      description: Only jobs in',
  ],
  'an operation that is deprecated': [
    '      operationId: getAccount\n',
    '      operationId: getAccount\n      deprecated: true\n',
  ],
  'an operation and its tool': [paths, paths + health],
  'an optional parameter': [ofAccount, parameter('')],
  'an optional header': [ofAccount, header('')],
  'a refusal of its own': [
    '        "304":\n',
    '        "404": { $ref: "#/components/responses/JobNotFound" }\n        "304":\n',
  ],
  'one more header of a response': [
    '            Location:\n',
    '            X-Shift: { description: D., schema: { type: string } }\n            Location:\n',
  ],
  'one more media type that is taken': [jobBody, `${jobBody}          text/json: { schema: { type: object } }\n`],
};

const harmless: Edits = {
  nothing: ['', ''],
  'another summary': ['summary: List the categories', 'summary: All categories'],
  'another description of a field': ['          description: Years required.', '          description: Years.'],
  'another description of a tool': ['Lists all regions: the', 'All regions: the'],
  'another label': ['x-label: Last day', 'x-label: Until'],
  'another example': ['example: 48213', 'example: 48214'],
  'another description of a server': ['description: Production. Needs', 'description: Needs'],
  'the values in another order': [status, 'enum: [pending, active, inactive, expired]'],
  'a smallest length of nothing': ['          maxItems: 50\n', '          maxItems: 50\n          minItems: 0\n'],
  'a returned field that is no longer marked as such': ['is_active:\n          readOnly: true\n', 'is_active:\n'],
  'a component that nothing uses': ['  schemas:\n', '  schemas:\n    Shift: { type: string }\n'],
};

describe('how an edit of the contract affects clients, before and after `npm run generate`', () => {
  for (const [found, edits] of Object.entries({ breaking: breaks, added: additions, nothing: harmless }))
    for (const [name, [from, to]] of sample(Object.entries(edits), 8))
      it(`${found === 'nothing' ? 'they do not notice' : found}: ${name}`, () => {
        const edited = yaml.replace(from, () => to);
        if (name !== 'nothing') expect(edited).not.to.equal(yaml);
        const { breaking, added } = changesBetween(today, published(edited));
        expect(
          breaking.length > 0 ? 'breaking' : added.length > 0 ? 'added' : 'nothing',
          [...breaking, ...added].join('\n'),
        ).to.equal(found);
      });

  it('one line says what differs, and where', () => {
    const phone = /(?<= {8}contact_phone:\n(?: {10}.*\n)*? {10}maxLength: )20(?=\n)/;
    const { breaking } = changesBetween(today, published(yaml.replace(phone, '10')));
    expect(breaking).to.deep.equal([
      'requestBody.contact_phone.maxLength: 20 -> 10 (POST /jobs, PATCH /jobs/{id})',
      'job.contact_phone.maxLength: 20 -> 10 (create_job, update_job)',
    ]);
  });

  it('the check reads the edited contract, not the output of an earlier run', async () => {
    const root = ownFolder();
    for (const name of ['generated', 'prisma']) await symlink(join(packageRoot, name), join(root, name));
    await writeFile(join(root, 'openapi.yaml'), yaml.replace('name: list_regions', 'name: list_areas'));
    const { changes } = await sinceRelease(root);
    expect(changes.breaking.map((line) => line.slice(0, 18))).to.deep.equal(['tools.list_regions']);
    await writeFile(join(root, 'openapi.yaml'), yaml.replace('operationId: listRegions', 'operationId: [listRegions]'));
    const refused = await sinceRelease(root).catch((error: Error) => error);
    expect(refused)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/^openapi\.yaml:\d+:\d+ /);
  });

  it('the tools are compared with the released ones, whatever generates them', () => {
    const { contract, tools } = released();
    const now = { contract, tools: tools.replace('"per_page": {', '"page_size": {') };
    expect(changesBetween({ contract, tools }, now).breaking.join()).to.match(/^per_page: .* -> none \(list_jobs\)$/);
  });
});

it('a break needs a greater major version, an addition a greater minor one, and both need an entry with text in CHANGELOG', () => {
  const log = '# Changes\n\n## 2.0.0\n\n## 1.10.0\n\nA field.\n\n## 1.9.0\n\nThe first.\n';
  const [breaks, adds, none] = [
    { breaking: ['x'], added: ['y'] },
    { breaking: [], added: ['y'] },
    { breaking: [], added: [] },
  ];
  for (const [changes, now, ...faults] of [
    [breaks, '0.9.0', 'at least 2.0.0, not 0.9.0', '"## 0.9.0"'],
    [breaks, '1.10.0', 'at least 2.0.0, not 1.10.0'],
    [breaks, '2.0.0', '"## 2.0.0"'],
    [breaks, 'next', 'at least 2.0.0, not next', '"## next"'],
    [adds, '1.9.0', 'at least 1.10.0, not 1.9.0'],
    [adds, '1.9.1', 'at least 1.10.0, not 1.9.1', '"## 1.9.1"'],
    [adds, '1.10.0'],
    [adds, '3.0.0', '"## 3.0.0"'],
    [none, '1.9.0'],
    [none, '1.8.9', 'at least 1.9.0, not 1.8.9'],
  ] as const) {
    const found = versionFaults('1.9.0', now, changes, log);
    expect(found.length, found.join()).to.equal(faults.length);
    for (const [at, fault] of faults.entries()) expect(found[at]).to.include(fault);
  }
  expect(versionFaults('1.9.0', '2.0.0', breaks, log.replace('## 2.0.0\n', '## 2.0.0\n\nNew.\n'))).to.deep.equal([]);
});
