import { expect } from 'chai';
import supertest from 'supertest';
import { type Environment, policy } from '../../src/domain/environment.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { actionContext, clock, db, newCompany, server, startWholeApp } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';

const noToken = 'Bearer realm="vaga"';
const badToken =
  'Bearer realm="vaga", error="invalid_token", ' +
  'error_description="The token is malformed, unknown, expired, revoked or of the other environment."';

/** What `getAccount` over REST and a message over MCP get with this header, which may be sent twice or not at all. */
const bothAnswers = async (authorization: string | string[] | undefined, environment: Environment = 'sandbox') => {
  const { restBase, mcpPath } = policy[environment];
  const calls = [supertest(server()).get(`${restBase}/account`), supertest(server()).post(mcpPath)];
  for (const call of calls) if (authorization !== undefined) call.set('Authorization', authorization as string);
  return Promise.all(calls);
};

describe('authentication', () => {
  it('missing, malformed, unknown, mistyped, revoked and expired credentials get the same 401 over both protocols', async () => {
    const acme = await newCompany();
    const { id: companyId } = acme;
    const good = await acme.secret('sandbox', 'read');
    const mistyped = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
    const [revoked, expired] = [await acme.issue('sandbox', 'read'), await acme.issue('sandbox', 'read')];
    await revokeCredential(actionContext(), { companyId, credentialId: revoked.credentialId });
    const where = { companyId, id: expired.credentialId };
    await db().credential.updateMany({ where, data: { expiresAt: clock.now() } });
    const unknown = ['nonsense', mistyped, `${good}0`, good.toUpperCase(), revoked.secret, expired.secret];
    // An error code only if a bearer token was sent (RFC 6750 section 3.1).
    const rows: [authorization: string | string[] | undefined, challenge: string][] = [
      ...unknown.map((secret): [string, string] => [`Bearer ${secret}`, badToken]),
      [undefined, noToken],
      ['', noToken],
      [`Basic ${good}`, noToken],
      [good, noToken],
      [`Bearers ${good}`, noToken],
      ['Bearer', badToken],
      ['bearer x', badToken],
      ['Bearer "quoted", error="none"', badToken],
      [`Bearer ${'x'.repeat(300)}`, badToken],
      [[`Bearer ${good}`, `Bearer ${good}`], badToken],
      [['Basic x', `Bearer ${good}`], badToken],
    ];
    const bodies = new Set<string>();
    for (const [authorization, challenge] of rows)
      for (const { status, headers, text } of await bothAnswers(authorization)) {
        expect([status, headers['www-authenticate']], `${authorization}`).to.deep.equal([401, challenge]);
        bodies.add(text);
      }
    expect(bodies.size, 'one of REST and one of MCP').to.equal(2);
  });

  for (const [environment, other] of [
    ['sandbox', 'production'],
    ['production', 'sandbox'],
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
        for (const { status, headers, body, text } of await bothAnswers(`Bearer ${token}`, environment)) {
          expect([status, headers['www-authenticate']], token).to.deep.equal([401, badToken]);
          const { message, data, details = data } = body.error;
          expect(message).to.include(`this is a ${prefix} token`);
          expect(details.reason).to.equal('credential');
          bodies.add(text);
        }
      expect(bodies.size, 'one of REST and one of MCP').to.equal(2);
      const others = [good, `Basic ${good}`, `Bearer ${good.toUpperCase()}`, `Bearer x${good}`];
      for (const authorization of [...others, [`Bearer ${good}`, `Bearer ${good}`]])
        for (const { body } of await bothAnswers(authorization, environment))
          expect(body.error.message, `${authorization}`).to.not.include('this is a');
    });

  it('only the Authorization header counts, neither the query nor a cookie; its scheme has no case', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const anonymous = new RestClient(server(), 'sandbox', undefined);
    expect((await anonymous.get(`/account?access_token=${secret}`)).status).to.equal(401);
    expect((await anonymous.get('/account', { Cookie: `token=${secret}` })).status).to.equal(401);
    expect((await anonymous.get('/account', { Authorization: `bearer ${secret}` })).status).to.equal(200);
  });

  it('the last use is recorded, at most once a minute', async () => {
    const { server, settle } = await startWholeApp();
    const acme = await newCompany();
    const asReader = await acme.reader('sandbox', server);
    const lastUse = async (aheadMs: number) => {
      clock.aheadMs = aheadMs;
      await asReader.get('/account');
      await settle();
      return (await db().credential.findFirstOrThrow({ where: { companyId: acme.id } })).lastUsedAt?.getTime() ?? 0;
    };
    const first = await lastUse(0);
    expect(first).to.be.above(0);
    expect(await lastUse(1000)).to.equal(first);
    expect(await lastUse(61_000)).to.be.above(first);
  });
});
