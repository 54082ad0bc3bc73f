import { once } from 'node:events';
import { expect } from 'chai';
import { newCompany, startWholeApp } from '../helper/fixtures.ts';
import { ModernMcpClient } from '../helper/mcp-client.ts';
import { ask, head, open, parseAnswer } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { times, until } from '../helper/times.ts';

it('past the limit a counted request gets 503 with Retry-After before its body is read, however its target is written', async () => {
  const { log, lines: logged } = recordedLog();
  const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '2' }, { log });
  const [acme, other] = [await newCompany(), await newCompany()];
  const bearer = async (environment: 'sandbox' | 'production') =>
    `Authorization: Bearer ${await other.secret(environment, 'write')}`;
  const body = JSON.stringify(minimalJob);
  const lines = [
    `Authorization: Bearer ${await acme.secret('sandbox', 'write')}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const slow = times(2, (n) => {
    const socket = open(server);
    const begun = head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', `Idempotency-Key: ${n}`, ...lines);
    socket.write(begun + body.slice(0, 10));
    return socket;
  });
  await until(() => app.stats().inFlight === 2);

  const client = await acme.writer('sandbox', server);
  const refused = await client.get('/account');
  expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '1']);
  expect(refused.body.error.details).to.deep.equal({ reason: 'overload', retry_after_seconds: 1 });
  expect(refused.headers).to.have.property('ratelimit-remaining');
  const modern = new ModernMcpClient(server, 'sandbox', await other.secret('sandbox', 'write'));
  const { status, body: answer } = await modern.request('tools/list');
  expect([status, answer.error.code, answer.error.data.reason, 'id' in answer]).to.deep.equal([
    503,
    503,
    'overload',
    false,
  ]);
  for (const [target, expected] of [
    ['/sandbox/mcp', 503],
    ['http://localhost/sandbox/v1/account', 503],
    ['http://localhost/v1?page=1', 503],
    ['HTTP://localhost/mcp', 503],
    ['/v1/', 503],
    ['/mcp/?x', 503],
    ['/v10/jobs', 404],
    ['/v1.json', 404],
    ['/mcpx', 404],
    ['/mcp/x', 404],
    ['http://localhost/sandbox/v10', 404],
  ] as const) {
    const auth = await bearer(target.includes('sandbox') ? 'sandbox' : 'production');
    const { status } = await ask(server, `POST ${target}`, 'Host: localhost', auth, 'Content-Length: 0');
    expect(status, target).to.equal(expected);
  }
  expect(app.stats().overloadRefusals).to.equal(8);
  const refusals = logged.filter((line) => line.status === 503 || /overload/.test(String(line.msg)));
  expect(refusals.map(({ msg }) => msg)).to.deep.equal(['requests are refused for overload']);

  for (const socket of slow) {
    const answered = once(socket, 'data');
    socket.write(body.slice(10));
    expect(parseAnswer(String(await answered)).status).to.equal(201);
    socket.destroy();
  }
  await until(() => app.stats().inFlight === 0);
  expect((await client.get('/account')).status, 'places are released').to.equal(200);
});
