import type { Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { openDatabase } from '../../src/database/open.ts';
import type { AccessEntry } from '../../src/domain/access-entry.ts';
import { openLog } from '../../src/log.ts';
import { AccessLog, MinuteSample } from '../../src/telemetry/access-log.ts';
import { clock, db, everywhere, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';

const silent = openLog('silent');
const dayMs = 86_400_000;

const entryOf = ({ id }: TestCompany, own: Partial<AccessEntry> = {}): AccessEntry => ({
  companyId: id,
  environment: 'sandbox',
  at: new Date(),
  requestId: 'r',
  protocol: 'rest',
  operation: 'getJob',
  status: 200,
  credentialId: 1,
  latencyMs: 3,
  traceparent: null,
  reason: null,
  fields: [],
  ...own,
});

const countOf = ({ id }: TestCompany): Promise<number> => db().accessEntry.count({ where: { companyId: id } });

describe('AccessLog', () => {
  let timers: Clock | undefined;
  afterEach(() => timers?.uninstall());

  it('drops and counts entries past 10,000 waiting ones, and writes the rest on flush', async () => {
    const acme = await newCompany();
    const accessLog = new AccessLog(everywhere(db()), silent, () => new Date());
    // The first 500 are under way at once, 10,000 wait, 100 are too many.
    for (let n = 0; n < 10_600; n++) accessLog.record(entryOf(acme));
    expect(accessLog.dropped).to.equal(100);
    await accessLog.flush();
    expect(await countOf(acme)).to.equal(10_500);
  });

  it('a failing database only costs the entries, which are counted', async () => {
    const acme = await newCompany();
    const store = await openDatabase({ dataDir: ':memory:' });
    await store.close();
    const accessLog = new AccessLog(store, silent, () => new Date());
    for (let n = 0; n < 3; n++) accessLog.record(entryOf(acme));
    await accessLog.flush();
    expect(accessLog.dropped).to.equal(3);
  });

  it('deletes entries older than seven days, and no younger ones', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const now = Date.now();
    const before = new AccessLog(everywhere(db()), silent, () => new Date(now - 30 * dayMs));
    for (const days of [30, 8, 7.01])
      before.record(entryOf(acme, { at: new Date(now - days * dayMs), requestId: 'old' }));
    for (const days of [6.99, 0])
      before.record(entryOf(acme, { at: new Date(now - days * dayMs), requestId: 'young' }));
    before.record(entryOf(other, { environment: 'production', at: new Date(now - 9 * dayMs) }));
    await before.flush();
    expect(await countOf(acme)).to.equal(5);
    let aheadMs = 0;
    const after = new AccessLog(everywhere(db()), silent, () => new Date(now + aheadMs));
    after.record(entryOf(acme, { requestId: 'young' }));
    await after.flush();
    const rows = await db().accessEntry.findMany({ where: { companyId: acme.id } });
    expect(rows.map(({ requestId }) => requestId)).to.deep.equal(['young', 'young', 'young']);
    expect(await countOf(other)).to.equal(0);
    aheadMs = -3_600_000;
    after.record(entryOf(other, { at: new Date(now - 8 * dayMs) }));
    await after.flush();
    expect(await countOf(other), 'also after the clock has stepped back').to.equal(0);
  });

  it('samples at most 10,000 keys per minute', () => {
    const sample = new MinuteSample();
    const now = new Date();
    for (let key = 0; key < 10_000; key++) expect(sample.takes(String(key), now)).to.equal(true);
    expect([sample.takes('another', now), sample.takes('7', now)]).to.deep.equal([false, true]);
    expect(sample.takes('another', new Date(now.getTime() + 60_000))).to.equal(true);
  });
});

describe('the access log of a company past its limit', () => {
  const statusesOf = async ({ id }: TestCompany, protocol: 'rest' | 'mcp'): Promise<Record<string, number>> => {
    const rows = await db().accessEntry.groupBy({
      by: ['status'],
      where: { companyId: id, protocol },
      _count: true,
    });
    return Object.fromEntries(rows.map(({ status, _count }) => [String(status), _count]));
  };

  it('lists its refusals over REST and MCP, and does not grow with a flood of them', async () => {
    const { server, settle } = await startWholeApp({ REQUESTS_PER_MINUTE: '3' });
    const [byRest, byMcp] = [await newCompany(), await newCompany()];
    const reader = await byRest.reader('sandbox', server);
    const agent = new McpClient(server, 'sandbox', await byMcp.secret('sandbox', 'read'));
    const flood = async (): Promise<void> => {
      for (let n = 0; n < 15; n++) await agent.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await Promise.all(Array.from({ length: 15 }, () => [reader.get('/account'), agent.request('tools/list')]).flat());
      await settle();
    };
    // From the first millisecond of a minute on.
    clock.aheadMs = 60_000 - (Date.now() % 60_000);
    try {
      await flood();
      const first = [await statusesOf(byRest, 'rest'), await statusesOf(byMcp, 'mcp')];
      expect(first).to.deep.equal([
        { 200: 3, 429: 10 },
        { 200: 3, 202: 10, 429: 10 },
      ]);
      await flood();
      expect([await statusesOf(byRest, 'rest'), await statusesOf(byMcp, 'mcp')]).to.deep.equal(first);
    } finally {
      clock.aheadMs = 0;
    }
  });
});
