import { expect } from 'chai';
import supertest from 'supertest';
import { policy } from '../../src/domain/environment.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { actionContext, clock, db, newCompany, server } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';

const as = (secret: string | undefined, environment: 'sandbox' | 'production' = 'sandbox') =>
  new RestClient(server(), environment, secret);

const noToken = 'Bearer realm="vaga"';
const badToken =
  'Bearer realm="vaga", error="invalid_token", ' +
  'error_description="The token is malformed, unknown, expired, revoked or of the other environment."';

describe('authentication', () => {
  it('missing, malformed, unknown, mistyped, revoked and expired credentials get the same 401', async () => {
    const acme = await newCompany();
    const good = await acme.secret('sandbox', 'read');
    const mistyped = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
    const revoked = await acme.issue('sandbox', 'read');
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId: revoked.credentialId });
    const expired = await acme.issue('sandbox', 'read');
    await db().credential.updateMany({
      where: { companyId: acme.id, id: expired.credentialId },
      data: { expiresAt: clock.now() },
    });
    const bad = [undefined, 'nonsense', mistyped, `${good}0`, good.toUpperCase(), revoked.secret, expired.secret];
    const bodies = new Set<string>();
    for (const secret of bad) {
      const { status, headers, text } = await as(secret).get('/account');
      expect(status, secret).to.equal(401);
      expect(headers['www-authenticate']).to.equal(secret === undefined ? noToken : badToken);
      bodies.add(text);
    }
    expect(bodies.size).to.equal(1);
    expect((await as(good).get('/account')).status).to.equal(200);
  });

  for (const [environment, other, mistake] of [
    ['sandbox', 'production', "this is a vaga_live_ token; the address is the sandbox's"],
    ['production', 'sandbox', "this is a vaga_test_ token; the address is production's"],
  ] as const)
    it(`${environment} says by the prefix only that a token is of the other environment`, async () => {
      const acme = await newCompany();
      const revoked = await acme.issue(other, 'read');
      await revokeCredential(actionContext(), { companyId: acme.id, credentialId: revoked.credentialId });
      const good = await acme.secret(other, 'read');
      const prefix = good.slice(0, 'vaga_live_'.length);
      const tokens = [good, revoked.secret, `${good}0`, `${prefix}x`, prefix, prefix + 'x'.repeat(300), `${prefix}"`];
      const bodies = new Set<string>();
      for (const token of tokens)
        for (const path of [`${policy[environment].restBase}/account`, policy[environment].mcpPath]) {
          const call = path.endsWith('mcp') ? supertest(server()).post(path) : supertest(server()).get(path);
          const { status, headers, body, text } = await call.set('Authorization', `Bearer ${token}`);
          expect([status, headers['www-authenticate']], token).to.deep.equal([401, badToken]);
          const { message, data, details = data } = body.error;
          expect(message).to.equal(`A valid credential of this environment is needed: ${mistake}.`);
          expect(details.reason).to.equal('credential');
          bodies.add(text);
        }
      expect(bodies.size, 'one of REST and one of MCP').to.equal(2);
      const rest = (authorization: string | string[]) =>
        supertest(server())
          .get(`${policy[environment].restBase}/account`)
          .set('Authorization', authorization as string);
      for (const authorization of [good, `Basic ${good}`, `Bearer ${good.toUpperCase()}`, `Bearer x${good}`])
        expect((await rest(authorization)).body.error.message, authorization).to.not.include('this is a');
      expect((await rest([`Bearer ${good}`, `Bearer ${good}`])).body.error.message).to.not.include('this is a');
    });

  it('only the Authorization header counts, neither the query nor a cookie; its scheme has no case', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    expect((await as(undefined).get(`/account?access_token=${secret}`)).status).to.equal(401);
    expect((await as(undefined).get('/account', { Cookie: `token=${secret}` })).status).to.equal(401);
    expect((await as(undefined).get('/account', { Authorization: `bearer ${secret}` })).status).to.equal(200);
  });

  it('WWW-Authenticate has an error code only if a bearer token was sent (RFC 6750 section 3.1)', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const rows: [authorization: string | string[], challenge: string][] = [
      ['', noToken],
      [`Basic ${secret}`, noToken],
      [secret, noToken],
      [`Bearers ${secret}`, noToken],
      ['Bearer', badToken],
      ['bearer x', badToken],
      ['Bearer "quoted", error="none"', badToken],
      [`Bearer ${'x'.repeat(300)}`, badToken],
      [[`Bearer ${secret}`, `Bearer ${secret}`], badToken],
      [['Basic x', `Bearer ${secret}`], badToken],
    ];
    for (const [authorization, challenge] of rows)
      for (const path of ['/sandbox/v1/account', '/sandbox/mcp']) {
        const call = path.endsWith('mcp') ? supertest(server()).post(path) : supertest(server()).get(path);
        const { status, headers } = await call.set('Authorization', authorization as string);
        expect(status, `${authorization}`).to.equal(401);
        expect(headers['www-authenticate'], `${path} ${authorization}`).to.equal(challenge);
      }
  });

  it('the last use is recorded, at most once a minute', async () => {
    const acme = await newCompany();
    const asReader = await acme.reader('sandbox');
    const lastUse = async () => (await db().credential.findFirstOrThrow({ where: { companyId: acme.id } })).lastUsedAt;
    const until = async (holds: (at: Date | null) => boolean) => {
      for (let round = 0; round < 100; round++) if (holds(await lastUse())) return;
      throw new Error('the last use was not written');
    };
    await asReader.get('/account');
    await until((at) => at !== null);
    const first = await lastUse();
    await asReader.get('/account');
    expect(await lastUse()).to.deep.equal(first);
    try {
      clock.aheadMs = 61_000;
      await asReader.get('/account');
      await until((at) => at !== null && first !== null && at > first);
    } finally {
      clock.aheadMs = 0;
    }
  });
});

describe('scopes', () => {
  it('a read credential reads everything and writes nothing', async () => {
    const asReader = await (await newCompany()).reader('sandbox');
    for (const path of ['/account', '/categories', '/regions', '/districts', '/options', '/jobs'])
      expect((await asReader.get(path)).status, path).to.equal(200);
    for (const refused of [await asReader.create({}), await asReader.patch(1, {}), await asReader.withdraw(1)]) {
      expect(refused.status).to.equal(403);
      expect(refused.body.error.details).to.deep.equal({ reason: 'scope', required_scope: 'jobs:write' });
      expect(refused.headers['www-authenticate']).to.equal(
        'Bearer realm="vaga", error="insufficient_scope", scope="jobs:write"',
      );
    }
  });
});

describe('eligibility', () => {
  const reasonOf = async (client: RestClient) => (await client.get('/account')).body.error?.details.reason ?? 'none';

  it('the sandbox is open to verified companies in good standing, whatever their plan', async () => {
    expect(await reasonOf(await (await newCompany({ plan: null, approved: false })).reader('sandbox'))).to.equal(
      'none',
    );
    expect(await reasonOf(await (await newCompany({ verified: false })).reader('sandbox'))).to.equal('permission');
    const suspended = await newCompany();
    await db().company.update({ where: { id: suspended.id }, data: { suspendedAt: clock.now() } });
    expect(await reasonOf(await suspended.reader('sandbox'))).to.equal('permission');
    expect(await reasonOf(await suspended.reader('production'))).to.equal('permission');
  });

  it('production needs an eligible plan and approval', async () => {
    const expected = [
      ['Pro', true, 'none'],
      ['VIP', true, 'none'],
      ['Especial', true, 'none'],
      ['Base', true, 'plan'],
      ['Gratuito', true, 'plan'],
      [null, true, 'plan'],
      ['Pro', false, 'approval'],
    ] as const;
    for (const [plan, approved, reason] of expected)
      expect(await reasonOf(await (await newCompany({ plan, approved })).reader('production')), `${plan}`).to.equal(
        reason,
      );
  });

  it('access ends with the subscription', async () => {
    const acme = await newCompany();
    const asReader = await acme.reader('production');
    expect(await reasonOf(asReader)).to.equal('none');
    await db().subscription.update({ where: { companyId: acme.id }, data: { endsAt: clock.now() } });
    expect(await reasonOf(asReader)).to.equal('plan');
  });

  it('a complimentary grant opens production without a plan through its last day', async () => {
    const acme = await newCompany({ plan: null });
    const asReader = await acme.reader('production');
    const yesterday = new Date(clock.now().getTime() - 2 * 86_400_000);
    const grant = { companyId: acme.id, monthlyLimit: 7, startedOn: yesterday };
    await db().complimentaryGrant.create({ data: grant });
    const { body } = await asReader.get('/account');
    expect(body.data).to.deep.include({ access_type: 'complimentary', plan: null });
    expect(body.data.jobs).to.include({ limit: 7, used: 0, remaining: 7 });
    await db().complimentaryGrant.update({ where: { companyId: acme.id }, data: { expiresOn: yesterday } });
    expect(await reasonOf(asReader)).to.equal('plan');
  });
});
