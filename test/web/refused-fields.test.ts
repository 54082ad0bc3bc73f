import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import * as z from 'zod';
import { operationOf } from '../../src/contract/document.ts';
import { fieldErrorOf } from '../../src/contract/field-errors.ts';
import { withFormats } from '../../src/contract/formats.ts';
import { contractErrors, nullKey } from '../../src/contract/validate.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { crossFieldErrors, suppliedFieldErrors } from '../../src/domain/field-rules.ts';
import type { FieldError } from '../../src/domain/message.ts';
import { declarations } from '../../src/operations/declarations.ts';
import { assertPlace } from '../../src/operations/jobs/check-job.ts';
import { jobRules } from '../../src/operations/jobs/job.ts';
import { checkInput, choice, fieldsOf } from '../../src/operations/kit/fields.ts';
import { faultTexts } from '../../src/web/form.ts';
import { forPeople, textForPeople } from '../../src/web/texts/for-people.ts';
import { i18n, languages } from '../../src/web/texts/language.ts';
import { inputOf, secret, wrong } from '../helper/declared-inputs.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { actionContext } from '../helper/fixtures.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { invalidValues } from '../property/invalid-values.ts';

const faultsIn = (act: () => unknown): readonly FieldError[] => {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.faults;
  }
};

/** Values that are wrong for any field of a job. */
const anyWrong = [secret, 'null', '', null, 'x\0', '\ud800', 1e300, 2 ** 31, 0.001, { a: '\0' }, ['x\0'], ['null']];

function ofContract(): FieldError[] {
  const request = { operationId: 'createJob', path: {}, query: {}, header: { 'Idempotency-Key': 'k' } } as const;
  const bodies: object[] = [{}, Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x${n}`, 1])), { titl: 'x' }];
  for (const field of jobRules.keys())
    for (const value of [...anyWrong, ...(invalidValues[field] ?? [])]) bodies.push({ ...minimalJob, [field]: value });
  const rounded = contractErrors({ operationId: 'getJob', path: { id: 2 ** 53 }, query: {}, header: {} });
  return [...bodies.flatMap((body) => contractErrors({ ...request, body })), ...rounded];
}

/** Of keywords that only an edited contract has. */
function ofEditedContract(): FieldError[] {
  const fields = {
    few: { minItems: 2 },
    one: { minItems: 1 },
    unique: { uniqueItems: true },
    step: { multipleOf: 5 },
    code: { pattern: '^[A-Z]+$', minLength: 2 },
    when: { format: 'date-time' },
    hour: { format: 'time' },
    mark: { format: 'uuid' },
    page: { format: 'uri' },
    other: { format: 'other' },
    level: { properties: { name: { type: 'string' } }, additionalProperties: false, minProperties: 3 },
    none: { minProperties: 1 },
  };
  const ajv = withFormats(new Ajv({ allErrors: true, verbose: true, strict: false, formats: { other: /\d/ } }));
  const validate = ajv.compile({ properties: { requestBody: { properties: fields } } });
  const texts = { code: 'a', when: 'x', hour: 'x', mark: 'x', page: 'x', other: 'x' };
  const lists = { few: [1], one: [], unique: [1, 1] };
  validate({ requestBody: { ...texts, ...lists, step: 7, level: { name: 7, title: 'x' }, none: {} } });
  return (validate.errors ?? []).map((error) => fieldErrorOf(error, operationOf('createJob')));
}

function ofRules(): FieldError[] {
  const values = (field: string) => [...anyWrong, ...(invalidValues[field] ?? [])];
  const single = [...jobRules.keys()].flatMap((field) =>
    values(field).flatMap((value) => suppliedFieldErrors(jobRules, { [field]: value }, inDays(0))),
  );
  const salaries = { salary_min: 1500, salary_max: 1200 };
  const between = ['email', 'phone', 'external'].flatMap((method) =>
    crossFieldErrors(jobRules, { application_method: method, ...salaries }, salaries),
  );
  const decimal = { kind: 'decimal', label: 'Pay', required: false, nullable: true } as const;
  const edited = [0, 1].flatMap((decimals) =>
    suppliedFieldErrors(new Map([['pay', { ...decimal, decimals }]]), { pay: 0.25 }, inDays(0)),
  );
  const places = (['category', 'area', 'district', 'elsewhere'] as const).flatMap((one) =>
    faultsIn(() => assertPlace([one])),
  );
  return [...single, ...edited, ...between, ...crossFieldErrors(jobRules, salaries, { salary_min: 1500 }), ...places];
}

async function ofHtml(): Promise<FieldError[]> {
  const { sanitizer } = actionContext();
  const bodies = ['', '<p></p>', '&lt;p&gt;a&lt;/p&gt;&lt;p&gt;b&lt;/p&gt;', 'x'.repeat(30_001), '&'.repeat(29_000)];
  const large = ['ç'.repeat(32_768), `a${'<b>x</b>'.repeat(2501)}`, '<b><table>'.repeat(2000)];
  const refused = [...bodies, ...large].map(async (html) => (await refusalOf(sanitizer.sanitize(1n, html))).faults);
  return (await Promise.all(refused)).flat();
}

const ofInputs = (): FieldError[] =>
  declarations.flatMap((operation) =>
    fieldsOf(operation.input).flatMap(({ name, kind }) =>
      [...wrong[kind], [undefined]].flatMap(([value]) =>
        faultsIn(() => checkInput(operation.input, { ...inputOf(operation), [name]: value })),
      ),
    ),
  );

describe('a refused field on a page', () => {
  const catalogue: object = i18n.getResourceBundle('pt-PT', 'translation');
  let ofJobs: FieldError[];
  let drawn: FieldError[];
  before(async () => {
    const found = [...ofContract(), ...ofEditedContract(), ...ofRules(), ...(await ofHtml())];
    ofJobs = found.map(([field, ...fault]) => [`job.${field}`, ...fault]);
    drawn = [...ofJobs, ...ofInputs()];
  });

  it('is a sentence about the field in English, with its values', () => {
    for (const fault of drawn) {
      const [field] = fault;
      const said = faultTexts([fault], languages.en.t)[field] ?? '';
      expect(said, JSON.stringify(fault)).to.match(/^(\P{Ll}.* must|Type) .*[.]$/su);
      if (!JSON.stringify(fault[1].params ?? {}).includes('{{')) expect(said).to.not.include('{{');
    }
  });

  it('that is a choice must be given, if nothing was chosen', () => {
    const input = z.object({ role: choice(['main', 'sub']) });
    const said = (given: object) =>
      faultsIn(() => checkInput(input, given)).map((fault) => faultTexts([fault], languages.en.t));
    for (const given of [{}, { role: '' }, { role: undefined }])
      expect(said(given)).to.deep.equal([{ role: 'Role must be given.' }]);
    expect(said({ role: 'x' })).to.deep.equal([{ role: 'Role must be one of main, sub.' }]);
  });

  it('of another type than the contract’s says what its control takes', () => {
    const request = { operationId: 'createJob', path: {}, query: {}, header: { 'Idempotency-Key': 'k' } } as const;
    for (const [name, value, said] of [
      ['salary_negotiable', null, 'must be one of the choices'],
      ['salary_min', 'x', 'must be a number'],
      ['district_id', 'x', 'must be a whole number'],
      ['title', null, 'must be given'],
    ] as const) {
      const faults = contractErrors({ ...request, body: { ...minimalJob, [name]: value } });
      const texts = faultTexts(
        faults.map(([field, ...fault]) => [`job.${field}`, ...fault]),
        languages.en.t,
      );
      expect(texts[`job.${name}`]).to.match(new RegExp(`^[^.]* ${said}[.]$`));
    }
  });

  it('is a sentence in Portuguese, with its values', () => {
    const missing = new Set<string>();
    for (const fault of drawn) {
      const [field, { text, params = {} }] = fault;
      const key = textForPeople(fault[1]);
      if (!(key in catalogue)) missing.add(key);
      const said = faultTexts([fault], languages.pt.t)[field] ?? '';
      if (!JSON.stringify(params).includes('{{')) expect(said, text).to.not.include('{{');
    }
    expect([...missing]).to.deep.equal([]);
  });

  it('is drawn here with every message of the contract and of the rules, and each text for people is of one of them', () => {
    const texts = new Set(drawn.map(([, { text }]) => text));
    const files = ['contract/field-errors', 'contract/validate', 'domain/field-rules', 'domain/https-address'];
    const written = [...files, 'sanitizer/sanitizer', 'operations/jobs/check-job'].flatMap((file) =>
      [...readFileSync(join(packageRoot, `src/${file}.ts`), 'utf8').matchAll(/text(?: =|:) '([^']+)'/g)].map(
        ([, text = '']) => text,
      ),
    );
    expect(written).to.have.length.at.least(30);
    // A sanitizer's worker cannot be made to fail on purpose, and no page has an idempotency key.
    const other = ['must be HTML that can be parsed', nullKey.text];
    const undrawn = written.filter((text) => !(texts.has(text) || other.includes(text)));
    expect(undrawn).to.deep.equal([]);
    const elsewhere = 'This company may not publish in that district.';
    expect(Object.keys(forPeople).filter((text) => !texts.has(text) && text !== elsewhere)).to.deep.equal([]);
  });
});
