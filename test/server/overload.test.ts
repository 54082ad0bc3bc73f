import { expect } from 'chai';
import { newCompany, startWholeApp } from '../helper/fixtures.ts';
import { heldDatabase } from '../helper/gated-database.ts';
import { ModernMcpClient } from '../helper/mcp-client.ts';
import { head, parseAnswer, raw } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { times, until } from '../helper/times.ts';

it('past the limit a counted request gets 503 with Retry-After, however its target is written', async () => {
  const { log, lines: logged } = recordedLog();
  const held = heldDatabase();
  const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '2' }, { log, db: held.db });
  const [acme, other] = [await newCompany(), await newCompany()];
  const writer = await acme.writer('sandbox', server);
  const working = times(2, () => writer.create(minimalJob));
  await until(() => app.stats().inFlight === 2);

  const client = await other.writer('sandbox', server);
  const refused = await client.get('/account');
  expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '1']);
  expect(refused.body.error.details).to.deep.equal({ reason: 'overload', retry_after_seconds: 1 });
  expect(refused.headers).to.have.property('ratelimit-remaining');
  const modern = new ModernMcpClient(server, 'sandbox', await other.secret('sandbox', 'write'));
  const { status, body: answer } = await modern.request('tools/call', { name: 'get_account', arguments: {} });
  expect([status, answer.error.code, answer.error.data.reason]).to.deep.equal([503, 503, 'overload']);
  expect((await modern.request('tools/list')).status, 'needs no place').to.equal(200);
  const bearer = `Authorization: Bearer ${await other.secret('sandbox', 'write')}`;
  for (const [target, expected] of [
    ['/sandbox/v1/account?page=1', 503],
    ['http://localhost/sandbox/v1/account', 503],
    ['HTTP://localhost/sandbox/v1/account', 503],
    ['/sandbox/v1/', 404],
    ['/sandbox/v10/account', 404],
    ['http://localhost/sandbox/v10', 404],
  ] as const) {
    const request = head(`GET ${target} HTTP/1.1`, 'Host: localhost', bearer, 'Connection: close');
    expect(parseAnswer(await raw(server, request)).status, target).to.equal(expected);
  }
  expect(app.stats().overloadRefusals).to.equal(5);
  const refusals = logged.filter((line) => line.status === 503 || /overload/.test(String(line.msg)));
  expect(refusals.map(({ msg }) => msg)).to.deep.equal(['requests are refused for overload']);

  held.release();
  for (const { status } of await Promise.all(working)) expect(status).to.equal(201);
  await until(() => app.stats().inFlight === 0);
  expect((await client.get('/account')).status, 'places are released').to.equal(200);
});
