import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { resetSandbox } from '../../src/operations/companies/people/reset-sandbox.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { actionContext, administratorActor, db, newJob } from '../helper/fixtures.ts';
import { insertEvents } from '../helper/insert-events.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';
import { shown } from '../property/arbitrary-job.ts';

/** A new job, and a function that reads its history. */
async function newHistory(environment: Environment, fields: object = {}) {
  const { writer: asWriter, ...own } = await newJob(environment, fields);
  const { companyId, jobId } = own.ref;
  const { id: credentialId } = await db().credential.findFirstOrThrow({ where: { companyId } });
  const events = async (): Promise<string[]> => {
    const found = await db().jobEvent.findMany({ where: { companyId, jobId }, orderBy: { id: 'asc' } });
    return found.map(({ kind, status, actor }) =>
      `${kind} ${status} ${actor}`.replace(`credential:${credentialId}`, 'us'),
    );
  };
  return { ...own, asWriter, events };
}

describe('the history of a job', () => {
  it('lists each change with the new status and its author, even if only the status changes', async () => {
    const { asWriter, id, ref, events } = await newHistory('production');
    const administrator = await administratorActor();
    await denyJob(actionContext(administrator), { ...ref, reason: 'Sem salário.' });
    await asWriter.patch(id, { title: minimalJob.title });
    await approveJob(actionContext(), ref);
    await asWriter.patch(id, { title: 'Outro' });
    await approveJob(actionContext(), ref);
    await db().job.updateMany({ where: { companyId: ref.companyId }, data: { validUntil: new Date('2020-01-01') } });
    await asWriter.patch(id, { title: 'Mudado' });
    await asWriter.withdraw(id);
    expect(await events()).to.deep.equal([
      'created pending us',
      `denied denied administrator:${administrator.id}`,
      'updated pending us',
      'approved active operator',
      'updated pending us',
      'approved active operator',
      'updated expired us',
      'withdrawn inactive us',
    ]);
  });

  it('has every simultaneous change of different fields, and all are kept', async () => {
    const { asWriter, id, events } = await newHistory('production');
    const patches = [{ title: 'Novo' }, { requirements: 'R' }, { remote_policy: 'P' }, { experience_years: 3 }];
    const answers = await Promise.all(patches.map((patch) => asWriter.patch(id, patch)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect((await asWriter.get(`/jobs/${id}`)).body.data).to.include(Object.assign({}, ...patches));
    expect(await events()).to.have.length(1 + patches.length);
  });

  it('has exactly one of several simultaneous changes and withdrawals with the same ETag', async () => {
    for (let round = 0; round < 5; round++) {
      const { asWriter, id, events } = await newHistory('sandbox');
      const { etag = '' } = (await asWriter.get(`/jobs/${id}`)).headers;
      const changes = [{ title: 'Um' }, { requirements: 'Dois' }, { experience_years: 3 }, { title: 'Um' }, undefined];
      // Each kind is sent first in some round.
      const sent = [...changes.slice(round), ...changes.slice(0, round)];
      const send = (fields: object | undefined) =>
        asWriter.send(fields ? 'PATCH' : 'DELETE', `/jobs/${id}`, fields, { 'If-Match': etag });
      const statuses = (await Promise.all(sent.map(send))).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 412)).to.have.length(1);
      expect(await events()).to.have.length(2);
    }
  });

  it('every difference is a change: null, another cent, other items', async () => {
    const { asWriter, id, events } = await newHistory('sandbox', fullJob());
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

  it('keeps the latest 200 edits, and every change of status', async () => {
    const { acme, asWriter, id, ref, events } = await newHistory('production');
    const event = { ...ref, createdAt: new Date(0) };
    /** 900 edits, with a denial at every hundredth. */
    const history = times(900, (n) => [
      { ...event, kind: 'updated', status: 'pending', actor: `before ${n + 1}`, isEdit: true } as const,
      ...(n % 100 === 99 ? [{ ...event, kind: 'denied', status: 'denied', actor: 'operator' } as const] : []),
    ]);
    await insertEvents(history.flat());
    await db().job.updateMany({ where: { companyId: acme.id, id: BigInt(id) }, data: { revision: 900 } });
    // A longer history from an earlier version shrinks by 500 with each edit.
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

  it('ends when its job is removed or reset', async () => {
    const { ref, events } = await newHistory('production');
    await removeJob(actionContext(), ref);
    expect(await events()).to.deep.equal([]);
    const sandbox = await newHistory('sandbox');
    await resetSandbox(actionContext(), { companyId: sandbox.acme.id });
    expect(await sandbox.events()).to.deep.equal([]);
  });
});
