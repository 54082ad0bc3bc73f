import { expect } from 'chai';
import fc from 'fast-check';
import { inDays, minimalJob } from '../helper/job.ts';
import { newCompany } from '../helper/world.ts';
import { shown, validJob } from './arbitrary-job.ts';

const wrongType: unknown[] = [true, 7, 1.5, [], {}, ['x']];
const text = (max: number) => ['x'.repeat(max + 1), 'a\0b', 'a\ud800b', ...wrongType];
const days = ['2026-02-30', '2026-13-01', inDays(0), inDays(-1), `${inDays(5)}T00:00:00Z`, 'amanhã', '', 7, true];
const enumerated = ['', 'other', 'FULL_TIME', 0, true, []];
const list = [...Array(3).fill('x'), {}, 7, [7], [null], Array(51).fill('x'), ['x'.repeat(501)], ['a\0b']];

/** Values that a field never accepts, by the limits of section 2. */
const invalidValues: Readonly<Record<string, readonly unknown[]>> = {
  title: [null, '', ' \u200b\n', ...text(255)],
  body: [null, '', ' ', '<p></p>', '<script>x</script>', '&nbsp;', 'é'.repeat(32_768), ...text(30_000)],
  contact_instructions: [null, '', '\t', ...text(10_000)],
  category_id: [null, 0, -1, 1.5, 1, 22, 999_999, 2 ** 31, 2 ** 53, 1e300, '101', true, []],
  district_id: [null, 0, -1, 1.5, 21, 2 ** 31, '1', {}],
  application_method: [null, '', 'fax', 7, []],
  contact_email: ['', 'nobody', 'a@', 'a b@example.com', `${'a'.repeat(250)}@example.com`, 7, []],
  contact_phone: ['1'.repeat(21), 7, [], 'a\0'],
  external_application_url: [
    '',
    'http://example.com',
    'javascript:alert(1)',
    'https://',
    'https://user:secret@example.com/',
    '//example.com',
    `https://example.com/${'a'.repeat(2048)}`,
    7,
  ],
  requirements: text(10_000),
  salary_benefits: text(5000),
  remote_policy: text(5000),
  valid_until: days,
  salary_min: [-1, -0.01, 100_000_000, 99_999_999.999, 0.001, 1e300, '1', true, []],
  salary_max: [-1, 100_000_000, 99_999_999.999, '1', {}],
  salary_negotiable: [null, 'true', 0, 1, []],
  salary_type: enumerated,
  experience_years: [-1, 51, 1.5, '1', true],
  education_details: list,
  professional_requirements: list,
  language_requirements: list,
  contract_type: enumerated,
  work_modality: enumerated,
  education_level: enumerated,
};

const oneInvalid = fc
  .constantFrom(...Object.keys(invalidValues))
  .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...(invalidValues[field] ?? []))));

const fieldsOf = (details: object): string[] => Object.keys(details).map((name) => name.replace(/\[.*/, ''));

describe('any job', () => {
  it('that is valid comes back as it was sent, and a patch of part of it changes that part only', async () => {
    await fc.assert(
      fc.asyncProperty(validJob, validJob, fc.nat(), async (job, other, pick) => {
        const asWriter = await (await newCompany()).writer('sandbox');
        const created = await asWriter.create(job);
        expect(created.status, created.text).to.equal(201);
        expect(created.body.data).to.deep.include(shown(job));
        const names = Object.keys(other).filter((name) => !name.startsWith('salary_m'));
        const name = names[pick % names.length] as keyof typeof other;
        const patched = await asWriter.patch(created.body.data.id, { [name]: other[name] });
        expect(patched.status, patched.text).to.equal(200);
        const { updated_at } = patched.body.data;
        expect(patched.body.data).to.deep.equal({
          ...created.body.data,
          ...shown({ [name]: other[name] }),
          updated_at,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('with an invalid field is refused naming that field, on create and on patch, and nothing changes', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const before = (await asWriter.create(minimalJob)).body.data;
    await fc.assert(
      fc.asyncProperty(oneInvalid, async ([field, value]) => {
        const created = await asWriter.create({ ...minimalJob, [field]: value });
        expect(created.status, created.text).to.equal(422);
        expect(fieldsOf(created.body.error.details)).to.include(field);
        const patched = await asWriter.patch(before.id, { [field]: value });
        expect(patched.status, patched.text).to.equal(422);
        expect(fieldsOf(patched.body.error.details)).to.include(field);
      }),
      { numRuns: 300 },
    );
    expect((await asWriter.get(`/jobs/${before.id}`)).body.data).to.deep.equal(before);
    expect((await asWriter.get('/jobs')).body.meta.total).to.equal(1);
  });

  it('every invalid value of every field is refused (the table, once through)', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    for (const [field, values] of Object.entries(invalidValues)) {
      for (const value of values) {
        const { status, body, text: answer } = await asWriter.create({ ...minimalJob, [field]: value });
        expect(status, `${field}: ${JSON.stringify(value)?.slice(0, 60)} ${answer}`).to.equal(422);
        expect(fieldsOf(body.error.details), field).to.include(field);
      }
    }
  });
});
