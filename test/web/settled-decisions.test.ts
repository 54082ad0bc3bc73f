import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { filled } from '../../src/domain/message.ts';
import * as change from '../../src/operations/companies/people/change-company.ts';
import { endComplimentary, grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { refuseProduction, requestProduction } from '../../src/operations/companies/people/request-production.ts';
import { setDistricts } from '../../src/operations/companies/people/set-districts.ts';
import { setSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { withdrawCompanyJob } from '../../src/operations/jobs/people/withdraw-company-job.ts';
import type { Declaration } from '../../src/operations/kit/declare.ts';
import { addPlan, changePlan } from '../../src/operations/plans/people/change-plan.ts';
import * as reference from '../../src/operations/reference/people/change-category.ts';
import { later } from '../helper/clock.ts';
import { actionContext, administratorActor, db, newCompany, newJob } from '../helper/fixtures.ts';
import { asAdministrator, asPerson, type Page, type PageClient, textOf, valueIn } from '../helper/page-client.ts';
import { inDays } from '../helper/sample-jobs.ts';

const reasonsOf = async (companyId: bigint) =>
  (await db().auditEntry.findMany({ where: { companyId }, orderBy: { id: 'asc' } })).flatMap(
    ({ details }) => Object(details).reason ?? [],
  );

describe('a decision that no longer applies', () => {
  let [one, other]: PageClient[] = [];
  before(async () => {
    [one, other] = [await asAdministrator(), await asAdministrator()];
  });

  /** Two people open a form each; the first sends theirs, then the second. */
  async function both(path: string, first: string, second: string, companyId: bigint): Promise<Page> {
    const [early, late] = [one ?? expect.fail(), other ?? expect.fail()];
    const form = await late.get(`${path}/${second}`);
    const decided = await early.send(`${path}/${first}`, { reason: 'Motivo da primeira.' });
    expect(decided.status).to.equal(303);
    const before = await db().company.findUniqueOrThrow({ where: { id: companyId } });
    const answer = await late.submit(form, `${path}/${second}`, { reason: 'Motivo da segunda.' });
    expect(await db().company.findUniqueOrThrow({ where: { id: companyId } })).to.deep.equal(before);
    expect(await reasonsOf(companyId)).to.not.include('Motivo da segunda.');
    return answer;
  }

  for (const [first, second, options, said] of [
    [
      'approve',
      'refuse',
      { approved: false },
      /Company Decidida .* has no open request.*Company approved for production by pessoa-/,
    ],
    [
      'approve',
      'approve',
      { approved: false },
      /is already approved for production.*approved for production by pessoa-/,
    ],
    ['suspend', 'suspend', {}, /is already suspended.*Company suspended by pessoa-\S+, .*2026.*Motivo da primeira[.]/],
    ['unapprove', 'unapprove', {}, /is not approved for production.*Company approval withdrawn by pessoa-/],
  ] as const)
    it(`"${second}" after another administrator's "${first}" says what holds since when and by whom, and keeps the typed reason`, async () => {
      const { id: companyId } = await newCompany({ ...options, name: `Decidida ${randomUUID()}` });
      if (first === 'approve') await requestProduction(actionContext(), { companyId });
      const answer = await both(`/companies/${companyId}`, first, second, companyId);
      expect(answer.status).to.equal(422);
      expect(textOf(answer, '[role=alert]')).to.match(said);
      expect(valueIn(answer, '[name=reason]')).to.equal('Motivo da segunda.');
      // Nothing is typed yet, so nothing is kept: the form gives way to what it says.
      const opened = await (other ?? expect.fail()).get(`/companies/${companyId}/${second}`);
      expect(opened.status).to.equal(303);
      expect(textOf(await (other ?? expect.fail()).follow(opened), '.notice')).to.match(said);
    });

  it('is said to an administrator in Portuguese', async () => {
    const { id: companyId } = await newCompany();
    await change.suspendCompany({ ...actionContext(), actor: { kind: 'operator', name: 'rui' } }, { companyId });
    const admin = await asAdministrator();
    admin.cookies.set('vaga_language', 'pt');
    const shown = await admin.follow(await admin.get(`/companies/${companyId}/suspend`));
    expect(textOf(shown, '.notice')).to.match(/já está suspensa[.] Empresa suspensa por Operador [(]rui[)], .*2026/);
  });

  it('a second press of a button without fields says that it is done already', async () => {
    const { id: companyId } = await newCompany();
    await change.suspendCompany(actionContext(), { companyId });
    const admin = one ?? expect.fail();
    const form = await admin.get(`/companies/${companyId}/reinstate`);
    const path = `/companies/${companyId}/reinstate`;
    expect(textOf(await admin.follow(await admin.submit(form, path)), '.notice')).to.match(/is reinstated/);
    expect(textOf(await admin.follow(await admin.submit(form, path)), '.notice')).to.match(/is not suspended/);
  });

  it('a note to an answered request, or the reason of a second withdrawal, is kept in the form', async () => {
    const asking = await newCompany({ approved: false });
    const main = await asPerson(asking);
    const note = await main.get('/request');
    await requestProduction(actionContext(), { companyId: asking.id });
    const asked = await main.submit(note, '/request', { reason: 'Em dezembro.' });
    expect([asked.status, valueIn(asked, '[name=reason]')]).to.deep.equal([422, 'Em dezembro.']);
    expect(textOf(asked, '[role=alert]')).to.match(/already asked/);

    const { acme, ref, path } = await newJob();
    const person = await asPerson(acme);
    const form = await person.get(`${path}/withdraw`);
    await withdrawCompanyJob(actionContext(), ref);
    const withdrawn = await person.submit(form, `${path}/withdraw`, { reason: 'Já preenchida.' });
    expect([withdrawn.status, valueIn(withdrawn, '[name=reason]')]).to.deep.equal([422, 'Já preenchida.']);
    expect(textOf(withdrawn, '[role=alert]')).to.match(/already withdrawn/);
  });

  it('names nobody if complimentary access ended by itself, not who ended an earlier one', async () => {
    const { id: companyId } = await newCompany({ plan: null });
    await grantComplimentary(actionContext(), { companyId, limit: 5 });
    await endComplimentary(actionContext(), { companyId });
    await grantComplimentary(actionContext(), { companyId, limit: 5, until: inDays(1) });
    const { settled } = await later(3 * 86_400_000, () => endComplimentary.answer(actionContext(), { companyId }));
    const said = `Company ${companyId} has no complimentary access.`;
    expect(filled(settled ?? expect.fail())).to.equal(said);
  });

  it('repeated by the operator is no failure, but says what holds instead of that it was done', async () => {
    const acme = await newCompany({ approved: false });
    const { ref } = await newJob();
    const { credentialId } = await acme.issue('sandbox', 'read');
    const administrator = { ...actionContext(), actor: await administratorActor() };
    const company = { companyId: acme.id, reason: 'Motivo.' };
    const repeated: [Declaration, object, RegExp][] = [
      [change.approveCompany, company, /already approved.*company[.]approved by administrator:\d+ at 2026/],
      [change.withdrawApproval, company, /is not approved.*company[.]approval_withdrawn by/],
      [change.suspendCompany, company, /already suspended.*company[.]suspended by .*Motivo[.]/],
      [change.reinstateCompany, company, /is not suspended.*company[.]reinstated by/],
      [requestProduction, company, /already asked/],
      [refuseProduction, company, /Company \d+ has no open request for production.*company[.]production_refused by/],
      [withdrawCompanyJob, { ...ref, reason: 'Motivo.' }, /already withdrawn/],
      [revokeCredential, { companyId: acme.id, credentialId, reason: 'Motivo.' }, /no longer works/],
    ];
    for (const [operation, input, said] of repeated) {
      const first = await operation.answer(operation === requestProduction ? actionContext() : administrator, {
        ...input,
      });
      expect(first.settled, operation.command).to.equal(undefined);
      const second = await operation.answer(actionContext(), { ...input });
      expect(second.shown, operation.command).to.deep.equal(first.shown);
      expect(second.done, operation.command).to.equal(undefined);
      expect(filled(second.settled ?? expect.fail(operation.command)), operation.command).to.match(said);
    }
  });

  it('that sets what is set already says that nothing has changed, and nothing of it is recorded', async () => {
    const { id: companyId } = await newCompany();
    const added = async (name: string, parent?: bigint) =>
      BigInt((await reference.addCategory(actionContext(), { name: `${name} ${randomUUID()}`, parent })).categoryId);
    const areas = [await added('Uma'), await added('Outra')] as const;
    const categoryId = await added('Neta', areas[0]);
    const { id: planId } = await addPlan(actionContext(), { name: randomUUID(), limit: 5 });
    const settings: [Declaration, object][] = [
      [change.changeCompany, { companyId, verified: false }],
      [setDistricts, { companyId, districts: [13, 11] }],
      [setSubscription, { companyId, plan: 'VIP' }],
      [grantComplimentary, { companyId, limit: 7 }],
      [changePlan, { planId: BigInt(planId), limit: 6 }],
      [reference.renameCategory, { categoryId, name: `Neta ${randomUUID()}` }],
      [reference.moveCategory, { categoryId, parent: areas[1] }],
      [reference.deactivateCategory, { categoryId }],
      [reference.activateCategory, { categoryId }],
    ];
    for (const [operation, input] of settings) {
      const first = await operation.answer(actionContext(), { ...input });
      expect(first.settled, operation.command).to.equal(undefined);
      expect(first.done, operation.command).to.not.equal(undefined);
      const recorded = await db().auditEntry.count({ where: { action: operation.records ?? '' } });
      const second = await operation.answer(actionContext(), { ...input });
      expect([second.shown, second.done], operation.command).to.deep.equal([first.shown, undefined]);
      expect(second.settled?.text, operation.command).to.match(/^Nothing has changed/);
      expect(await db().auditEntry.count({ where: { action: operation.records ?? '' } })).to.equal(recorded);
    }
    for (const id of [categoryId, ...areas]) await db().category.delete({ where: { id: Number(id) } });
    await db().plan.delete({ where: { id: planId } });
  });

  it('that an administrator repeats in a form is said there', async () => {
    const { id: companyId } = await newCompany();
    const admin = one ?? expect.fail();
    const path = `/companies/${companyId}/grant`;
    for (const limit of ['7', 'unlimited']) {
      expect(textOf(await admin.follow(await admin.send(path, { limit })), '.notice')).to.match(/complimentary access/);
      admin.cookies.set('vaga_language', 'pt');
      const repeated = await admin.follow(await admin.send(path, { limit }));
      admin.cookies.delete('vaga_language');
      expect(textOf(repeated, '.notice')).to.match(/^Nada mudou/);
    }
  });
});
