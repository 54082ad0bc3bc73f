import { expect } from 'chai';
import supertest from 'supertest';
import { endMaintenance, startMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { actionContext, db, later, newCompany, startApp } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';

describe('maintenance', () => {
  afterEach(() => endMaintenance(actionContext(), {}));

  it('closes REST and MCP of every process with 503 and Retry-After, opens them again, and is audited', async () => {
    const acme = await newCompany();
    for (const at of [await startApp(), await startApp()]) {
      const reader = await acme.reader('sandbox', at);
      const agent = new McpClient(at, 'sandbox', await acme.secret('sandbox', 'read'));
      expect((await reader.get('/account')).status).to.equal(200);
      await startMaintenance(actionContext(), { retryAfter: 300 });
      await later(1000, async () => {
        const answer = await reader.get('/account');
        expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, '300']);
        expect(answer.body.error.details).to.deep.equal({ reason: 'maintenance', retry_after_seconds: 300 });
        const call = await agent.request('tools/list');
        expect([call.status, call.body.error.data.reason]).to.deep.equal([503, 'maintenance']);
        for (const path of ['/healthz', '/readyz', '/docs', '/dashboard/sign-in'])
          expect((await supertest(at).get(path)).status, path).to.equal(200);
      });
      // The second time it is not recorded.
      for (let n = 0; n < 2; n++) await endMaintenance(actionContext(), {});
      await later(2000, async () => expect((await reader.get('/account')).status).to.equal(200));
    }
    const where = { action: { startsWith: 'maintenance.' } };
    const entries = await db().auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: 2 });
    expect(entries.map(({ action }) => action)).to.deep.equal(['maintenance.ended', 'maintenance.started']);
  });
});
