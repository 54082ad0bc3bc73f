import { expect } from 'chai';
import type { Actor } from '../../src/domain/actor.ts';
import { purgeJobs } from '../../src/operations/jobs/people/purge-jobs.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { approveJob, denyJob, resubmitJob, undoReview } from '../../src/operations/jobs/people/review-job.ts';
import {
  exportJobs,
  findJobs,
  searchAllJobs,
  searchJobs,
  searchQueue,
  showNextInQueue,
} from '../../src/operations/jobs/people/search-jobs.ts';
import { ofJob, showJob } from '../../src/operations/jobs/people/show-job.ts';
import { updateCompanyJob } from '../../src/operations/jobs/people/update-company-job.ts';
import { withdrawCompanyJob } from '../../src/operations/jobs/people/withdraw-company-job.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { expectRefused, refusalOf, saidOf } from '../helper/expect-refused.ts';
import { actionContext, administratorActor, databaseUrl, db, later, newCompany, newJob } from '../helper/fixtures.ts';
import { afterTheGate } from '../helper/gated-database.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, onServer } from '../helper/test-database.ts';

let administrator: Actor;
before(async () => {
  administrator = await administratorActor();
});
const as = (actor: Actor) => actionContext(actor);
const dayMs = 86_400_000;

let named = 0;
/** A word of letters that no other title or company has: an id is found in a title too. */
const word = (): string =>
  `Palavra${process.pid}x${++named}`.replaceAll(/\d/g, (digit) => 'qwertyuiop'.charAt(Number(digit)));

const environments = ['production', 'sandbox'] as const;

describe('a job as people see it', () => {
  it('has the names of what it refers to, its version and the reason of a denial', async () => {
    const { acme, ref, writer } = await newJob('production', { valid_until: inDays(5) });
    await writer.create(minimalJob);
    await denyJob(as(administrator), { ...ref, reason: 'Falta o salário.' });
    const shown = await showJob(as(administrator), ref);
    const { job, version } = shown;
    expect(job).to.include({ id: Number(ref.jobId), title: minimalJob.title, company_name: 'Oficina Exemplo' });
    expect(version).to.equal(`${job.updated_at}/denied`);
    expect(shown.tenant).to.deep.equal({ companyId: acme.id, environment: 'production' });
    expect(shown.denialReason).to.equal('Falta o salário.');
    const { parent, ...category } = await db().category.findUniqueOrThrow({
      where: { id: 303 },
      select: { id: true, name: true, parent: { select: { id: true, name: true } } },
    });
    expect(shown.category).to.deep.equal({ ...category, parent });
    const { name } = await db().district.findUniqueOrThrow({ where: { id: 13 } });
    expect(shown.district).to.deep.equal({ id: 13, name });
    expect(shown.company).to.deep.equal({ id: acme.id, name: 'Oficina Exemplo' });
    await db().job.updateMany({ where: { companyId: acme.id }, data: { categoryId: null, districtId: null } });
    expect(await showJob(as(administrator), ref)).to.include({ category: null, district: null });
    await expectRefused('unknown_job', () => showJob(as(administrator), { ...ref, environment: 'sandbox' }));
    const outside = { kind: 'user', id: 1n, companyId: acme.id, role: 'main' } as const;
    expect((await ofJob(as(outside), ref)).name).to.equal(minimalJob.title);
    expect(await ofJob(as(administrator), ref)).to.deep.include({
      name: `${minimalJob.title} (Oficina Exemplo)`,
      values: { status: 'denied', version: (await showJob(as(administrator), ref)).version },
    });
  });

  it('has a history that tells a review that was undone from a job that was sent again, and whose review is the latest', async () => {
    const { ref, writer, id } = await newJob();
    const other = await administratorActor();
    const history = async () => {
      const { events, isOwnReview } = await showJob(as(administrator), ref);
      return [events.map(({ kind, status }) => `${kind} ${status}`).slice(1), isOwnReview];
    };
    await approveJob(as(administrator), ref);
    expect(await history()).to.deep.equal([['approved active'], true]);
    await undoReview(as(administrator), ref);
    expect(await history()).to.deep.equal([['approved active', 'undone pending'], false]);
    await denyJob(as(other), { ...ref, reason: 'Não.' });
    const denied = ['approved active', 'undone pending', 'denied denied'];
    expect(await history()).to.deep.equal([denied, false]);
    await resubmitJob(as(administrator), ref);
    await updateCompanyJob(as({ kind: 'operator' }), { ...ref, patch: { title: 'Pintor' } });
    await writer.patch(id, { title: 'Pintora' });
    const since = ['resubmitted pending', 'updated pending', 'updated pending'];
    expect(await history()).to.deep.equal([[...denied, ...since], false]);
    const { events, names } = await showJob(as(administrator), ref);
    expect(events.at(-1)?.actor).to.match(/^credential:\d+$/);
    expect([...names.keys()]).to.include(events.at(-1)?.actor);
    expect(events.find(({ kind }) => kind === 'denied')?.reason).to.equal('Não.');
  });
});

// parity/idempotency.test.ts tests its key and its posting.
it('removeJob deletes one job and its history, and records the reason but none of its text', async () => {
  const { acme, id, ref, writer } = await newJob();
  const other = await newJob();
  const { id: second } = (await writer.create(minimalJob)).body.data;
  const { id: third } = (await (await acme.writer('sandbox')).create(minimalJob)).body.data;
  await removeJob(actionContext(), { ...ref, reason: 'A pedido.' });
  expect((await writer.get(`/jobs/${id}`)).status).to.equal(404);
  const left = async (companyId: bigint) =>
    (await db().job.findMany({ where: { companyId }, orderBy: { id: 'asc' } })).map((job) => Number(job.id));
  expect(await left(acme.id)).to.deep.equal([second, third].sort((a, b) => a - b));
  expect(await left(other.acme.id)).to.deep.equal([other.id]);
  const events = (companyId: bigint) => db().jobEvent.count({ where: { companyId } });
  expect([await events(acme.id), await events(other.acme.id)]).to.deep.equal([2, 1]);
  const details = { job_id: id, reason: 'A pedido.' };
  expect(await lastAudit(acme.id)).to.deep.include({ action: 'job.removed', details });
  await expectRefused('unknown_job', () => removeJob(actionContext(), ref));
});

describe('lists of jobs', () => {
  it('of one company are filtered by words or an id, status and time, and sorted', async () => {
    const acme = await newCompany({ autoPublish: true });
    const writer = await acme.writer('production');
    const make = async (title: string, fields: object = {}): Promise<number> =>
      (await writer.create({ ...minimalJob, title, ...fields })).body.data.id;
    const [a, b, c] = [
      await make('Zelador'),
      await make('Árbitro'),
      await make('Cozinheiro chefe', { valid_until: inDays(1) }),
    ];
    const sandbox: number = (await (await acme.writer('sandbox')).create(minimalJob)).body.data.id;
    await newJob();
    const list = (given: object = {}, ahead = 0) =>
      later(ahead, () => searchJobs(as(administrator), { companyId: acme.id, ...given }));
    const ids = async (given: object = {}, ahead = 0) => (await list(given, ahead)).items.map(({ id }) => id);
    expect(await ids()).to.deep.equal([c, b, a]);
    expect(await ids({ environment: 'sandbox' })).to.deep.equal([sandbox]);
    expect(await ids({ sort: 'oldest' })).to.deep.equal([a, b, c]);
    expect(await ids({ sort: 'title' })).to.deep.equal([b, c, a]);
    await writer.patch(a, { requirements: 'x' });
    expect(await ids({ sort: 'changed' })).to.deep.equal([a, c, b]);
    expect(await ids({ text: 'arbitro' })).to.deep.equal([b]);
    expect(await ids({ text: 'chefe COZINHEIRO' })).to.deep.equal([c]);
    expect(await ids({ text: '%' })).to.deep.equal([]);
    expect(await ids({ text: String(a) })).to.deep.equal([a]);
    expect(await ids({ status: 'active' })).to.deep.equal([c, b, a]);
    expect(await ids({ status: 'expired' }, 3 * dayMs)).to.deep.equal([c]);
    expect(await ids({ status: 'active', text: 'o' }, 3 * dayMs)).to.deep.equal([b, a]);
    expect(await ids({ from: `${inDays(1)}T00:00` })).to.deep.equal([]);
    expect(await ids({ to: `${inDays(-1)}T00:00`, sort: 'oldest' })).to.deep.equal([]);
    expect(await ids({ from: `${inDays(-1)}T00:00`, to: `${inDays(1)}T00:00` })).to.deep.equal([c, b, a]);
    const { items, total, lastPage, searched } = await list();
    expect([total, lastPage, searched]).to.deep.equal([3, 1, undefined]);
    expect(items[0]).to.deep.include({ title: 'Cozinheiro chefe', status: 'active', validUntil: inDays(1) });
    expect(items[0]?.district).to.be.a('string');
    expect(items[0]?.category).to.be.a('string');
    const { lines } = await exportJobs(as(administrator), { companyId: acme.id, text: 'arbitro' });
    let csv = '';
    for await (const line of lines) csv += String(line);
    expect(csv).to.include('Árbitro').and.not.include('Zelador');
  });

  it('of all companies are found by a title, the company, an id, a status and an environment', async () => {
    const [title, name] = [word(), word()];
    const acme = await newCompany({ name, autoPublish: true });
    const made = await Promise.all(
      environments.map(async (at) => (await acme.writer(at)).create({ ...minimalJob, title })),
    );
    const [production, sandbox] = made.map(({ body }): number => body.data.id);
    const other = await newJob('production', { title });
    const find = async (given: object) =>
      (await searchAllJobs(as(administrator), given)).items.map(({ id }) => id).sort((x, y) => x - y);
    const sorted = (...ids: (number | undefined)[]) => ids.map(Number).sort((x, y) => x - y);
    expect(await find({ text: title })).to.deep.equal(sorted(production, sandbox, other.id));
    expect(await find({ text: `${title} ${name}` })).to.deep.equal(sorted(production, sandbox));
    expect(await find({ text: name, environment: 'sandbox' })).to.deep.equal([sandbox]);
    expect(await find({ text: name, status: 'active' })).to.deep.equal([production]);
    expect(await find({ companyId: name })).to.deep.equal(sorted(production, sandbox));
    expect(await find({ companyId: String(acme.id), text: String(sandbox) })).to.deep.equal([sandbox]);
    for (const sort of ['newest', 'oldest', 'changed', 'title'] as const)
      expect(
        (await searchAllJobs(as(administrator), { text: name, sort })).items.map(({ environment: at }) => at),
      ).to.deep.equal(environments);
    const [first] = (await searchAllJobs(as(administrator), { text: name, sort: 'oldest' })).items;
    expect(first).to.deep.include({ companyId: acme.id, companyName: name, title });
    const titles = await findJobs(as(administrator), name, { byCompany: false });
    expect([titles.total, titles.items]).to.deep.equal([0, []]);
    expect((await findJobs(as(administrator), name, { byCompany: true })).total).to.equal(2);
  });

  it('that wait for review are production jobs only, oldest or newest first; the next one follows a job in that order', async () => {
    const [title, name] = [word(), word()];
    const acme = await newCompany({ name });
    const writer = await acme.writer('production');
    const refs: { jobId: bigint; companyId: bigint; environment: 'production' }[] = [];
    for (const suffix of ['a', 'b', 'c']) {
      const { id } = (await writer.create({ ...minimalJob, title: `${title} ${suffix}` })).body.data;
      refs.push({ jobId: BigInt(id), companyId: acme.id, environment: 'production' });
    }
    await (await acme.writer('sandbox')).create({ ...minimalJob, title });
    const ctx = as(administrator);
    const queue = async (given: object) => (await searchQueue(ctx, given)).items.map(({ jobId }) => jobId);
    const [a, b, c] = refs.map(({ jobId }) => jobId);
    expect(await queue({ text: title })).to.deep.equal([a, b, c]);
    expect(await queue({ text: name, sort: 'newest' })).to.deep.equal([c, b, a]);
    const [first] = (await searchQueue(ctx, { text: title })).items;
    expect(first).to.deep.include({ companyId: acme.id, companyName: name, title: `${title} a`, validUntil: null });
    expect([first?.category, first?.district]).to.not.include(null);
    const all = await searchQueue(ctx, {});
    expect(all.total).to.equal(await db().job.count({ where: { status: 'pending', environment: 'production' } }));
    const [reference] = refs;
    if (!reference) return expect.fail();
    const nextAfter = async (given: object) => {
      const { waiting, next } = await showNextInQueue(ctx, { ...reference, ...given });
      return [waiting, next?.jobId];
    };
    expect(await nextAfter({ text: title })).to.deep.equal([2, b]);
    expect(await nextAfter({ text: title, jobId: c })).to.deep.equal([0, undefined]);
    expect(await nextAfter({ text: title, jobId: c, sort: 'newest' })).to.deep.equal([2, b]);
    for (const text of [title, undefined])
      expect(await nextAfter({ text, to: '2026-01-01T00:00' })).to.deep.equal([0, undefined]);
    await approveJob(ctx, { ...reference, jobId: b ?? 0n });
    expect(await nextAfter({ text: title, jobId: b })).to.deep.equal([1, c]);
    const [waiting] = await nextAfter({ jobId: b });
    expect(waiting).to.be.at.least(1).and.at.most(all.total);
    await expectRefused('unknown_job', () => nextAfter({ jobId: 9_000_000_000_000n }));
  });
});

describe('a change by a person', () => {
  it('names what it leads to, and is recorded with the fields that it changes', async () => {
    const { ref } = await newJob('production', { valid_until: inDays(5) });
    await denyJob(as(administrator), { ...ref, reason: 'Não.' });
    const { version } = await showJob(as(administrator), ref);
    const operator = as({ kind: 'operator', name: 'ana' });
    const subject = await updateCompanyJob.subject?.(operator, ref);
    expect(subject?.name).to.equal(minimalJob.title);
    const { jobId: _, ...tenant } = ref;
    const shown = { status: 'denied', after: 'pending', denialReason: 'Não.', version: `${version}/pending` };
    const expected = { ...shown, ...tenant };
    expect(subject?.values).to.deep.include(expected);
    await expectRefused('changed', () =>
      updateCompanyJob(operator, { ...ref, version: `${version}x`, patch: { title: 'Pintor' } }),
    );
    const patch = { title: 'Pintor', salary_min: 900 };
    expect(await updateCompanyJob(operator, { ...ref, version, patch })).to.deep.equal({ ...ref, status: 'pending' });
    expect(await lastAudit(ref.companyId)).to.deep.include({
      action: 'job.updated',
      actor: 'operator:ana',
      details: { job_id: Number(ref.jobId), fields: ['title', 'salary_min'] },
    });
    const { events } = await showJob(as(administrator), ref);
    expect(events.at(-1)).to.include({ kind: 'updated', actor: 'operator:ana' });
    const rounded = { title: 'Pintora', salary_min: 900.000000001, body: `${minimalJob.body}<script>x</script>` };
    await updateCompanyJob(operator, { ...ref, patch: rounded });
    expect((await lastAudit(ref.companyId)).details).to.deep.equal({ job_id: Number(ref.jobId), fields: ['title'] });
    events.push(...(await showJob(as(administrator), ref)).events.slice(events.length));
    const { action } = await lastAudit(ref.companyId);
    await updateCompanyJob(operator, { ...ref, patch: { title: 'Pintora' } });
    expect((await showJob(as(administrator), ref)).events).to.have.length(events.length);
    expect((await lastAudit(ref.companyId)).action).to.equal(action);
  });

  it('is refused if auto-publish ends between its checks and its write, so that the job would go to review', async () => {
    const { ref, acme } = await newJob();
    await approveJob(as(administrator), ref);
    const publishes = (autoPublish: boolean) => db().company.update({ where: { id: acme.id }, data: { autoPublish } });
    await publishes(true);
    let isRead = false;
    const slow = afterTheGate(async (query, text) => {
      const found = await query();
      // After the company's access, the job is read; only then does the transaction begin, in which the embedded database has no other query.
      if (!isRead && /\bjobs\b/.test(text)) {
        isRead = true;
        await publishes(false);
      }
      return found;
    });
    const ctx = as({ kind: 'operator' });
    const { values } = await updateCompanyJob.subject(ctx, ref);
    const change = (version: unknown, title: string) =>
      updateCompanyJob({ ...ctx, db: slow }, { ...ref, version: String(version), patch: { title } });
    await expectRefused('changed', () => change(values?.version, 'Pintor'));
    const { version, job } = await showJob(ctx, ref);
    expect(job).to.include({ status: 'active', title: minimalJob.title });
    // The version of a job alone says nothing of the outcome.
    expect(await change(version, 'Pintor')).to.include({ status: 'pending' });
  });

  it('is refused by the names of its input, and like sending it again while production is closed', async () => {
    const { ref, acme } = await newJob();
    const change = (patch: object, given: object = {}) =>
      refusalOf(updateCompanyJob(as({ kind: 'operator' }), { ...ref, patch, ...given } as never));
    const empty = await change({});
    expect([empty.code, empty.faults]).to.deep.equal(['invalid_input', []]);
    const nul = 'must not contain the character NUL';
    expect(saidOf((await change({ title: '\0' })).faults)).to.deep.equal([['job.title', nul]]);
    const rules = await change({ salary_min: 2, salary_max: 1, title: 'a\0' });
    expect(saidOf(rules.faults)).to.deep.equal([
      ['job.title', nul],
      ['job.salary_max', 'must be at least salary_min, which is 2'],
    ]);
    const [[wrong] = []] = (await change({ contract_type: 'forever' })).faults;
    expect(wrong).to.equal('job.contract_type');
    await db().allowedDistrict.create({ data: { companyId: acme.id, districtId: 11 } });
    expect(saidOf((await change({ district_id: 12 })).faults)).to.deep.equal([
      ['job.district_id', 'This company may not publish in that district.'],
    ]);
    expect(await change({ title: 'x' }, { jobId: 9_000_000_000_000n })).to.include({ code: 'unknown_job' });
    await denyJob(as(administrator), { ...ref, reason: 'Não.' });
    await db().company.update({ where: { id: acme.id }, data: { suspendedAt: new Date() } });
    expect(await change({ title: 'x' })).to.include({ code: 'environment_closed' });
    await expectRefused('environment_closed', () => resubmitJob(as(administrator), ref));
  });
});

describe('what a person is told', () => {
  it('by a command: the job with its history, and what waits after it', async () => {
    const { ref } = await newJob();
    const { shown } = await showJob.answer(as(administrator), ref);
    expect(shown).to.include({ company_id: ref.companyId, environment: 'production', denial_reason: null });
    const [event] = shown.events as { kind: string; created_at: Date }[];
    expect(event?.kind).to.equal('created');
    expect(event?.created_at).to.be.an.instanceof(Date);
    const title = word();
    const nextCalled = () => showNextInQueue.answer(as(administrator), { ...ref, text: title });
    expect((await nextCalled()).shown).to.deep.equal({ total: 0, waiting: 0, company_id: null, job_id: null });
    const next = await newJob('production', { title });
    const { shown: found } = await nextCalled();
    expect(found).to.deep.include({ waiting: 1, company_id: next.ref.companyId, job_id: next.ref.jobId });
  });

  it('by a withdrawal: that a job is already withdrawn, before it is asked for', async () => {
    const { ref } = await newJob();
    const settled = async () => (await withdrawCompanyJob.subject?.(as(administrator), ref))?.settled;
    expect(await settled()).to.equal(undefined);
    await withdrawCompanyJob(actionContext(), ref);
    expect(await settled()).to.deep.equal({ text: 'The job is already withdrawn.' });
  });
});

describe('a purge of ended jobs', () => {
  it('deletes what was withdrawn, denied or expired before the day, of one company, and keeps keys, postings and the rest', async () => {
    const acme = await newCompany();
    const other = await newJob();
    const writer = await acme.writer('production');
    const places = ['before', 'after'] as const;
    const at = { before: new Date('2026-01-31T12:00:00Z'), after: new Date('2026-02-01T12:00:00Z') };
    for (const place of places)
      for (const change of [
        { status: 'inactive', updatedAt: at[place] },
        { status: 'denied', updatedAt: at[place] },
        { status: 'active', validUntil: at[place] },
        { status: 'pending', updatedAt: at[place] },
      ] as const) {
        const { body } = await writer.create({ ...minimalJob, title: `${change.status} ${place}` });
        await db().job.updateMany({ where: { companyId: acme.id, id: BigInt(body.data.id) }, data: change });
      }
    const operator = actionContext();
    await expectRefused('invalid_input', () => purgeJobs(operator, { endedBefore: inDays(1), companyId: acme.id }));
    const purge = () => purgeJobs(operator, { endedBefore: '2026-02-01', companyId: acme.id });
    expect([await purge(), await purge()]).to.deep.equal([{ jobs: 3 }, { jobs: 0 }]);
    const where = { companyId: acme.id };
    const left = await db().job.findMany({ where, select: { title: true, id: true } });
    expect(left.map(({ title }) => title).sort()).to.deep.equal(
      ['active after', 'denied after', 'inactive after', 'pending after', 'pending before'].sort(),
    );
    const events = await db().jobEvent.findMany({ where, select: { jobId: true } });
    expect(new Set(events.map(({ jobId }) => jobId))).to.deep.equal(new Set(left.map(({ id }) => id)));
    expect(await db().idempotencyKey.count({ where })).to.equal(8);
    expect((await writer.get('/account')).body.data.jobs.used).to.equal(8);
    expect(await lastAudit(acme.id)).to.include({ action: 'job.purged' });
    expect(await other.statusOf()).to.equal('pending');
  });

  it('goes on after a batch of which a job was changed meanwhile', async function () {
    const url = databaseUrl();
    if (!url || onCitus) this.skip();
    const { id: companyId } = await newCompany();
    await db().$executeRaw`
      INSERT INTO jobs (company_id, environment, status, created_at, updated_at, title, body, contact_instructions, application_method)
      SELECT ${companyId}, 'production', 'inactive', '2026-01-31', '2026-01-31', 'Vaga', 'texto', 'Aqui', 'system' FROM generate_series(1, 201)`;
    await onServer(url, async (client) => {
      await client.query('BEGIN');
      await client.query(
        `UPDATE jobs SET status = 'pending' WHERE id = (SELECT min(id) FROM jobs WHERE company_id = $1)`,
        [companyId],
      );
      const purged = purgeJobs(actionContext(), { endedBefore: '2026-02-01', companyId });
      const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
      while ((await client.query(waiting)).rowCount === 0);
      await client.query('COMMIT');
      expect(await purged).to.deep.equal({ jobs: 200 });
    });
  });
});
