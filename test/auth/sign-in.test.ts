import { hash } from '@node-rs/argon2';
import { expect } from 'chai';
import { passwordMark } from '../../src/auth/accounts-sql.ts';
import { findAdministratorPerson, findCompanyPerson } from '../../src/auth/page-session.ts';
import { confirmPassword, openLink, signIn } from '../../src/auth/sign-in.ts';
import type { Portal } from '../../src/domain/actor.ts';
import { hashSecret } from '../../src/domain/token.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { setUserPassword } from '../../src/operations/users/people/set-password.ts';
import { passwordTriesMax, SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, freshEmail, newCompany } from '../helper/fixtures.ts';
import { accountAt, newAdministrator, newUser, password } from '../helper/page-client.ts';
import { times } from '../helper/times.ts';

const [portal, address] = ['company', '192.0.2.1'] as const;
const now = new Date('2026-11-26T12:00:00.000Z');
const refused = { kind: 'refused' } as const;

describe('a password', () => {
  let limits: SignInLimits;
  beforeEach(() => {
    limits = new SignInLimits(db());
  });
  const accountOf = async (of: Portal, email: string) => {
    const account = await accountAt(of, email);
    return account ?? expect.fail(email);
  };
  const tryTo = (email: string, typed: string, of: Portal = portal) =>
    signIn(db(), limits, { portal: of, email, password: typed, address });
  const failed = async () =>
    (await db().rateLimit.findMany({ where: { key: { contains: 'sign-in' } } })).map(({ points }) => points).sort();

  it('signs in, with the mark that ends the session when it changes, however the address is written; a look-alike does not', async () => {
    for (const [of, email] of [
      ['company', await newUser(await newCompany())],
      ['administrator', await newAdministrator()],
    ] as const) {
      const { id, passwordHash } = await accountOf(of, email);
      const accepted = { kind: 'accepted', personId: id, passwordMark: passwordMark(passwordHash) };
      for (let n = 0; n < 9; n++) await limits.countFailure({ portal: of, email, address }, [{ id }]);
      const written = [
        `\t${email.toUpperCase()} `,
        email.replace('@', '\u00ad\uff20\u2060'),
        email.replace('p', '\uff50'),
      ];
      for (const typed of written) expect(await tryTo(typed, password, of), typed).to.deep.equal(accepted);
      for (let n = 0; n < 2; n++)
        expect(await tryTo(email, 'wrong', of), 'failures are cleared').to.deep.equal(refused);
      expect(await tryTo(email.replace('a', '\u0430'), password, of)).to.deep.equal(refused);
      expect(await tryTo(email, password, of === 'company' ? 'administrator' : 'company')).to.deep.equal(refused);
    }
  });

  it('may have 1000 characters of two UTF-16 units; a longer one, or an odd address, is refused like a wrong one', async () => {
    const [email, longest] = [freshEmail(), '\u{1f600}'.repeat(1000)];
    const { id: companyId } = await newCompany();
    await createUser(actionContext(), { companyId, email, role: 'main', password: longest });
    expect(await tryTo(email, longest)).to.include({ kind: 'accepted' });
    expect(await tryTo(email, `${longest}x`)).to.deep.equal(refused);
    for (const odd of ['a\0b@example.com', 'a\u0085@example.com', `${'x'.repeat(400)}@example.com`, ''])
      expect(await tryTo(odd, password), JSON.stringify(odd)).to.deep.equal(refused);
  });

  it('of a person in several companies signs in to the one that has it; if several have it, to the one that is named', async () => {
    const [acme, other, third] = [
      await newCompany({ name: 'Zelo' }),
      await newCompany({ name: 'Água' }),
      await newCompany(),
    ];
    const email = await newUser(acme);
    const add = (companyId: bigint, typed?: string) =>
      createUser(actionContext(), { companyId, email: email.toUpperCase(), role: 'sub', password: typed });
    await add(third.id, 'uma frase que é longa');
    await add((await newCompany()).id);
    expect(await tryTo(email, password)).to.include({ kind: 'accepted' });
    const { userId } = await add(other.id, password);
    expect(await tryTo(email, password)).to.deep.equal({
      kind: 'several',
      companies: [
        { id: other.id, name: 'Água' },
        { id: acme.id, name: 'Zelo' },
      ],
    });
    const at = (companyId: bigint, typed: string) =>
      signIn(db(), limits, { portal, email, password: typed, companyId, address });
    expect(await at(other.id, password)).to.include({ kind: 'accepted', personId: userId });
    for (const companyId of [third.id, 0n]) expect(await at(companyId, password)).to.deep.equal(refused);
    const { passwordHash } = await db().user.findFirstOrThrow({ where: { email, companyId: third.id } });
    const mark = passwordMark(passwordHash);
    expect(await tryTo(email, 'uma frase que é longa')).to.include({ kind: 'accepted', passwordMark: mark });
    expect(await tryTo(email, 'wrong')).to.deep.equal(refused);
    // Of the e-mail address, the four accounts and, three, the network.
    expect(await failed()).to.deep.equal([1, 1, 2, 2, 3, 4]);
    const stored = await db().user.findMany({ where: { email }, select: { passwordHash: true } });
    const salts = stored.map((one) => one.passwordHash.split('$')[4]);
    expect([salts.length, new Set(salts).size], 'one Argon2 checks all').to.deep.equal([4, 1]);
  });

  it('of an account is guessed ten times from an address, also by somebody whose own account of that e-mail address fits each guess', async () => {
    const [acme, hostile] = [await newCompany(), await newCompany()];
    const email = await newUser(acme);
    const { id: victim } = await accountOf(portal, email);
    const own = { companyId: hostile.id, email };
    const { userId: personId } = await createUser(actionContext(), { ...own, role: 'sub', password });
    const guess = async (typed: string, companyId?: bigint) => {
      await setUserPassword(actionContext(), { ...own, password: typed });
      return signIn(db(), limits, { portal, email, password: typed, companyId, address });
    };
    for (let n = 0; n < passwordTriesMax; n++)
      expect(await guess(`palpite número ${n}`)).to.include({ kind: 'accepted', personId });
    // From here on, everything is answered as if the other account did not exist.
    for (let n = 0; n < 2; n++) {
      expect(await guess(password)).to.include({ kind: 'accepted', personId });
      expect(await guess(password, acme.id)).to.deep.equal(refused);
      for (let wrong = 0; wrong < 8; wrong++) expect(await tryTo(email, 'wrong')).to.deep.equal(refused);
      expect(await guess(password), 'failures are cleared').to.include({ kind: 'accepted', personId });
    }
    const elsewhere = { portal, email, password, address: '192.0.2.2' } as const;
    expect(await signIn(db(), limits, elsewhere)).to.include({ kind: 'several' });
    await db().rateLimit.updateMany({ data: { expire: { decrement: 15 * 60_000 } } });
    expect(await guess(password, acme.id)).to.include({ kind: 'accepted', personId: victim });
  });

  it('of either company signs in a person of two, in turn or named, as often as the person likes', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const email = await newUser(acme);
    const own = { companyId: other.id, email, role: 'sub', password: 'uma frase que é longa' } as const;
    await createUser(actionContext(), own);
    for (let n = 0; n < 2 * passwordTriesMax; n++)
      for (const typed of [password, own.password]) expect(await tryTo(email, typed)).to.include({ kind: 'accepted' });
    for (let n = 0; n < 2 * passwordTriesMax; n++)
      expect(await signIn(db(), limits, { ...own, portal, address })).to.include({ kind: 'accepted' });
    expect(await tryTo(email, password)).to.include({ kind: 'accepted' });
  });

  it('of an address that has several salts, or none that can be read, is checked too', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const email = await newUser(acme);
    const older = { companyId: other.id, email, role: 'sub', createdAt: now } as const;
    const { id } = await db().user.create({ data: { ...older, passwordHash: await hash('uma frase que é longa') } });
    expect(await tryTo(email, 'uma frase que é longa')).to.include({ kind: 'accepted', personId: id });
    await db().user.update({ where: { id }, data: { passwordHash: 'none' } });
    expect(await tryTo(email, 'uma frase que é longa')).to.deep.equal(refused);
    expect(await tryTo(email, password)).to.include({ kind: 'accepted' });
  });

  it('of an account from before the rules of an address still signs in', async () => {
    const { id } = await accountOf(portal, await newUser(await newCompany()));
    const older = freshEmail().replace('a', '\u0430\uff41\u00e9');
    await db().user.update({ where: { id }, data: { email: older } });
    expect(await tryTo(older, password)).to.include({ kind: 'accepted' });
  });

  it('is answered for thirty of many simultaneous failures; successes among them do not change the count in this window or the next', async () => {
    const email = await newUser(await newCompany());
    const sign = (n: number) => (n < 8 ? tryTo(email, password) : tryTo(`${n}-${freshEmail()}`, 'wrong'));
    for (const _ of ['this', 'next']) {
      const outcomes = await Promise.all(times(48, sign));
      expect(outcomes.filter(({ kind }) => kind === 'refused')).to.have.length(30);
      expect(await tryTo(freshEmail(), password)).to.include({ kind: 'throttled' });
      await db().rateLimit.updateMany({ data: { expire: { decrement: 15 * 60_000 } } });
    }
  });

  it('of a signed-in person is confirmed ten times, and again after a right one; a removed person has none', async () => {
    const { id: personId } = await accountOf(portal, await newUser(await newCompany()));
    const confirm = (typed: string) => confirmPassword(db(), limits, { portal, personId, password: typed });
    for (let n = 0; n < 9; n++) expect(await confirm('wrong')).to.equal('wrong');
    expect(await confirm(password)).to.equal('right');
    for (let n = 0; n < 10; n++) expect(await confirm('wrong')).to.equal('wrong');
    expect(await confirm(password)).to.equal('throttled');
    const others = [{ portal, personId: 0n } as const, { portal: 'administrator', personId } as const];
    for (const other of others) expect(await confirmPassword(db(), limits, { ...other, password })).to.equal('wrong');
  });

  it('is set by a link until the instant of its end, at its portal', async () => {
    const link = 'a link';
    const { id } = await accountOf(portal, await newUser(await newCompany()));
    await db().user.update({ where: { id }, data: { linkHash: hashSecret(link), linkEndsAt: now } });
    const open = (ms: number, of: Portal = portal) => openLink(db(), of, link, new Date(now.getTime() + ms));
    for (let n = 0; n < 2; n++) expect(await open(-1)).to.equal(id);
    await expectRefused('link_ended', () => open(0));
    await expectRefused('link_ended', () => open(-1, 'administrator'));
  });
});

it('a person is read with role and company, as they are now, and the mark of the password; nobody once removed', async () => {
  const [acme, administrator] = [await newCompany({ name: 'Oficina' }), await newAdministrator()];
  for (const [role, suspended] of [
    ['main', false],
    ['sub', true],
  ] as const) {
    const email = await newUser(acme, role);
    if (suspended) await db().company.update({ where: { id: acme.id }, data: { suspendedAt: now } });
    const { id, passwordHash } = (await accountAt(portal, email)) ?? expect.fail(email);
    expect(await findCompanyPerson(db(), id)).to.deep.equal({
      id,
      email,
      actor: { kind: 'user', id, companyId: acme.id, role },
      passwordMark: passwordMark(passwordHash),
      isMain: role === 'main',
      company: {
        ...{ id: acme.id, name: 'Oficina', suspended, suspensionReason: null },
        suspendedAt: suspended ? now : null,
      },
    });
  }
  const { id, passwordHash } = (await accountAt('administrator', administrator)) ?? expect.fail();
  const actor = { kind: 'administrator', id };
  expect(await findAdministratorPerson(db(), id)).to.deep.equal({
    id,
    email: administrator,
    actor,
    passwordMark: passwordMark(passwordHash),
  });
  expect([await findCompanyPerson(db(), 0n), await findAdministratorPerson(db(), 0n)]).to.deep.equal([
    undefined,
    undefined,
  ]);
});

it('passwordMark differs for each password and does not contain its hash', () => {
  const [one, other] = ['$argon2id$one', '$argon2id$other'].map(passwordMark);
  expect(one)
    .to.match(/^[\w-]{43}$/)
    .and.not.equal(other);
});
