import { expect } from 'chai';
import { approveCompany, suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { listCompanies } from '../../src/operations/companies/list-companies.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { endSubscription } from '../../src/operations/companies/set-subscription.ts';
import { showCompany } from '../../src/operations/companies/show-company.ts';
import { listCredentials } from '../../src/operations/credentials/list-credentials.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { searchJobs, searchQueue } from '../../src/operations/jobs/search-jobs.ts';
import { showJob } from '../../src/operations/jobs/show-job.ts';
import { showWaiting } from '../../src/operations/jobs/show-waiting.ts';
import { createUser } from '../../src/operations/people/create-account.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, clock, db, newCompany } from '../helper/fixtures.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';

type Question = Omit<Parameters<typeof listCompanies>[1], 'page'>;

/** The ids that a search finds on its first page. */
async function found(question: Question): Promise<bigint[]> {
  const { items } = await listCompanies(actionContext(), { page: 1, ...question });
  return items.map(({ id }) => id);
}

describe('listCompanies', () => {
  it('finds part of a name ignoring case and accents, an id, and a person by the e-mail address', async () => {
    const acme = await newCompany({ name: 'Padaria São João 100% & Filhos_' });
    const other = await newCompany({ name: 'Padaria Nova' });
    for (const text of ['sao joão', ' SÃO JOAO', '100%', 'filhos_', `${acme.id}`])
      expect(await found({ text }))
        .to.include(acme.id)
        .and.not.include(other.id);
    const email = `dona-${acme.id}@example.com`;
    const person = { companyId: acme.id, email, role: 'main', password: 'uma frase que é longa' } as const;
    await createUser(actionContext(), person);
    expect(await found({ text: email.toUpperCase() })).to.deep.equal([acme.id]);
    for (const text of ["'; DROP TABLE companies; --", '9'.repeat(40), '\\', 'ninguém@example.com'])
      expect(await found({ text })).to.deep.equal([]);
  });

  it('filters by state; waiting companies only lack approval', async () => {
    const name = `Estado ${Date.now()}`;
    const companies = {
      waiting: await newCompany({ name, plan: 'Pro', approved: false }),
      granted: await newCompany({ name, plan: null, approved: false }),
      planless: await newCompany({ name, plan: 'Base', approved: false }),
      approved: await newCompany({ name }),
      suspended: await newCompany({ name, approved: false }),
      unverified: await newCompany({ name, verified: false }),
    };
    await grantComplimentary(actionContext(), { companyId: companies.granted.id, limit: 3 });
    await suspendCompany(actionContext(), { companyId: companies.suspended.id });
    const { waiting, granted, approved, suspended, unverified } = companies;
    expect(await found({ text: name, state: 'waiting' })).to.deep.equal([granted.id, waiting.id]);
    expect(await found({ text: name, state: 'approved' })).to.deep.equal([unverified.id, approved.id]);
    expect(await found({ text: name, state: 'suspended' })).to.deep.equal([suspended.id]);
    expect(await found({ text: name, state: 'unverified' })).to.deep.equal([unverified.id]);
    expect(await found({ text: name, plan: 'complimentary' })).to.deep.equal([granted.id]);
    const before = (await showWaiting(actionContext())).companies;
    await approveCompany(actionContext(), { companyId: waiting.id });
    expect((await showWaiting(actionContext())).companies).to.equal(before - 1);
  });

  it('filters by the current plan; an ended subscription does not count', async () => {
    const name = `Plano ${Date.now()}`;
    const [pro, ended] = [await newCompany({ name, plan: 'Pro' }), await newCompany({ name, plan: 'Pro' })];
    await endSubscription(actionContext(), { companyId: ended.id });
    const plan = await db().plan.findUniqueOrThrow({ where: { name: 'Pro' } });
    expect(await found({ text: name, plan: plan.id })).to.deep.equal([pro.id]);
    expect(await found({ text: name, plan: 'none' })).to.deep.equal([ended.id]);
  });

  it('lists pages of 25, newest first, with the total; a page past the last is empty', async () => {
    const name = `Página ${Date.now()}`;
    for (let i = 0; i < 26; i++) await newCompany({ name });
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map((page) => listCompanies(actionContext(), { page, text: name })),
    );
    const ids = [...(first?.items ?? []), ...(second?.items ?? [])].map(({ id }) => id);
    expect(ids).to.have.length(26);
    expect(ids).to.deep.equal([...ids].sort((a, b) => Number(b - a)));
    expect(first).to.include({ total: 26, lastPage: 2 });
    expect(third?.items).to.deep.equal([]);
  });
});

describe('showCompany', () => {
  it('returns everything that an administrator decides, and never a secret', async () => {
    const acme = await newCompany({ plan: 'Pro', autoPublish: true });
    const asWriter = await acme.writer('production');
    await asWriter.create({ ...minimalJob, valid_until: '2099-01-01' });
    await setDistricts(actionContext(), { companyId: acme.id, districts: [13, 11] });
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: 7 });
    const company = await showCompany(actionContext(), { companyId: acme.id });
    expect(company).to.include({ id: acme.id, verified: true, autoPublish: true, suspendedAt: null });
    expect(company.subscription).to.include({ inForce: true, endsAt: null });
    expect(company.subscription?.plan.name).to.equal('Pro');
    expect(company.grant).to.include({ monthlyLimit: 7, expiresOn: null, inForce: true });
    expect(company.districts.map(({ id }) => id)).to.deep.equal([11, 13]);
    expect(company.jobs).to.deep.equal([{ environment: 'production', status: 'active', jobs: 1 }]);
    const { valid } = await listCredentials(actionContext(), { companyId: acme.id });
    expect(valid).to.have.length(1);
    expect(valid[0]).to.not.have.any.keys('secretHash', 'secret');
    expect(company.access.production).to.deep.include({ kind: 'open', used: 0 });
    expect(company.access.sandbox).to.deep.include({ kind: 'open', used: 0 });
  });

  it('names every access blocker and counts jobs past their last day as expired', async () => {
    const acme = await newCompany({ plan: 'Pro', autoPublish: true });
    const asWriter = await acme.writer('production');
    await asWriter.create({ ...minimalJob, valid_until: '2099-01-01' });
    await endSubscription(actionContext(), { companyId: acme.id });
    const lazy = { ...actionContext(), today: '2099-01-02' };
    const company = await showCompany(lazy, { companyId: acme.id });
    expect(company.subscription?.inForce).to.equal(false);
    expect(company.jobs).to.deep.equal([{ environment: 'production', status: 'expired', jobs: 1 }]);
    expect(company.access.production).to.deep.equal({ kind: 'closed', blockers: ['plan'] });
    const fresh = await newCompany({ plan: null, approved: false, verified: false });
    const { access } = await showCompany(actionContext(), { companyId: fresh.id });
    expect(access.production).to.deep.equal({ kind: 'closed', blockers: ['plan', 'approval'] });
    expect(access.sandbox).to.deep.equal({ kind: 'closed', blockers: ['unverified'] });
    await expectRefused('unknown_company', () => showCompany(actionContext(), { companyId: 9_000_000_000_000n }));
  });
});

describe('searchQueue', () => {
  it('lists pending production jobs of all companies, oldest first, until they are reviewed', async () => {
    const [acme, other] = [await newCompany({ name: 'Primeira' }), await newCompany()];
    const [asWriter, asOther, inSandbox] = [
      await acme.writer('production'),
      await other.writer('production'),
      await acme.writer('sandbox'),
    ];
    clock.aheadMs = -400 * 86_400_000;
    const { body: oldest } = await asWriter.create({ ...minimalJob, title: 'O mais antigo' }).finally(() => {
      clock.aheadMs = 0;
    });
    expect(oldest.data.status, JSON.stringify(oldest)).to.equal('pending');
    await asOther.create(minimalJob);
    await inSandbox.create(minimalJob);
    const queue = await searchQueue(actionContext(), { page: 1 });
    expect(queue.items[0]).to.include({ companyId: acme.id, companyName: 'Primeira', title: 'O mais antigo' });
    expect(queue.items[0]).to.include({ district: 'Porto', validUntil: null });
    const times = queue.items.map(({ createdAt }) => createdAt.getTime());
    expect(times).to.deep.equal([...times].sort((a, b) => a - b));
    const { jobs } = await showWaiting(actionContext());
    expect(jobs).to.deep.equal({ jobs: queue.total, oldest: queue.items[0]?.createdAt });
    expect(queue.total).to.equal(await db().job.count({ where: { status: 'pending', environment: 'production' } }));
    const job = { companyId: acme.id, environment: 'production', jobId: BigInt(oldest.data.id) } as const;
    await denyJob(actionContext(), { ...job, reason: 'Antigo demais.' });
    const after = await searchQueue(actionContext(), { page: 1 });
    expect(after.items[0]?.jobId).to.not.equal(job.jobId);
    expect(after.total).to.equal(queue.total - 1);
    expect((await searchQueue(actionContext(), { page: 1_000_000 })).items).to.deep.equal([]);
  });

  it('is read from its index, regardless of the number of other jobs', async () => {
    const plan = await db().$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      await tx.$executeRaw`SET LOCAL enable_sort = off`;
      return tx.$queryRaw<Record<string, string>[]>`
        EXPLAIN SELECT id FROM jobs WHERE status = 'pending' AND environment = 'production'
         ORDER BY created_at, id LIMIT 25`;
    });
    expect(JSON.stringify(plan)).to.include('jobs_review_queue_idx');
  });
});

describe('showJob, searchJobs', () => {
  it('shows the job as the API answers it, with names, revision and the reason of a denial', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const { body } = await asWriter.create(fullJob());
    const job = { companyId: acme.id, environment: 'production', jobId: BigInt(body.data.id) } as const;
    await denyJob(actionContext(), { ...job, reason: 'Falta a morada.' });
    const shown = await showJob(actionContext(), job);
    expect(shown.job).to.deep.equal((await asWriter.get(`/jobs/${body.data.id}`)).body.data);
    expect(shown).to.deep.include({
      denialReason: 'Falta a morada.',
      revision: 2,
      district: { id: 13, name: 'Porto' },
    });
    expect(shown.category).to.deep.include({ id: 303, name: 'Eletricistas' });
    expect(shown.events.map(({ kind }) => kind)).to.deep.equal(['created', 'denied']);
    const list = await searchJobs(actionContext(), { ...job, status: 'denied' });
    expect(list.items.map(({ id }) => id)).to.deep.equal([body.data.id]);
    expect((await searchJobs(actionContext(), { ...job, status: 'active' })).total).to.equal(0);
  });

  it('a job of another company or environment does not exist', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const { body } = await (await acme.writer('production')).create(minimalJob);
    const job = { companyId: acme.id, environment: 'production', jobId: BigInt(body.data.id) } as const;
    await expectRefused('unknown_job', () => showJob(actionContext(), { ...job, companyId: other.id }));
    await expectRefused('unknown_job', () => showJob(actionContext(), { ...job, environment: 'sandbox' }));
  });
});
