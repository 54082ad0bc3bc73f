import { expect } from 'chai';
import fc from 'fast-check';
import { draws } from '../helper/draws.ts';
import { newCompany } from '../helper/fixtures.ts';
import { shown, validJob } from './arbitrary-job.ts';

it('any valid job is returned as sent, and a patch changes only its own fields', async () => {
  const isKept = fc.asyncProperty(validJob, validJob, fc.nat(), async (job, other, pick) => {
    const asWriter = await (await newCompany()).writer();
    const created = await asWriter.create(job);
    expect(created.status, created.text).to.equal(201);
    expect(created.body.data).to.deep.include(shown(job));
    const names = Object.keys(other).filter((name) => !name.startsWith('salary_m'));
    const name = names[pick % names.length] as keyof typeof other;
    const patched = await asWriter.patch(created.body.data.id, { [name]: other[name] });
    expect(patched.status, patched.text).to.equal(200);
    const { updated_at } = patched.body.data;
    const changed = { ...created.body.data, ...shown({ [name]: other[name] }), updated_at };
    expect(patched.body.data).to.deep.equal(changed);
  });
  await fc.assert(isKept, { numRuns: draws(10, 60) });
});
