import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/review-job.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { insertEvents } from '../helper/insert-events.ts';
import { freshKey } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';

const eventsOf = async (company: TestCompany, jobId: number): Promise<string[]> => {
  const where = { companyId: company.id, jobId: BigInt(jobId) };
  const events = await db().jobEvent.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ kind, status, actor }) => `${kind} ${status} ${actor}`);
};

const credentialOf = async ({ id: companyId }: TestCompany): Promise<string> =>
  `credential:${(await db().credential.findFirstOrThrow({ where: { companyId } })).id}`;

const newJob = async (environment: Environment, autoPublish = false) => {
  const acme = await newCompany({ autoPublish });
  const asWriter = await acme.writer(environment);
  const key = freshKey();
  const { id } = (await asWriter.create(minimalJob, key)).body.data;
  return { acme, asWriter, key, id, credential: await credentialOf(acme) };
};

const editsOf = ({ id: companyId }: TestCompany, jobId: number): Promise<number> =>
  db().jobEvent.count({ where: { companyId, jobId: BigInt(jobId), isEdit: true } });

/** A patch in the form in which it comes back. */
const shownAs = (patch: object) =>
  Object.fromEntries(
    Object.entries(patch).map(([field, value]) => [field, field.startsWith('salary_m') ? value.toFixed(2) : value]),
  );

/** So many edits, and a denial at every hundredth but the first. */
async function longHistory({ id: companyId }: TestCompany, jobId: number, edits: number): Promise<void> {
  const event = { companyId, environment: 'production', jobId: BigInt(jobId), createdAt: new Date(0) } as const;
  const data = Array.from({ length: edits }, (_, i) => [
    { ...event, kind: 'updated', status: 'pending', actor: `before ${i + 1}`, isEdit: true } as const,
    ...(i % 100 === 99 ? [{ ...event, kind: 'denied', status: 'denied', actor: 'operator' } as const] : []),
  ]).flat();
  await insertEvents(data);
  await db().job.updateMany({ where: { companyId, id: BigInt(jobId) }, data: { revision: edits } });
}

describe('the history of a job', () => {
  it('lists each change with the new status and its author; a replay and a repeated DELETE add nothing', async () => {
    const { acme, asWriter, key, id, credential } = await newJob('sandbox');
    expect((await asWriter.create(minimalJob, key)).status).to.equal(200);
    await asWriter.patch(id, { title: 'Mudado' });
    await asWriter.withdraw(id);
    await asWriter.withdraw(id);
    expect(await eventsOf(acme, id)).to.deep.equal([
      `created pending ${credential}`,
      `updated pending ${credential}`,
      `withdrawn inactive ${credential}`,
    ]);
  });

  it('has the review decisions, with their author', async () => {
    const { acme, asWriter, id, credential } = await newJob('production');
    const review = { companyId: acme.id, environment: 'production', jobId: BigInt(id) } as const;
    await denyJob(actionContext({ kind: 'administrator', id: 7n }), { ...review, reason: 'Sem salário.' });
    await asWriter.patch(id, { title: 'Com salário' });
    await approveJob(actionContext(), review);
    expect(await eventsOf(acme, id)).to.deep.equal([
      `created pending ${credential}`,
      'denied denied administrator:7',
      `updated pending ${credential}`,
      'approved active operator',
    ]);
  });

  it('a job published at once begins active; a refused request adds no event', async () => {
    const { acme, asWriter, id, credential } = await newJob('production', true);
    expect((await asWriter.patch(id, { title: '' })).status).to.equal(422);
    expect(await eventsOf(acme, id)).to.deep.equal([`created active ${credential}`]);
  });

  it('a PATCH that changes nothing writes nothing and answers 200 with the job', async () => {
    for (const [environment, autoPublish] of [
      ['sandbox', false],
      ['production', false],
      ['production', true],
    ] as const) {
      const { acme, asWriter } = await newJob(environment, autoPublish);
      const job = { ...fullJob(), salary_min: 1200.1, body: '<p>Um <b>bom</b> salário</p>' };
      const { id } = (await asWriter.create(job)).body.data;
      const before = await db().job.findFirstOrThrow({ where: { companyId: acme.id, id } });
      const shown = (await asWriter.get(`/jobs/${id}`)).body;
      const same = [
        job,
        { salary_min: 1200.1 },
        { body: '<p onclick="x()">Um <b>bom</b> salário</p><script></script>' },
      ];
      for (const patch of [
        ...same,
        { language_requirements: job.language_requirements, valid_until: job.valid_until },
      ]) {
        const answer = await asWriter.patch(id, patch);
        expect(answer.status, JSON.stringify(patch)).to.equal(200);
        expect(answer.body).to.deep.equal(shown);
      }
      expect(await db().job.findFirstOrThrow({ where: { companyId: acme.id, id } })).to.deep.equal(before);
      expect(await eventsOf(acme, id)).to.have.length(1);
    }
  });

  it('each field that differs is a change: null, another cent, other items', async () => {
    const { acme, asWriter } = await newJob('sandbox');
    const { id } = (await asWriter.create(fullJob())).body.data;
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
    for (const patch of patches) expect((await asWriter.patch(id, patch)).body.data).to.deep.include(shownAs(patch));
    expect(await eventsOf(acme, id)).to.have.length(1 + patches.length);
    expect((await db().job.findFirstOrThrow({ where: { companyId: acme.id, id } })).revision).to.equal(9);
  });

  it('a PATCH that changes only the status is a change', async () => {
    const { acme, asWriter, id, credential } = await newJob('production');
    const review = { companyId: acme.id, environment: 'production', jobId: BigInt(id) } as const;
    const { title } = minimalJob;
    await approveJob(actionContext(), review);
    expect((await asWriter.patch(id, { title })).body.data.status).to.equal('pending');
    await denyJob(actionContext(), { ...review, reason: 'Sem salário.' });
    expect((await asWriter.patch(id, { title })).body.data.status).to.equal('pending');
    expect(await eventsOf(acme, id)).to.deep.equal([
      `created pending ${credential}`,
      'approved active operator',
      `updated pending ${credential}`,
      'denied denied operator',
      `updated pending ${credential}`,
    ]);
    expect(await editsOf(acme, id)).to.equal(0);
  });

  it('a PATCH that changes nothing in an expired job writes nothing', async () => {
    const { acme, asWriter } = await newJob('production', true);
    const { id } = (await asWriter.create(minimalJob)).body.data;
    await db().job.updateMany({ where: { companyId: acme.id, id }, data: { validUntil: new Date('2020-01-01') } });
    expect((await asWriter.patch(id, { title: minimalJob.title })).body.data.status).to.equal('expired');
    expect(await eventsOf(acme, id)).to.have.length(1);
    await asWriter.patch(id, { title: 'Outro' });
    await asWriter.patch(id, { title: 'Mais outro' });
    expect((await eventsOf(acme, id)).slice(1).map((event) => event.split(' ')[1])).to.deep.equal([
      'expired',
      'expired',
    ]);
    // The first of them wrote down that the job has expired.
    expect(await editsOf(acme, id)).to.equal(1);
  });

  it('keeps the latest 200 edits, and every change of status', async () => {
    const { acme, asWriter, id } = await newJob('production');
    await longHistory(acme, id, 900);
    await asWriter.patch(id, { title: 'Mais um' });
    // A history from before shrinks by 500 with each edit.
    await asWriter.patch(id, { title: 'E mais um' });
    expect(await editsOf(acme, id)).to.equal(200);
    await asWriter.patch(id, { title: 'O último' });
    await asWriter.withdraw(id);
    const events = await eventsOf(acme, id);
    expect(events.filter((event) => !event.startsWith('updated'))).to.deep.equal([
      `created pending ${await credentialOf(acme)}`,
      ...Array(9).fill('denied denied operator'),
      `withdrawn inactive ${await credentialOf(acme)}`,
    ]);
    const kept = events.filter((event) => event.startsWith('updated'));
    expect(kept).to.have.length(200);
    expect(kept[0]).to.equal('updated pending before 704');
  });
});
