import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/review-job.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { insertEvents } from '../helper/insert-events.ts';
import { freshKey } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';
import { shown } from '../property/arbitrary-job.ts';

/** A new job with its company's credential, and how its history and its row are read. */
async function newJob(environment: Environment, { autoPublish = false, job = minimalJob as object } = {}) {
  const acme = await newCompany({ autoPublish });
  const asWriter = await acme.writer(environment);
  const key = freshKey();
  const { body } = await asWriter.create(job, key);
  const id: number = body.data.id;
  const where = { companyId: acme.id, jobId: BigInt(id) };
  const { id: credentialId } = await db().credential.findFirstOrThrow({ where: { companyId: acme.id } });
  const events = async (): Promise<string[]> => {
    const found = await db().jobEvent.findMany({ where, orderBy: { id: 'asc' } });
    return found.map(({ kind, status, actor }) =>
      `${kind} ${status} ${actor}`.replace(`credential:${credentialId}`, 'us'),
    );
  };
  const row = () => db().job.findFirstOrThrow({ where: { companyId: acme.id, id } });
  return { acme, asWriter, key, id, events, row, ref: { ...where, environment } };
}

describe('the history of a job', () => {
  it('lists each change with the new status and its author; a refusal, a replay and a repeated DELETE add nothing', async () => {
    const { asWriter, key, id, events } = await newJob('sandbox');
    expect((await asWriter.create(minimalJob, key)).status).to.equal(200);
    expect((await asWriter.patch(id, { title: '' })).status).to.equal(422);
    await asWriter.patch(id, { title: 'Mudado' });
    await asWriter.withdraw(id);
    await asWriter.withdraw(id);
    expect(await events()).to.deep.equal(['created pending us', 'updated pending us', 'withdrawn inactive us']);
    expect(await (await newJob('production', { autoPublish: true })).events()).to.deep.equal(['created active us']);
  });

  it('has the review decisions with their author, and a PATCH that changes only the status', async () => {
    const { asWriter, id, ref, events } = await newJob('production');
    const same = { title: minimalJob.title };
    await denyJob(actionContext({ kind: 'administrator', id: 7n }), { ...ref, reason: 'Sem salário.' });
    expect((await asWriter.patch(id, same)).body.data.status).to.equal('pending');
    await approveJob(actionContext(), ref);
    expect((await asWriter.patch(id, same)).body.data.status).to.equal('pending');
    expect(await events()).to.deep.equal([
      'created pending us',
      'denied denied administrator:7',
      'updated pending us',
      'approved active operator',
      'updated pending us',
    ]);
  });

  it('a PATCH that changes nothing writes nothing and answers 200 with the job', async () => {
    for (const [environment, autoPublish] of [
      ['sandbox', false],
      ['production', false],
      ['production', true],
    ] as const) {
      const job = { ...fullJob(), salary_min: 1200.1, body: '<p>Um <b>bom</b> salário</p>' };
      const { asWriter, id, events, row } = await newJob(environment, { autoPublish, job });
      const before = await row();
      const whole = (await asWriter.get(`/jobs/${id}`)).body;
      for (const patch of [
        job,
        { salary_min: 1200.1 },
        { body: '<p onclick="x()">Um <b>bom</b> salário</p><script></script>' },
        { language_requirements: job.language_requirements, valid_until: job.valid_until },
      ]) {
        const { status, body } = await asWriter.patch(id, patch);
        expect([status, body], JSON.stringify(patch)).to.deep.equal([200, whole]);
      }
      expect(await row()).to.deep.equal(before);
      expect(await events()).to.have.length(1);
    }
  });

  it('each field that differs is a change: null, another cent, other items', async () => {
    const { asWriter, id, events } = await newJob('sandbox', { job: fullJob() });
    const patches = [
      { requirements: null },
      { salary_min: 1200.51 },
      { language_requirements: ['Português', 'Inglês'] },
      { language_requirements: ['Inglês', 'Português'] },
      { language_requirements: [] },
      { language_requirements: null },
      { salary_negotiable: false },
      { experience_years: 0 },
    ];
    for (const patch of patches) expect((await asWriter.patch(id, patch)).body.data).to.deep.include(shown(patch));
    expect(await events()).to.have.length(1 + patches.length);
  });

  it('a PATCH that changes nothing in an expired job writes nothing', async () => {
    const { acme, asWriter, id, events } = await newJob('production', { autoPublish: true });
    await db().job.updateMany({ where: { companyId: acme.id, id }, data: { validUntil: new Date('2020-01-01') } });
    expect((await asWriter.patch(id, { title: minimalJob.title })).body.data.status).to.equal('expired');
    expect(await events()).to.have.length(1);
    for (const title of ['Outro', 'Mais outro']) await asWriter.patch(id, { title });
    expect((await events()).slice(1)).to.deep.equal(['updated expired us', 'updated expired us']);
  });

  it('keeps the latest 200 edits, and every change of status', async () => {
    const { acme, asWriter, id, ref, events } = await newJob('production');
    const event = { ...ref, createdAt: new Date(0) };
    /** 900 edits, and a denial at every hundredth. */
    const history = times(900, (n) => [
      { ...event, kind: 'updated', status: 'pending', actor: `before ${n + 1}`, isEdit: true } as const,
      ...(n % 100 === 99 ? [{ ...event, kind: 'denied', status: 'denied', actor: 'operator' } as const] : []),
    ]);
    await insertEvents(history.flat());
    await db().job.updateMany({ where: { companyId: acme.id, id: BigInt(id) }, data: { revision: 900 } });
    // A history from before shrinks by 500 with each edit.
    for (const title of ['Mais um', 'E mais um']) await asWriter.patch(id, { title });
    expect((await events()).filter((event) => event.startsWith('updated'))).to.have.length(200);
    await asWriter.patch(id, { title: 'O último' });
    await asWriter.withdraw(id);
    const found = await events();
    const denials = Array(9).fill('denied denied operator');
    const others = found.filter((event) => !event.startsWith('updated'));
    expect(others).to.deep.equal(['created pending us', ...denials, 'withdrawn inactive us']);
    const kept = found.filter((event) => event.startsWith('updated'));
    expect([kept.length, kept[0]]).to.deep.equal([200, 'updated pending before 704']);
  });

  it('ends with its job, which is removed or reset', async () => {
    const { ref, events } = await newJob('production');
    await removeJob(actionContext(), ref);
    expect(await events()).to.deep.equal([]);
    const sandbox = await newJob('sandbox');
    await resetSandbox(actionContext(), { companyId: sandbox.acme.id });
    expect(await sandbox.events()).to.deep.equal([]);
  });
});
