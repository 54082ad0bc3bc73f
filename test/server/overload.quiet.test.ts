import { once } from 'node:events';
import { request as open } from 'node:http';
import { expect } from 'chai';
import { portOf } from '../helper/address.ts';
import { newCompany, startWholeApp } from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient } from '../helper/mcp-client.ts';
import { head, open as openSocket, parseAnswer, raw } from '../helper/raw-http.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const unfinished = ['Content-Type: application/json', 'Content-Length: 100'];

describe('overload', () => {
  it('past the limit a counted request gets 503 with Retry-After before its body is read; slots are released', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '2' });
    const acme = await newCompany();
    const writer = await acme.writer('sandbox', server);
    const secret = await acme.secret('sandbox', 'write');
    const body = JSON.stringify(minimalJob);
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const port = portOf(server);
    const slow = ['a', 'b'].map((key) => {
      const sent = open({
        port,
        path: '/sandbox/v1/jobs',
        method: 'POST',
        headers: { ...headers, 'Idempotency-Key': key },
      });
      sent.write(body.slice(0, 10));
      return sent;
    });
    while (app.stats().inFlight < 2) await new Promise(setImmediate);
    const answer = await writer.get('/account');
    expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, '1']);
    expect(answer.body.error.details).to.deep.equal({ reason: 'overload', retry_after_seconds: 1 });
    expect(answer.headers).to.have.property('ratelimit-remaining');
    const tools = await new McpClient(server, 'sandbox', secret).request('tools/list');
    expect([tools.status, tools.body.error.data.reason]).to.deep.equal([503, 'overload']);
    const modern = await new ModernMcpClient(server, 'sandbox', secret).request('tools/list');
    expect([modern.status, modern.body.error.code, 'id' in modern.body]).to.deep.equal([503, 503, false]);
    const statuses = slow.map(async (sent) => {
      sent.end(body.slice(10));
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    });
    expect(await Promise.all(statuses)).to.deep.equal([201, 201]);
    while (app.stats().inFlight > 0) await new Promise(setImmediate);
    expect((await writer.get('/account')).status).to.equal(200);
    expect(app.stats().overloadRefusals).to.equal(3);
  });

  it('counts absolute-form targets, and no path that only begins like the API', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '1' });
    const acme = await newCompany();
    const secret = await acme.secret('sandbox', 'write');
    const live = await acme.secret('production', 'write');
    const upload = head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', `Authorization: Bearer ${secret}`, ...unfinished);
    const held = openSocket(server).on('error', () => undefined);
    held.write(upload);
    while (app.stats().inFlight < 1) await new Promise(setImmediate);
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
      const bearer = `Authorization: Bearer ${target.includes('sandbox') ? secret : live}`;
      const request = head(
        `POST ${target} HTTP/1.1`,
        'Host: localhost',
        bearer,
        'Content-Length: 0',
        'Connection: close',
      );
      const answer = parseAnswer(await raw(server, request));
      expect([target, answer.status]).to.deep.equal([target, status]);
    }
    held.destroy();
  });
});
