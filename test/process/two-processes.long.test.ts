import { expect } from 'chai';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { actionContext, databaseUrl, newCompany } from '../helper/fixtures.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const count = <T>(values: readonly T[], value: T): number => values.filter((other) => other === value).length;

const rest = (at: ServiceProcess, secret: string): Promise<Response> =>
  fetch(`${at.address}/sandbox/v1/options`, { headers: { Authorization: `Bearer ${secret}` } });

const mcp = (at: ServiceProcess, secret: string): Promise<Response> =>
  fetch(`${at.address}/sandbox/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

const statusOf = async (call: Promise<Response>): Promise<number> => {
  const response = await call;
  await response.arrayBuffer();
  return response.status;
};

describe('two processes that share their limits', () => {
  let both: ServiceProcess[] = [];

  before(async function () {
    if (!databaseUrl()) return this.skip();
    const env = { DATABASE_URL: databaseUrl() ?? '' };
    both = await Promise.all([ServiceProcess.listening(env), ServiceProcess.listening(env)]);
  });
  after(async () => {
    for (const code of await Promise.all(both.splice(0).map((service) => service.stop()))) expect(code).to.equal(0);
  });

  it('exactly 60 of one company’s 200 simultaneous requests pass', async () => {
    const acme = await newCompany();
    const secrets = [await acme.secret('sandbox', 'read'), await acme.secret('sandbox', 'write')];
    const calls = Array.from({ length: 200 }, (_, n) =>
      (n % 3 === 0 ? mcp : rest)(both[n % 2] as ServiceProcess, secrets[(n >> 1) % 2] as string),
    );
    const statuses = await Promise.all(calls.map(statusOf));
    expect(count(statuses, 200)).to.equal(60);
    expect(count(statuses, 429)).to.equal(140);
    const [one] = both as [ServiceProcess];
    const refused = await rest(one, secrets[0] as string);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.headers.get('ratelimit-remaining')).to.equal('0');
    const other = await (await newCompany()).secret('sandbox', 'read');
    expect((await rest(one, other)).headers.get('ratelimit-remaining')).to.equal('59');
  });

  it('both refuse a credential revoked elsewhere on its next request, over both protocols', async () => {
    const acme = await newCompany();
    const { credentialId, secret } = await acme.issue('sandbox', 'write');
    for (const at of both) for (const call of [rest, mcp]) expect(await statusOf(call(at, secret))).to.equal(200);
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId });
    for (const at of both) for (const call of [rest, mcp]) expect(await statusOf(call(at, secret))).to.equal(401);
  });
});
