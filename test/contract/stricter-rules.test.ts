import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dereference, type JsonObject, objectAt, operationsOf } from '../../scripts/generate/document.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { newCompany } from '../helper/fixtures.ts';
import { fullJob } from '../helper/sample-jobs.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** The rules that the requirements state for what a client sends. A field that is not nullable is `not null`. */
const required: Readonly<Record<string, readonly string[]>> = {
  title: ['type string', 'maxLength 255', 'not null'],
  body: ['type string', 'maxLength 30000', 'x-max-bytes 65535', 'x-html true', 'not null'],
  contact_instructions: ['type string', 'maxLength 10000', 'not null'],
  category_id: ['type integer', 'minimum 1', 'x-references "categories"'],
  district_id: ['type integer', 'minimum 1', 'x-references "districts"'],
  application_method: ['type string', 'enum ["system","email","phone","external"]', 'not null'],
  contact_email: ['type string', 'format email', 'maxLength 255', 'x-required-when {"application_method":"email"}'],
  contact_phone: ['type string', 'maxLength 20', 'x-required-when {"application_method":"phone"}'],
  external_application_url: [
    'type string',
    'format uri',
    'maxLength 2048',
    'x-https true',
    'x-required-when {"application_method":"external"}',
  ],
  requirements: ['type string', 'maxLength 10000'],
  salary_benefits: ['type string', 'maxLength 5000'],
  remote_policy: ['type string', 'maxLength 5000'],
  valid_until: ['type string', 'format date', 'x-future true'],
  salary_min: ['type number', 'minimum 0', 'maximum 99999999.99'],
  salary_max: ['type number', 'minimum 0', 'maximum 99999999.99', 'x-at-least "salary_min"'],
  salary_negotiable: ['type boolean', 'not null'],
  salary_type: ['type string', 'enum ["hourly","monthly","yearly","negotiable","not_specified"]'],
  experience_years: ['type integer', 'minimum 0', 'maximum 50'],
  ...Object.fromEntries(
    ['education_details', 'professional_requirements', 'language_requirements'].flatMap((name) => [
      [name, ['type array', 'maxItems 50']],
      [`${name}[]`, ['type string', 'maxLength 500', 'not null']],
    ]),
  ),
  contract_type: ['type string', 'enum ["full_time","part_time","contract","temporary","internship","freelance"]'],
  work_modality: ['type string', 'enum ["presencial","remoto","hibrido"]'],
  education_level: [
    'type string',
    'enum ["sem_requisitos","ensino_basico","ensino_secundario","ensino_profissional","curso_tecnologico","licenciatura","pos_graduacao","mestrado","doutoramento","outro"]',
  ],
  'a new job': [
    'type object',
    'additionalProperties false',
    'required ["title","body","contact_instructions","category_id","district_id","application_method"]',
  ],
  'a change of a job': ['type object', 'additionalProperties false', 'minProperties 1'],
  page: ['type integer', 'minimum 1', 'default 1'],
  per_page: ['type integer', 'minimum 1', 'maximum 100', 'default 25'],
  status: ['type string', 'enum ["active","pending","inactive","expired"]'],
  id: ['type integer', 'required'],
  'Idempotency-Key': ['type string', 'pattern ^[A-Za-z0-9._:-]{1,128}$', 'minLength 1', 'maxLength 128', 'required'],
};

/** The rules that are stricter on purpose. */
const stricter: Readonly<Record<string, readonly string[]>> = {
  title: ['x-visible true', 'pattern \\S', 'minLength 1'],
  body: ['minLength 1'],
  contact_instructions: ['x-visible true', 'pattern \\S', 'minLength 1'],
  // They may be null in a job that was stored without them; a client has to name them.
  category_id: ['format int32', 'maximum 2147483647', 'not null'],
  district_id: ['format int32', 'maximum 2147483647', 'not null'],
  contact_phone: ['pattern [0-9]'],
  // An optional text is absent or null, never empty.
  requirements: ['minLength 1'],
  salary_benefits: ['minLength 1'],
  remote_policy: ['minLength 1'],
  external_application_url: ['pattern ^[Hh][Tt][Tt][Pp][Ss]://'],
  salary_min: ['x-decimals 2'],
  salary_max: ['x-decimals 2'],
  page: ['maximum 1000000000'],
  id: ['format int64', 'minimum 1'],
};

/** Keywords that say something about a value, and refuse none. */
const annotations = /^(description|example|nullable|x-(stored|label|returned-.*|default|pattern-message|mcp))$/;

function rulesOf(schema: Schema): string[] {
  const { properties: _, items: __, ...rules } = schema;
  const shown = (value: unknown) =>
    JSON.stringify(Array.isArray(value) ? value.filter((one) => one !== null) : value).replaceAll('\\\\', '\\');
  const words = (name: string, value: unknown) =>
    typeof value === 'string' && !name.startsWith('x-') ? `${name} ${value}` : `${name} ${shown(value)}`;
  return Object.entries(rules).flatMap(([name, value]) => (annotations.test(name) ? [] : [words(name, value)]));
}

const fieldRules = (schema: Schema): string[] => [...rulesOf(schema), ...(schema.nullable ? [] : ['not null'])];

/** Each rule of the contract for what a client sends, by the name of the value. */
function rulesOfContract(): Map<string, readonly string[]> {
  const published: JsonObject = JSON.parse(readFileSync(join(packageRoot, 'generated/openapi.json'), 'utf8'));
  const document = dereference(published);
  const { JobInput, JobPatch } = objectAt(document, 'components', 'schemas') as Record<string, Schema>;
  const fields = Object.entries(JobInput?.properties as Record<string, Schema>).flatMap(([name, schema]) => [
    [name, fieldRules(schema)] as const,
    ...(schema.items ? [[`${name}[]`, fieldRules(schema.items as Schema)] as const] : []),
  ]);
  const parameters = operationsOf(document)
    .flatMap((operation) => operation.parameters as unknown as readonly Parameter[])
    .map(({ name, required, schema }) => [name, [...rulesOf(schema), ...(required ? ['required'] : [])]] as const);
  return new Map([
    ...fields,
    ['a new job', rulesOf(JobInput ?? {})],
    ['a change of a job', rulesOf(JobPatch ?? {})],
    ...parameters,
  ]);
}

const without = (rules: readonly string[], others: readonly string[] = []) =>
  rules.filter((one) => !others.includes(one));

describe('what a client sends', () => {
  it('has every rule of the requirements, and beyond them only those of the list of stricter ones', () => {
    const contract = rulesOfContract();
    const further = [...contract].flatMap(([name, rules]) => {
      // A parameter that the requirements do not know refuses nobody who does not send it.
      const beyond = required[name] ? without(rules, required[name]) : rules.filter((rule) => rule === 'required');
      return beyond.length > 0 ? [[name, beyond.toSorted()]] : [];
    });
    const listed = Object.entries(stricter).map(([name, rules]) => [name, rules.toSorted()]);
    expect(Object.fromEntries(further), 'stricter than the requirements').to.deep.equal(Object.fromEntries(listed));
    for (const [name, rules] of Object.entries(required))
      expect(without(rules, contract.get(name)), `${name}: lost`).to.deep.equal([]);
  });

  const secret = `vaga_test_1_${'0'.repeat(56)}`;
  for (const [field, value, message] of [
    ['contact_phone', 'ext.', /digit/],
    ['salary_min', 1200.505, /two decimal/],
    ['external_application_url', 'https://someone@example.com/', /user name/],
    ['external_application_url', 'https:///example.com', /https/],
    ['contact_email', '"a b"@example.com', /email|e-mail|address/],
    ['contact_email', 'joão@example.com', /email|e-mail|address/],
    ['title', ' ', /visible/],
    ['title', '\u0000', /NUL|character/],
    ['requirements', '', /leave it out|null/],
    ['requirements', 'null', /null/],
    ['requirements', secret, /secret|credential/],
    ['body', '&lt;p&gt;Obras&lt;/p&gt;', /escaped/],
  ] as const)
    it(`beyond schemas, ${field} ${JSON.stringify(value)} is refused`, async () => {
      const answer = await (await (await newCompany()).writer()).create({ ...fullJob(), [field]: value });
      expect(answer.status).to.equal(422);
      expect(String(answer.body.error.details[field])).to.match(message);
    });
});
