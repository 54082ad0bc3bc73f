import { expect } from 'chai';
import { approveCompany, suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { listCompanies } from '../../src/operations/companies/list-companies.ts';
import { endSubscription } from '../../src/operations/companies/set-subscription.ts';
import { showCompany } from '../../src/operations/companies/show-company.ts';
import { showWaiting } from '../../src/operations/jobs/show-waiting.ts';
import { createUser } from '../../src/operations/people/create-account.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

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
});

describe('showCompany', () => {
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
