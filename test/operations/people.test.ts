import { verify } from '@node-rs/argon2';
import { expect } from 'chai';
import { createUser } from '../../src/operations/people/create-account.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';

const password = 'uma frase que é longa';
let addresses = 0;
const freshEmail = (): string => `pessoa-${process.pid}-${++addresses}@example.com`;

describe('createUser', () => {
  it('stores the address in lower case and the password only as an Argon2id hash', async () => {
    const { id: companyId } = await newCompany();
    const email = freshEmail();
    const { userId } = await createUser(actionContext(), {
      companyId,
      email: ` ${email.toUpperCase()} `,
      role: 'main',
      password,
    });
    const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
    expect(user).to.include({ email, role: 'main', companyId });
    expect(user.passwordHash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(user.passwordHash, password)).to.equal(true);
    const details = { user_id: Number(userId), role: 'main' };
    expect(await lastAudit(companyId)).to.deep.equal({ actor: 'operator', action: 'user.created', details });
  });

  it('an address has one account, regardless of case and company', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const email = freshEmail();
    await createUser(actionContext(), { companyId: acme.id, email, role: 'sub', password });
    const again = { companyId: other.id, email: email.toUpperCase(), role: 'sub', password } as const;
    await expectRefused('email_taken', () => createUser(actionContext(), again));
    expect((await auditOf(other.id)).map(({ action }) => action)).to.deep.equal(['company.created']);
  });

  it('a company has one main account, also after six simultaneous creates, and any number of sub-accounts', async () => {
    const { id: companyId } = await newCompany();
    const make = (role: 'main' | 'sub') =>
      createUser(actionContext(), { companyId, email: freshEmail(), role, password });
    const roles = ['main', 'main', 'main', 'main', 'main', 'main', 'sub', 'sub'] as const;
    const outcomes = await Promise.allSettled(roles.map(make));
    const codes = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.code);
    expect(codes).to.deep.equal(Array(5).fill('main_account_exists'));
    expect(await db().user.count({ where: { companyId, role: 'main' } })).to.equal(1);
    expect(await db().user.count({ where: { companyId, role: 'sub' } })).to.equal(2);
  });
});
