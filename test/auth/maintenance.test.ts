import { expect } from 'chai';
import supertest from 'supertest';
import { MaintenanceSwitch } from '../../src/auth/maintenance-sql.ts';
import type { Rows } from '../../src/database/open.ts';
import { endMaintenance, startMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { actionContext, admission, db, later, newCompany, startApp } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { until } from '../helper/times.ts';

describe('maintenance', () => {
  afterEach(() => endMaintenance(actionContext(), {}));

  it('closes REST and MCP of every process with 503 and Retry-After, and opens them again', async () => {
    const acme = await newCompany();
    for (const at of [await startApp(), await startApp()]) {
      const reader = await acme.reader('sandbox', at);
      const agent = new McpClient(at, 'sandbox', await acme.secret('sandbox', 'read'));
      expect((await reader.get('/account')).status).to.equal(200);
      await startMaintenance(actionContext(), { retryAfter: 300 });
      const isAnswered = (status: number) => async () => (await reader.get('/account')).status === status;
      await later(1000, async () => {
        // The state is kept while the database takes longer than the switch waits.
        await until(isAnswered(503));
        const answer = await reader.get('/account');
        expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, '300']);
        expect(answer.body.error.details).to.deep.equal({ reason: 'maintenance', retry_after_seconds: 300 });
        const call = await agent.request('tools/list');
        expect([call.status, call.body.error.data.reason]).to.deep.equal([503, 'maintenance']);
        for (const path of ['/healthz', '/readyz', '/docs', '/dashboard/sign-in'])
          expect((await supertest(at).get(path)).status, path).to.equal(200);
      });
      await endMaintenance(actionContext(), {});
      await later(2000, () => until(isAnswered(200)));
    }
  });

  it('leaves other state of the service as it is', async () => {
    await db().serviceState.create({ data: { name: 'other', value: 1 } });
    await startMaintenance(actionContext(), { retryAfter: 300 });
    await startMaintenance(actionContext(), { retryAfter: 600 });
    await endMaintenance(actionContext(), {});
    expect(await db().serviceState.deleteMany({ where: { name: 'other' } })).to.deep.equal({ count: 1 });
    expect(await db().serviceState.count({ where: { name: 'maintenance' } })).to.equal(0);
  });

  it('is read at most once a second, and stays as it was while the database is away', async () => {
    let [reads, isAway] = [0, false];
    const rows: Rows['rows'] = async (sql) => {
      reads += 1;
      if (isAway) throw new Error('away');
      return admission().rows(sql);
    };
    const mode = new MaintenanceSwitch({ batchMax: 1, rows });
    await mode.assertOff(new Date(0));
    await startMaintenance(actionContext(), { retryAfter: 300 });
    await mode.assertOff(new Date(999));
    expect(reads).to.equal(1);
    await refusalOf(mode.assertOff(new Date(1000)));
    isAway = true;
    expect(await refusalOf(mode.assertOff(new Date(2000)))).to.include({ status: 503, code: 'maintenance' });
    expect(reads).to.equal(3);
  });
});
