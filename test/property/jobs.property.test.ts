import { expect } from 'chai';
import fc from 'fast-check';
import { newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { shown, validJob } from './arbitrary-job.ts';
import { invalidValues } from './invalid-values.ts';

const oneInvalid = fc
  .constantFrom(...Object.keys(invalidValues))
  .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...(invalidValues[field] ?? []))));

const fieldsOf = (details: object): string[] => Object.keys(details).map((name) => name.replace(/\[.*/, ''));

describe('any job', () => {
  it('that is valid is returned as sent, and a patch changes only its own fields', async () => {
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

  it('with an invalid field is refused on create and patch, naming the field, and nothing changes', async () => {
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

  it('every invalid value of every field in the table is refused', async () => {
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
