import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import supertest from 'supertest';
import { type Environment, policy } from '../../src/domain/environment.ts';
import { makeSecret } from '../../src/domain/token.ts';
import { db, newCompany, server, startWholeApp } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';

const noToken = 'Bearer realm="vaga"';
const badToken =
  'Bearer realm="vaga", error="invalid_token", ' +
  'error_description="The token is malformed, unknown, expired, revoked or of the other environment."';

type Authorization = string | string[] | undefined;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** The answers of `getAccount` over REST and a message over MCP to each of these headers. A header may be repeated or absent. */
async function refusalsOf(rows: readonly Authorization[], challenge: string, environment: Environment = 'sandbox') {
  const { restBase, mcpPath } = policy[environment];
  const said = new Set<string>();
  for (const authorization of rows)
    for (const call of [supertest(server()).get(`${restBase}/account`), supertest(server()).post(mcpPath).send(ping)]) {
      if (authorization !== undefined) call.set('Authorization', authorization as string);
      const { status, headers, text } = await call;
      expect([status, headers['www-authenticate']], `${authorization}`).to.deep.equal([401, challenge]);
      said.add(text);
    }
  return [...said];
}

describe('authentication', () => {
  it('missing, malformed, unknown, mistyped, revoked and expired credentials get the same 401 over both protocols', async () => {
    const acme = await newCompany();
    const good = await acme.secret('sandbox', 'read');
    const mistyped = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
    const unknown = [
      'nonsense',
      makeSecret({ environment: 'sandbox', companyId: acme.id }, randomBytes(24)),
      mistyped,
      `${good}0`,
      good.toUpperCase(),
      await acme.ended('sandbox', 'revokedAt'),
      await acme.ended('sandbox', 'expiresAt'),
    ];
    const odd = ['', ' x', ` ${good} x`, ' "quoted", error="none"', ` ${'x'.repeat(300)}`].map(
      (rest) => `Bearer${rest}`,
    );
    const bearers = [...odd, ...unknown.map((secret) => `Bearer ${secret}`), 'bearer x'];
    const twice = ['Bearer', 'Basic'].map((scheme) => [`${scheme} ${good}`, `Bearer ${good}`]);
    const said = await refusalsOf([...bearers, ...twice], badToken);
    // An error code only if a bearer token was sent (RFC 6750 section 3.1).
    expect(
      await refusalsOf([undefined, '', `Basic ${good}`, good, `Bearers ${good}`, `Digest Bearer ${good}`], noToken),
    ).to.deep.equal(said);
    expect(said, 'one of REST and one of MCP').to.have.length(2);
  });

  for (const [environment, other] of [
    ['sandbox', 'production'],
    ['production', 'sandbox'],
  ] as const)
    it(`${environment}: from the prefix, the answer says only that a token belongs to the other environment`, async () => {
      const acme = await newCompany();
      const good = await acme.secret(other, 'read');
      const prefix = good.slice(0, 'vaga_live_'.length);
      const made = ['x', '', 'x'.repeat(300), '"'].map((rest) => prefix + rest);
      const tokens = [good, ` ${good}`, await acme.ended(other, 'revokedAt'), `${good}0`, ...made].map(
        (token) => `Bearer ${token}`,
      );
      const said = await refusalsOf(tokens, badToken, environment);
      expect(said, 'one of REST and one of MCP').to.have.length(2);
      for (const text of said)
        expect(text)
          .to.include(
            `this is a ${prefix} credential; the address is ${environment === 'sandbox' ? 'the ' : ''}${environment}'s`,
          )
          .and.include('"reason":"credential"');
      const twice = [`Bearer ${good}`, `Bearer ${good}`];
      const others = [
        ...(await refusalsOf([`Bearer ${good.toUpperCase()}`, `Bearer x${good}`, twice], badToken, environment)),
        ...(await refusalsOf([`Basic ${good}`, `Digest Bearer ${good}`], noToken, environment)),
      ];
      for (const text of others) expect(text).to.not.include('this is a');
    });

  it('only the Authorization header counts, not the query or a cookie; its scheme ignores case', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const anonymous = new RestClient(server(), 'sandbox', undefined);
    expect((await anonymous.get(`/account?access_token=${secret}`)).status).to.equal(401);
    expect((await anonymous.get('/account', { Cookie: `token=${secret}` })).status).to.equal(401);
    for (const scheme of ['bearer', 'BEARER '])
      expect((await anonymous.get('/account', { Authorization: `${scheme} ${secret}` })).status).to.equal(200);
  });

  it('the last use of a credential, and of no other, is recorded at most once a minute', async () => {
    let now = new Date();
    const { server, settle } = await startWholeApp({}, { clock: () => now });
    const acme = await newCompany();
    const asReader = await acme.reader('sandbox', server);
    const start = now.getTime();
    const unused = await acme.issue('sandbox', 'read');
    const lastUse = async (aheadMs: number) => {
      now = new Date(start + aheadMs);
      await asReader.get('/account');
      await settle();
      const used = await db().credential.findMany({ where: { companyId: acme.id, lastUsedAt: { not: null } } });
      return used.map(({ id, lastUsedAt }) => id !== unused.credentialId && (lastUsedAt?.getTime() ?? 0) - start);
    };
    expect(await lastUse(0)).to.deep.equal([0]);
    expect(await lastUse(59_999)).to.deep.equal([0]);
    expect(await lastUse(60_000)).to.deep.equal([60_000]);
  });
});
