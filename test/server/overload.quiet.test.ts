import { once } from 'node:events';
import { request as open } from 'node:http';
import { expect } from 'chai';
import type { App } from '../../src/app.ts';
import { portOf } from '../helper/address.ts';
import { newCompany, startWholeApp } from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient } from '../helper/mcp-client.ts';
import { ask, head, open as openSocket } from '../helper/raw-http.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const inFlight = async (app: App, count: number): Promise<void> => {
  while (app.stats().inFlight !== count) await new Promise(setImmediate);
};

describe('overload', () => {
  it('past the limit a counted request gets 503 with Retry-After before its body is read; slots are released', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '2' });
    const acme = await newCompany();
    const writer = await acme.writer('sandbox', server);
    const secret = await acme.secret('sandbox', 'write');
    const other = await (await newCompany()).secret('sandbox', 'write');
    const body = JSON.stringify(minimalJob);
    const slow = ['a', 'b'].map((key) => {
      const headers = {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'Idempotency-Key': key,
      };
      const sent = open({ port: portOf(server), path: '/sandbox/v1/jobs', method: 'POST', headers });
      sent.write(body.slice(0, 10));
      return sent;
    });
    await inFlight(app, 2);
    const answer = await writer.get('/account');
    expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, '1']);
    expect(answer.body.error.details).to.deep.equal({ reason: 'overload', retry_after_seconds: 1 });
    expect(answer.headers).to.have.property('ratelimit-remaining');
    const tools = await new McpClient(server, 'sandbox', other).request('tools/list');
    expect([tools.status, tools.body.error.data.reason]).to.deep.equal([503, 'overload']);
    const modern = await new ModernMcpClient(server, 'sandbox', other).request('tools/list');
    expect([modern.status, modern.body.error.code, 'id' in modern.body]).to.deep.equal([503, 503, false]);
    const statuses = slow.map(async (sent) => {
      sent.end(body.slice(10));
      const [response] = await once(sent, 'response');
      await once(response.resume(), 'end');
      return response.statusCode;
    });
    expect(await Promise.all(statuses)).to.deep.equal([201, 201]);
    await inFlight(app, 0);
    expect((await writer.get('/account')).status).to.equal(200);
    expect(app.stats().overloadRefusals).to.equal(3);
  });

  it('counts absolute-form targets, and no path that only begins like the API', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '1' });
    const acme = await newCompany();
    const bearer = async (environment: 'sandbox' | 'production') =>
      `Authorization: Bearer ${await acme.secret(environment, 'write')}`;
    const held = openSocket(server).on('error', () => undefined);
    const unfinished = ['Content-Type: application/json', 'Content-Length: 100'];
    held.write(head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', await bearer('sandbox'), ...unfinished));
    await inFlight(app, 1);
    for (const [target, status] of [
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
      const answer = await ask(server, `POST ${target}`, 'Host: localhost', auth, 'Content-Length: 0');
      expect(answer.status, target).to.equal(status);
    }
    held.destroy();
  });
});
