import { expect } from 'chai';
import {
  type AccessFacts,
  accessBlockersOf,
  accessFactsOf,
  accessTypeOf,
  entitlementOf,
  isValidCredential,
  periodKey,
} from '../../src/domain/eligibility.ts';
import { ApiError } from '../../src/domain/errors.ts';

const now = new Date('2026-11-26T12:00:00.000Z');
const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
const today = '2026-11-26';
const time = { now, today, timeZone: 'Europe/Lisbon' };
const company = { verified: true, suspendedAt: null, approvedAt: before };
const plan = { name: 'Pro', postingLimit: 5, apiEligible: true, startedOn: '2026-11-20', endsAt: null };
const grant = { monthlyLimit: 3, startedOn: '2026-11-10', expiresOn: null };
const facts: AccessFacts = { verified: true, suspended: false, approved: true, plan, grant: null };

describe('eligibility', () => {
  it('a credential works until the instant at which it expires, unless it is revoked', () => {
    for (const [expiresAt, revokedAt, isValid] of [
      [after, null, true],
      [now, null, false],
      [before.toISOString(), null, false],
      [after.toISOString(), before, false],
    ] as const)
      expect(isValidCredential({ expiresAt, revokedAt }, now), `${expiresAt} ${revokedAt}`).to.equal(isValid);
  });

  it('a subscription counts until the instant at which it ends, a grant until the end of its last day', () => {
    const found = (endsAt: Date | string | null, expiresOn: string | null) => {
      const stored = { company, plan: { ...plan, endsAt }, grant: { ...grant, expiresOn } };
      const { plan: counted, grant: given } = accessFactsOf(stored, time);
      return [counted !== null, given !== null];
    };
    expect(found(null, null)).to.deep.equal([true, true]);
    expect(found(after.toISOString(), today)).to.deep.equal([true, true]);
    expect(found(now, '2026-11-25')).to.deep.equal([false, false]);
    expect(accessFactsOf({ company, plan: null, grant: null }, time)).to.deep.equal({ ...facts, plan: null });
  });

  it('a company is suspended and approved from the moment on which each is recorded', () => {
    const found = (suspendedAt: Date | null, approvedAt: Date | null) => {
      const { suspended, approved } = accessFactsOf(
        { company: { ...company, suspendedAt, approvedAt }, plan: null, grant: null },
        time,
      );
      return [suspended, approved];
    };
    expect(found(before, null)).to.deep.equal([true, false]);
    expect(found(null, before)).to.deep.equal([false, true]);
  });

  it('the sandbox needs a verified company, production a plan with API access or a grant, and approval', () => {
    const noApi = { ...plan, apiEligible: false };
    for (const [changed, sandbox, production] of [
      [{}, [], []],
      [{ verified: false, plan: null, grant }, ['unverified'], []],
      [{ plan: noApi, grant }, [], []],
      [{ plan: noApi }, [], ['plan']],
      [{ plan: null }, [], ['plan']],
      [{ approved: false }, [], ['approval']],
      [
        { suspended: true, verified: false, plan: null, approved: false },
        ['suspended', 'unverified'],
        ['suspended', 'plan', 'approval'],
      ],
    ] as const) {
      const name = JSON.stringify(changed);
      expect(accessBlockersOf('sandbox', { ...facts, ...changed }), name).to.deep.equal(sandbox);
      expect(accessBlockersOf('production', { ...facts, ...changed }), name).to.deep.equal(production);
    }
  });

  it('a blocked company is refused with the reason of the first blocker', () => {
    for (const [environment, changed, reason] of [
      ['sandbox', { suspended: true, verified: false }, 'permission'],
      ['sandbox', { verified: false }, 'permission'],
      ['production', { plan: null, approved: false }, 'plan'],
      ['production', { approved: false }, 'approval'],
    ] as const)
      expect(() => entitlementOf(environment, { ...facts, ...changed }, time), reason)
        .to.throw(ApiError)
        .that.includes({ status: 403, code: reason });
  });

  it('the sandbox has a capacity of 100 without a period; the access type is that of production, or subscription', () => {
    const sandbox = { allowance: 'sandbox', limit: 100, period: null };
    for (const [changed, accessType] of [
      [{}, 'subscription'],
      [{ grant: { ...grant, monthlyLimit: 6 } }, 'complimentary'],
      [{ plan: null }, 'subscription'],
    ] as const) {
      const changedFacts = { ...facts, ...changed };
      expect(entitlementOf('sandbox', changedFacts, time)).to.deep.equal({ ...sandbox, accessType });
      expect(accessTypeOf(changedFacts, time)).to.equal(accessType);
    }
  });

  it('a period ends with the plan or grant at the latest, and is then the last one; its first day stays', () => {
    const periodOf = (changed: Partial<AccessFacts>) =>
      entitlementOf('production', { ...facts, ...changed }, time).period;
    const start = '2026-11-20';
    for (const [endsAt, end] of [
      ['2026-11-27T00:00:00Z', '2026-11-26'],
      ['2026-12-20T00:00:00Z', '2026-12-19'],
    ] as const)
      expect(periodOf({ plan: { ...plan, endsAt } }), endsAt).to.deep.equal({ start, end, isLast: true });
    const longer = { ...plan, endsAt: '2026-12-21T00:00:00Z' };
    expect(periodOf({ plan: longer })).to.deep.equal({ start, end: '2026-12-19' });
    const granted = { plan: null, grant: { ...grant, expiresOn: today } };
    expect(periodOf(granted)).to.deep.equal({ start: '2026-11-10', end: today, isLast: true });
  });

  it('postings are counted from the first day of the period; those of the sandbox always together', () => {
    const keyOf = (environment: 'sandbox' | 'production') =>
      periodKey(entitlementOf(environment, facts, time)).toISOString();
    expect(keyOf('production')).to.equal('2026-11-20T00:00:00.000Z');
    expect(keyOf('sandbox')).to.equal('1970-01-01T00:00:00.000Z');
  });
});
