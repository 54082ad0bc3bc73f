import { expect } from 'chai';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { replaceCredential } from '../../src/operations/credentials/replace-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, clock, db, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';

const dayMs = 86_400_000;
const issue = (
  company: TestCompany,
  environment: 'sandbox' | 'production' = 'sandbox',
  days?: number,
  ctx = actionContext(),
) => issueCredential(ctx, { companyId: company.id, environment, access: 'read', days });

/** The outcome of simultaneous operations: how many succeeded, and the codes of the refusals. */
async function settle(acts: Promise<unknown>[]): Promise<{ done: number; codes: unknown[] }> {
  const outcomes = await Promise.allSettled(acts);
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
  return { done: outcomes.length - refusals.length, codes: refusals.map(({ reason }) => reason.code) };
}

describe('issueCredential', () => {
  it('the database contains neither the secret nor its random part', async () => {
    const acme = await newCompany();
    const { secret } = await issue(acme);
    const random = secret.slice(-56, -8);
    const tables = ['credentials', 'audit_entries', 'companies'];
    for (const table of tables) {
      const rows = await db().$queryRawUnsafe<{ text: string }[]>(
        `SELECT row_to_json(t)::text AS text FROM ${table} t`,
      );
      expect(rows.some(({ text }) => text.includes(random) || text.includes(secret))).to.equal(false, table);
    }
  });

  it('the validity is 365 days by default and at most; 0, 366 and fractions are refused', async () => {
    const acme = await newCompany();
    const ctx = actionContext();
    const { expiresAt } = await issue(acme, 'sandbox', undefined, ctx);
    expect(expiresAt.getTime() - ctx.now.getTime()).to.equal(365 * dayMs);
    for (const days of [0, -1, 366, 1.5, Number.NaN])
      await expectRefused('invalid_input', async () => issue(acme, 'sandbox', days));
  });

  it('a production credential may be issued before plan and approval', async () => {
    const acme = await newCompany({ plan: null, approved: false });
    expect((await issue(acme, 'production')).secret).to.match(/^vaga_live_/);
  });

  it('an environment has at most five valid credentials; revoked and expired ones do not count', async () => {
    const acme = await newCompany();
    const { credentialId } = await issue(acme, 'sandbox', 365);
    for (let i = 0; i < 4; i++) await issue(acme, 'sandbox', 1);
    await expectRefused('credential_limit', () => issue(acme));
    await issue(acme, 'production');
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId });
    await issue(acme, 'sandbox', 365);
    await expectRefused('credential_limit', () => issue(acme));
    const ctx = actionContext();
    const tomorrow = { ...ctx, now: new Date(ctx.now.getTime() + dayMs + 60_000) };
    for (let i = 0; i < 4; i++) await issue(acme, 'sandbox', 365, tomorrow);
    await expectRefused('credential_limit', () => issue(acme, 'sandbox', 365, tomorrow));
  });

  it('twelve simultaneous issues do not exceed the limit of either environment', async () => {
    const acme = await newCompany();
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
  it('the next request is refused; a second revocation returns the time of the first', async () => {
    const acme = await newCompany();
    const asReader = await acme.reader('sandbox');
    expect((await asReader.get('/jobs')).status).to.equal(200);
    const { id: credentialId } = await db().credential.findFirstOrThrow({ where: { companyId: acme.id } });
    const first = await revokeCredential(actionContext(), { companyId: acme.id, credentialId });
    expect((await asReader.get('/jobs')).status).to.equal(401);
    const entries = await auditOf(acme.id);
    const lazy = { ...actionContext(), now: new Date(first.revokedAt.getTime() + 1000) };
    expect(await revokeCredential(lazy, { companyId: acme.id, credentialId })).to.deep.equal(first);
    expect(await auditOf(acme.id)).to.deep.equal(entries);
  });
});

describe('replaceCredential', () => {
  const account = (secret: string) => new RestClient(server(), 'sandbox', secret).get('/account');

  it('issues a credential of the same kind; the old one works until the overlap ends', async () => {
    const acme = await newCompany();
    const old = await acme.issue('sandbox', 'write');
    const fresh = await replaceCredential(actionContext(), {
      companyId: acme.id,
      credentialId: old.credentialId,
      overlapHours: 24,
      days: 10,
    });
    const row = await db().credential.findFirstOrThrow({ where: { companyId: acme.id, id: fresh.credentialId } });
    expect(row).to.include({ environment: 'sandbox', access: 'write', label: 'test' });
    expect([(await account(old.secret)).status, (await account(fresh.secret)).status]).to.deep.equal([200, 200]);
    clock.aheadMs = dayMs + 1000;
    const after = [await account(old.secret), await account(fresh.secret)];
    clock.aheadMs = 0;
    expect(after.map(({ status }) => status)).to.deep.equal([401, 200]);
    const entry = await lastAudit(acme.id);
    expect(entry.action).to.equal('credential.replaced');
    expect(entry.details).to.deep.equal({
      credential_id: Number(fresh.credentialId),
      replaced_id: Number(old.credentialId),
      access: 'write',
      days: 10,
      overlap_hours: 24,
    });
  });

  it('without an overlap the old one ends immediately, also with five valid ones', async () => {
    const acme = await newCompany();
    const all = [];
    for (let i = 0; i < 5; i++) all.push(await acme.issue('sandbox', 'read'));
    const name = { companyId: acme.id, credentialId: all[0]?.credentialId ?? 0n };
    await expectRefused('credential_limit', () => replaceCredential(actionContext(), { ...name, overlapHours: 1 }));
    expect((await account(all[0]?.secret ?? '')).status).to.equal(200);
    const fresh = await replaceCredential(actionContext(), { ...name, overlapHours: 0 });
    expect((await account(all[0]?.secret ?? '')).status).to.equal(401);
    expect((await account(fresh.secret)).status).to.equal(200);
    await expectRefused('credential_limit', () => acme.issue('sandbox', 'read'));
  });

  it('the overlap never extends the old credential', async () => {
    const acme = await newCompany();
    const { credentialId } = await acme.issue('sandbox', 'read', 1);
    const { expiresAt } = await db().credential.findFirstOrThrow({ where: { id: credentialId } });
    const replacement = { companyId: acme.id, credentialId, overlapHours: 720 };
    const { endsAt } = await replaceCredential(actionContext(), replacement);
    expect(endsAt).to.deep.equal(expiresAt);
  });
});
