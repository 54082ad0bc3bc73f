import { expect } from 'chai';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { listCredentials } from '../../src/operations/credentials/people/list-credentials.ts';
import { replaceCredential } from '../../src/operations/credentials/people/replace-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, later, memberActor, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';

const dayMs = 86_400_000;
const issue = (company: TestCompany, environment: 'sandbox' | 'production' = 'sandbox', days?: number) =>
  issueCredential(actionContext(), { companyId: company.id, environment, access: 'read', days });

/** The outcome of simultaneous operations: how many succeeded, and the codes of the refusals. */
async function settle(acts: Promise<unknown>[]): Promise<{ done: number; codes: unknown[] }> {
  const outcomes = await Promise.allSettled(acts);
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
  return { done: outcomes.length - refusals.length, codes: refusals.map(({ reason }) => reason.code) };
}

describe('issueCredential', () => {
  it('the database contains neither the secret nor its random part; the validity is 365 days by default', async () => {
    const before = actionContext().now.getTime();
    const { secret, expiresAt } = await issue(await newCompany());
    expect(expiresAt.getTime() - before).to.be.within(365 * dayMs, 365 * dayMs + 60_000);
    for (const table of ['credentials', 'audit_entries', 'companies']) {
      const sql = `SELECT row_to_json(t)::text AS text FROM ${table} t`;
      const rows = await db().$queryRawUnsafe<{ text: string }[]>(sql);
      expect(
        rows.some(({ text }) => text.includes(secret.slice(-56, -8))),
        table,
      ).to.equal(false);
    }
  });

  it('needs a label from a person; for the operator it says what the credential may do', async () => {
    const { id: companyId } = await newCompany();
    const given = { companyId, environment: 'sandbox', access: 'read' } as const;
    const person = actionContext(await memberActor(companyId));
    await expectRefused('invalid_input', () => issueCredential(person, given));
    const { credentialId } = await issueCredential(actionContext(), given);
    const row = await db().credential.findFirstOrThrow({ where: { companyId, id: credentialId } });
    expect(row.label).to.equal('sandbox read');
  });

  it('an environment has at most five valid credentials; revoked and expired ones do not count', async () => {
    const acme = await newCompany();
    const isFull = () => expectRefused('credential_limit', () => issue(acme));
    const { credentialId } = await issue(acme);
    for (let i = 0; i < 4; i++) await issue(acme, 'sandbox', 1);
    await isFull();
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId });
    await issue(acme);
    await isFull();
    await later(dayMs + 60_000, async () => {
      for (let i = 0; i < 4; i++) await issue(acme);
      await isFull();
    });
  });

  it('twelve simultaneous issues do not exceed the limit of either environment, even before plan and approval', async () => {
    const acme = await newCompany({ plan: null, approved: false });
    const sandbox = Array.from({ length: 12 }, () => issue(acme));
    const production = Array.from({ length: 7 }, () => issue(acme, 'production'));
    const [inSandbox, inProduction] = await Promise.all([settle(sandbox), settle(production)]);
    expect(inSandbox).to.deep.equal({ done: 5, codes: Array(7).fill('credential_limit') });
    expect(inProduction).to.deep.equal({ done: 5, codes: Array(2).fill('credential_limit') });
    expect(await db().credential.count({ where: { companyId: acme.id } })).to.equal(10);
    expect((await auditOf(acme.id)).filter(({ action }) => action === 'credential.issued')).to.have.length(10);
  });
});

describe('revokeCredential', () => {
  it('a second revocation returns the time of the first', async () => {
    const acme = await newCompany();
    const ref = { companyId: acme.id, credentialId: (await issue(acme)).credentialId };
    const first = await revokeCredential(actionContext(), ref);
    const { settled, ...second } = await later(1000, () => revokeCredential(actionContext(), ref));
    expect([second, settled?.text]).to.deep.equal([first, '{{label}} no longer works.']);
  });
});

describe('replaceCredential', () => {
  const statusesOf = (...credentials: { secret: string }[]) =>
    Promise.all(
      credentials.map(async ({ secret }) => (await new RestClient(server(), 'sandbox', secret).get('/account')).status),
    );

  it('issues a credential of the same kind; the old one works until the overlap ends', async () => {
    const acme = await newCompany();
    const old = await acme.issue('sandbox', 'write');
    const given = { companyId: acme.id, credentialId: old.credentialId, overlapHours: 24, days: 10 };
    const fresh = await replaceCredential(actionContext(), given);
    const row = await db().credential.findFirstOrThrow({ where: { companyId: acme.id, id: fresh.credentialId } });
    expect(row).to.include({ environment: 'sandbox', access: 'write', label: 'test' });
    expect(await statusesOf(old, fresh)).to.deep.equal([200, 200]);
    expect(await later(dayMs + 1000, () => statusesOf(old, fresh))).to.deep.equal([401, 200]);
    const ids = { credential_id: Number(fresh.credentialId), replaced_id: Number(old.credentialId) };
    const details = { ...ids, access: 'write', days: 10, overlap_hours: 24 };
    expect(await lastAudit(acme.id)).to.deep.include({ action: 'credential.replaced', details });
  });

  it('is listed with the old one, which is being replaced while both are valid, and not before or after', async () => {
    const acme = await newCompany();
    const { credentialId, expiresAt } = await issue(acme, 'sandbox', 10);
    const ref = { companyId: acme.id, credentialId };
    const listed = async () => {
      const { items } = await listCredentials(actionContext(), { companyId: acme.id });
      return items.map(({ state, replacedBy }) => [state, replacedBy]);
    };
    expect(await listed()).to.deep.equal([['expiring', null]]);
    const fresh = await replaceCredential(actionContext(), { ...ref, overlapHours: 720 });
    expect(fresh.endsAt, 'not extended').to.deep.equal(expiresAt);
    const both = [
      ['valid', null],
      ['replaced', fresh.credentialId],
    ];
    expect(await listed()).to.deep.equal(both);
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId: fresh.credentialId });
    expect((await listed())[0]).to.deep.equal(['expiring', fresh.credentialId]);
    await later(11 * dayMs, async () => expect((await listed()).map(([state]) => state)).to.include('expired'));
  });

  it('without an overlap the old one ends immediately, even with five valid credentials', async () => {
    const acme = await newCompany();
    const old = await acme.issue('sandbox', 'read');
    for (let i = 0; i < 4; i++) await acme.issue('sandbox', 'read');
    const replace = (overlapHours: number) =>
      replaceCredential(actionContext(), { companyId: acme.id, credentialId: old.credentialId, overlapHours });
    await expectRefused('credential_limit', () => replace(1));
    expect(await statusesOf(old)).to.deep.equal([200]);
    expect(await statusesOf(await replace(0), old)).to.deep.equal([200, 401]);
    await expectRefused('credential_limit', () => acme.issue('sandbox', 'read'));
  });
});
