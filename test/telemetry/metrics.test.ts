import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { openMetrics } from '../../src/server/metrics-server.ts';
import { portOf } from '../helper/address.ts';
import { newCompany, startWholeApp } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { McpClient } from '../helper/mcp-client.ts';

const figures = { running: 1, waiting: 2, ended: 3 };
const unused = { totalCount: 0, idleCount: 0, waitingCount: 0 };
const pools = [{ ...unused, totalCount: 1, idleCount: 1 }, { ...unused, totalCount: 3, idleCount: 2 }, unused];

async function withMetrics(work: (read: (path?: string) => Promise<Response>, at: Server) => Promise<void>) {
  const port = await freePort();
  const metrics = await openMetrics({ host: '127.0.0.1', port });
  try {
    const { server, app } = await startWholeApp({}, { observe: metrics.observe });
    metrics.watch(() => ({ app: app.stats(), pools, sanitizer: figures, insurance: undefined }));
    await work((path = '/metrics') => fetch(`http://127.0.0.1:${port}${path}`), server);
  } finally {
    metrics.close();
  }
}

describe('metrics', () => {
  it('count responses by operation, protocol, environment and status, and report current values', () =>
    withMetrics(async (read, at) => {
      const acme = await newCompany();
      const reader = await acme.reader('sandbox', at);
      await reader.get('/account');
      await reader.get('/jobs/1234567');
      await new McpClient(at, 'sandbox', await acme.secret('sandbox', 'read')).request('tools/list');
      const answer = await read();
      expect(answer.headers.get('content-type')).to.contain('text/plain');
      const text = await answer.text();
      const count = (labels: string) =>
        new RegExp(`^vaga_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1];
      expect(count('operation="getAccount",protocol="rest",environment="sandbox",status="200"')).to.equal('1');
      expect(count('operation="getJob",protocol="rest",environment="sandbox",status="404"')).to.equal('1');
      expect(count('operation="none",protocol="mcp",environment="sandbox",status="200"')).to.equal('1');
      for (const line of [
        'vaga_requests_in_flight 0',
        'vaga_sanitizer_running 1',
        'vaga_sanitizer_waiting 2',
        'vaga_sanitizer_ended_total 3',
        'vaga_pool_connections 4',
        'vaga_pool_idle 3',
        'vaga_limits_shared 0',
        'vaga_overload_refusals_total 0',
        'vaga_request_log_dropped_total 0',
      ])
        expect(text.split('\n')).to.include(line);
      expect(text).to.contain('nodejs_eventloop_lag_p99_seconds');
      expect(await (await read()).text(), 'a counter is not added up again').to.contain(
        'vaga_sanitizer_ended_total 3\n',
      );
      expect((await read('/')).status).to.equal(404);
      expect(text).not.to.contain(await acme.secret('sandbox', 'read'));
    }));

  it('are not served without a port, and a port in use stops the start with one line', async () => {
    expect((await openMetrics(undefined)).observe).to.equal(undefined);
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = portOf(taken);
    const failure = await openMetrics({ host: '127.0.0.1', port }).catch((error: Error) => error.message);
    expect(failure).to.equal(`cannot listen on METRICS_HOST 127.0.0.1, METRICS_PORT ${port}: EADDRINUSE`);
    taken.close();
  });
});
