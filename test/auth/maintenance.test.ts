import { expect } from 'chai';
import supertest from 'supertest';
import { endMaintenance, startMaintenance } from '../../src/operations/maintenance/set-maintenance.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, clock, db, newCompany, startApp } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';

describe('maintenance', () => {
  afterEach(async () => {
    clock.aheadMs = 0;
    await endMaintenance(actionContext(), {});
  });

  it('closes REST and MCP of every process with 503 and Retry-After, and opens them again', async () => {
    const acme = await newCompany();
    for (const at of [await startApp(), await startApp()]) {
      clock.aheadMs = 0;
      const reader = await acme.reader('sandbox', at);
      const agent = new McpClient(at, 'sandbox', await acme.secret('sandbox', 'read'));
      expect((await reader.get('/account')).status).to.equal(200);
      await startMaintenance(actionContext(), { retryAfter: 300 });
      clock.aheadMs = 1000;
      const answer = await reader.get('/account');
      expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, '300']);
      expect(answer.body.error.details).to.deep.equal({ reason: 'maintenance', retry_after_seconds: 300 });
      const call = await agent.request('tools/list');
      expect(call.status).to.equal(503);
      expect(call.body.error.data.reason).to.equal('maintenance');
      for (const path of ['/healthz', '/readyz', '/docs', '/dashboard/sign-in'])
        expect((await supertest(at).get(path)).status, path).to.equal(200);
      await endMaintenance(actionContext(), {});
      clock.aheadMs = 2000;
      expect((await reader.get('/account')).status).to.equal(200);
    }
  });

  it('is audited, and refuses an invalid time', async () => {
    await startMaintenance(actionContext(), { retryAfter: 60 });
    await endMaintenance(actionContext(), {});
    await endMaintenance(actionContext(), {});
    const entries = await db().auditEntry.findMany({
      where: { action: { startsWith: 'maintenance.' } },
      orderBy: { id: 'desc' },
      take: 2,
    });
    expect(entries.map(({ action }) => action)).to.deep.equal(['maintenance.ended', 'maintenance.started']);
    for (const retryAfterSeconds of [0, 86_401, 1.5])
      await expectRefused('invalid_input', () => startMaintenance(actionContext(), { retryAfter: retryAfterSeconds }));
  });
});
