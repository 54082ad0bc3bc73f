import { verify } from '@node-rs/argon2';
import { expect } from 'chai';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { requestTimeAt } from '../../src/domain/dates.ts';
import { listAudit } from '../../src/operations/audit/people/list-audit.ts';
import { changeCompany, suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { resetSandbox } from '../../src/operations/companies/people/reset-sandbox.ts';
import { endSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { showCompany } from '../../src/operations/companies/people/show-company.ts';
import { declarations } from '../../src/operations/declarations.ts';
import * as categories from '../../src/operations/reference/people/change-category.ts';
import { removeUser, unlockUser } from '../../src/operations/users/people/account.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { endSessions } from '../../src/operations/users/people/end-sessions.ts';
import { setUserPassword } from '../../src/operations/users/people/set-password.ts';
import { SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused, refusalOf } from '../helper/expect-refused.ts';
import { actionContext, db, freshEmail, newCompany, newJob } from '../helper/fixtures.ts';
import { accountAt, asPerson, newAdministrator, newUser, PageClient } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

describe('showCompany', () => {
  it('names every access blocker and counts jobs past their last day as expired', async () => {
    const acme = await newCompany({ plan: 'Pro', autoPublish: true });
    await (await acme.writer('production')).create({ ...minimalJob, valid_until: '2099-01-01' });
    await endSubscription(actionContext(), { companyId: acme.id });
    const company = await showCompany({ ...actionContext(), today: '2099-01-02' }, { companyId: acme.id });
    expect(company.subscription?.inForce).to.equal(false);
    expect(company.jobs).to.deep.equal([{ environment: 'production', status: 'expired', jobs: 1 }]);
    expect(company.access.production).to.deep.equal({
      kind: 'closed',
      blockers: ['plan'],
      requestedAt: null,
      refused: null,
    });
    const fresh = await newCompany({ plan: null, approved: false, verified: false });
    const { access } = await showCompany(actionContext(), { companyId: fresh.id });
    expect(access.production).to.deep.equal({
      kind: 'closed',
      blockers: ['plan', 'approval'],
      requestedAt: null,
      refused: null,
    });
    expect(access.sandbox).to.deep.equal({
      kind: 'closed',
      blockers: ['unverified'],
      requestedAt: null,
      refused: null,
    });
    await expectRefused('unknown_company', () => showCompany(actionContext(), { companyId: 9_000_000_000_000n }));
  });
});

const actionsOf = async (question: Parameters<typeof listAudit>[1]): Promise<string[]> =>
  (await listAudit(actionContext(), question)).items.map(({ action }) => action);

const at = (time: string) => ({ ...actionContext(), ...requestTimeAt(new Date(time), 'Europe/Lisbon') });

describe('listAudit', () => {
  it('filters by every action of the closed list, and contains no other', async () => {
    for (const action of auditActions) for (const found of await actionsOf({ action })) expect(found).to.equal(action);
    const written = await db().auditEntry.findMany({ distinct: ['action'], select: { action: true } });
    expect(auditActions).to.include.members(written.map(({ action }) => action));
  });

  it("minutes follow the service's time zone: a summer day in Lisbon begins at 23:00 UTC", async () => {
    const { id: companyId } = await newCompany();
    await suspendCompany(at('2026-07-14T22:59:59.999Z'), { companyId });
    await changeCompany(at('2026-07-14T23:00:00.000Z'), { companyId, verified: false });
    const on = (first: string | undefined, last: string) =>
      actionsOf({ companyId, from: first && `${first}T00:00`, to: `${last}T23:59` });
    expect(await on('2026-07-14', '2026-07-14')).to.deep.equal(['company.suspended']);
    expect(await on('2026-07-15', '2026-07-15')).to.deep.equal(['company.changed']);
    expect(await on(undefined, '2026-07-15')).to.deep.equal(['company.changed', 'company.suspended']);
  });
});

const [area, child] = [2, 201];

describe('categories', () => {
  afterEach(() => db().category.updateMany({ where: { id: { in: [area, child] } }, data: { active: true } }));

  // rules-in-sql.test.ts tests what is listed and takes jobs.
  it('keep their own state while their main area is inactive; a deactivation is recorded with its reason', async () => {
    const given = { categoryId: area, reason: 'Duplicada.' };
    await categories.deactivateCategory(actionContext(), given);
    const where = { action: 'category.deactivated' };
    const last = await db().auditEntry.findFirst({ where, orderBy: { id: 'desc' } });
    expect(last?.details).to.deep.equal({ category_id: area, reason: given.reason });
    const { items } = await categories.listMainAreas(actionContext(), {});
    const listed = items.find(({ id }) => id === area);
    expect([listed?.active, listed?.children.every(({ active }) => active)]).to.deep.equal([false, true]);
    await categories.activateCategory(actionContext(), given);
    expect((await categories.listMainAreas(actionContext(), {})).items.find(({ id }) => id === area)?.active).to.equal(
      true,
    );
  });

  it('move to another main area with their jobs; a main area does not move', async () => {
    const ctx = actionContext();
    const { categoryId: id } = await categories.addCategory(ctx, { name: `Móvel ${process.pid}`, parent: 3n });
    const categoryId = BigInt(id);
    const { writer, ref } = await newJob('sandbox', { category_id: id });
    const parentOf = async () => (await db().category.findUniqueOrThrow({ where: { id } })).parentId;
    expect(await categories.moveCategory(ctx, { categoryId, parent: 2n })).to.include({ id, parentId: 2 });
    expect([await parentOf(), (await writer.get(`/jobs/${ref.jobId}`)).body.data.category_id]).to.deep.equal([2, id]);
    expect((await writer.create({ ...minimalJob, category_id: id })).status).to.equal(201);
    const entries = () => db().auditEntry.findMany({ where: { action: 'category.moved' }, orderBy: { id: 'desc' } });
    const [last, ...before] = await entries();
    expect(last?.details).to.deep.equal({ category_id: id, parent_id: 2 });
    await categories.moveCategory(ctx, { categoryId, parent: 2n });
    expect(await entries()).to.have.length(before.length + 1);
    for (const [moved, parent] of [
      [categoryId, BigInt(child)],
      [categoryId, 999_999n],
      [categoryId, categoryId],
      [3n, 2n],
      [999_999n, 2n],
    ] as const)
      await expectRefused('unknown_category', () => categories.moveCategory(ctx, { categoryId: moved, parent }));
    expect(await parentOf()).to.equal(2);
  });

  it('have unique names, and a main area as parent', async () => {
    const add = (name: string, parent?: bigint) => () => categories.addCategory(actionContext(), { name, parent });
    await add('Única', 3n)();
    await expectRefused('category_exists', add('ÚNICA', 3n));
    const renamed = (await add('Outra ainda', 3n)()).categoryId;
    const rename = (name: string) => categories.renameCategory(actionContext(), { categoryId: BigInt(renamed), name });
    await expectRefused('category_exists', () => rename('ÚNICA'));
    for (const name of ['Renomeada', 'renomeada']) expect(await rename(name)).to.include({ id: renamed, name });
    await expectRefused('category_exists', add('Renomeada', 3n));
    await expectRefused('category_existed', add('Outra ainda', 3n));
    await expectRefused('unknown_category', add('Outra', BigInt(child)));
    await expectRefused('unknown_plan', () => createCompany(actionContext(), { name: 'Oficina', plan: 'Prata' }));
  });
});

const password = 'uma frase que é longa';
const create = (companyId: bigint, role: 'main' | 'sub' = 'main', email = freshEmail()) =>
  createUser(actionContext(), { companyId, email, role, password });

describe('createUser', () => {
  it('stores the address in lower case, unique in its company, and the password only as an Argon2id hash', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const email = freshEmail();
    const { userId } = await create(acme.id, 'main', ` ${email.toUpperCase()} `);
    const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
    expect(user).to.include({ email, role: 'main', companyId: acme.id });
    expect(user.passwordHash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(user.passwordHash, password)).to.equal(true);
    const details = { user_id: Number(userId), role: 'main' };
    expect(await lastAudit(acme.id)).to.deep.equal({ actor: 'operator', action: 'user.created', details });
    await expectRefused('email_taken', () => create(acme.id, 'sub', email.toUpperCase().replace('P', '\uff30')));
    for (const typed of [email.replace('a', '\u0430'), email.replace('a', 'e\u0301')])
      await expectRefused('invalid_input', () => create(other.id, 'sub', typed));
    expect((await auditOf(other.id)).map(({ action }) => action)).to.deep.equal(['company.created']);
  });

  it('an address may have an account in each company; without the company, which of them is meant is not guessed', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const email = freshEmail();
    const [{ userId }, theirs] = [await create(acme.id, 'main', email), await create(other.id, 'main', email)];
    const named = { email, password: 'outra frase, bem mais longa' };
    for (const change of [setUserPassword, removeUser, unlockUser]) {
      const { code, message } = await refusalOf(change(actionContext(), named));
      expect([code, message]).to.deep.equal([
        'several_accounts',
        `Several companies have an account with this e-mail address: name the company (${acme.id}, ${other.id}).`,
      ]);
    }
    await setUserPassword(actionContext(), { ...named, companyId: other.id });
    await removeUser(actionContext(), { email, companyId: acme.id });
    expect(await db().user.findMany({ where: { email }, select: { id: true } })).to.deep.equal([{ id: theirs.userId }]);
    expect(userId).to.not.equal(theirs.userId);
    await removeUser(actionContext(), { email });
  });

  it('a company has one main account, even after six simultaneous creates, and sub-accounts', async () => {
    const { id: companyId } = await newCompany();
    const roles = [...Array(6).fill('main'), 'sub', 'sub'];
    const outcomes = await Promise.allSettled(roles.map((role) => create(companyId, role)));
    const codes = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.code);
    expect(codes).to.deep.equal(Array(5).fill('main_account_exists'));
    expect(await db().user.count({ where: { companyId, role: 'main' } })).to.equal(1);
    expect(await db().user.count({ where: { companyId, role: 'sub' } })).to.equal(2);
  });
});

it('ending the sessions of a company signs out its people, nobody else, and is recorded with their number', async () => {
  const [acme, other] = [await newCompany(), await newCompany()];
  const [one, another, stays] = [await asPerson(acme), await asPerson(acme, 'sub'), await asPerson(other)];
  expect(await endSessions(actionContext(), { companyId: acme.id })).to.deep.equal({ sessions: 2 });
  expect(await lastAudit(acme.id)).to.deep.include({ action: 'session.ended', details: { sessions: 2 } });
  const statuses = await Promise.all([one, another, stays].map(async (client) => (await client.get('/')).status));
  expect(statuses).to.deep.equal([303, 303, 200]);
});

for (const portal of ['company', 'administrator'] as const)
  describe(`an account of the ${portal === 'company' ? 'dashboard' : 'administration'}`, () => {
    const noun = portal === 'company' ? 'user' : 'admin';
    const newPerson = async () => {
      const email = await (portal === 'company' ? newUser(await newCompany(), 'sub') : newAdministrator());
      const account = await accountAt(portal, email);
      return { email, id: account?.id ?? 0n };
    };
    /** As by the operator, who may type the address in capitals. */
    const act = async (verb: string, email: string, given: object = {}) =>
      declarations
        .find(({ command }) => command === `${noun} ${verb}`)
        ?.answer(actionContext(), { email: email.toUpperCase(), ...given });

    it('a new password works and ends every session; removing the account ends them too', async () => {
      const { email, id } = await newPerson();
      const sessions = () => db().pageSession.count({ where: { portal, personId: id } });
      await PageClient.signedIn(portal, email);
      await expectRefused('invalid_input', async () => act('set-password', email, { password: 'curta' }));
      expect(await sessions()).to.equal(1);
      await act('set-password', email, { password });
      expect(await sessions()).to.equal(0);
      expect((await new PageClient(portal).signIn(email, password)).status).to.equal(303);
      // The last administrator cannot be removed.
      await newAdministrator();
      await act('remove', email);
      expect([await sessions(), await accountAt(portal, email)]).to.deep.equal([0, null]);
      for (const verb of ['remove', 'unlock']) await expectRefused('unknown_account', async () => act(verb, email));
    });

    it('unlocking clears the account’s failed sign-ins from every address and its failed confirmations, and no other account’s', async () => {
      const limits = new SignInLimits(db());
      const [one, other] = [await newPerson(), await newPerson()];
      const fail = ({ email, id }: typeof one, from: number) =>
        limits.countFailure({ portal, email, address: `${email}-${from}` }, [{ id }]);
      const isOpen = async ({ email, id }: typeof one) =>
        (await limits.withoutMissed({ portal, email, address: `${email}-1` }, [{ id }])).length === 1;
      for (const person of [one, other]) {
        const { email, id } = person;
        for (let n = 0; n < 11; n++) await limits.consumeConfirmation(portal, id);
        for (let n = 0; n < 22; n++) await fail(person, n % 2);
        expect(await fail(person, 0), email).to.be.above(0);
      }
      await act('unlock', one.email);
      expect([await isOpen(one), await isOpen(other)]).to.deep.equal([true, false]);
      expect(await fail(one, 0)).to.equal(0);
      expect(await fail(other, 1)).to.be.above(0);
      expect(await limits.consumeConfirmation(portal, one.id)).to.equal(true);
      expect(await limits.consumeConfirmation(portal, other.id)).to.equal(false);
    });
  });

describe('resetSandbox', () => {
  it('with simultaneous creates, the count always equals the remaining jobs and keys; production keeps its jobs', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('sandbox');
    await (await acme.writer('production')).create(minimalJob);
    for (let round = 0; round < 4; round++) {
      const creates = Array.from({ length: 12 }, () => asWriter.create(minimalJob));
      const resets = Array.from({ length: 2 }, () => resetSandbox(actionContext(), { companyId: acme.id }));
      const answers = await Promise.all(creates);
      await Promise.all(resets);
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(12).fill(201));
      const where = { companyId: acme.id, environment: 'sandbox' } as const;
      const [jobs, keys] = [await db().job.count({ where }), await db().idempotencyKey.count({ where })];
      const usage = await db().postingUsage.findFirstOrThrow({ where: { companyId: acme.id, allowance: 'sandbox' } });
      expect({ jobs, keys, used: usage.used }).to.deep.equal({ jobs, keys: jobs, used: jobs });
    }
    expect(await db().job.count({ where: { companyId: acme.id, environment: 'production' } })).to.equal(1);
  });
});
