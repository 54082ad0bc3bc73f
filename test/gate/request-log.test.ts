import { type Clock, install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import type { RequestEntry } from '../../src/domain/request-entry.ts';
import { RequestLog } from '../../src/gate/request-log.ts';
import { openLog } from '../../src/log.ts';
import { openStore } from '../../src/store/open.ts';
import { db, newCompany, type TestCompany } from '../helper/world.ts';

const silent = openLog('silent');
const dayMs = 86_400_000;

const entryOf = ({ id }: TestCompany, own: Partial<RequestEntry> = {}): RequestEntry => ({
  companyId: id,
  environment: 'sandbox',
  at: new Date(),
  requestId: 'r',
  protocol: 'rest',
  operation: 'getJob',
  status: 200,
  credentialId: 1,
  latencyMs: 3,
  ...own,
});

const countOf = ({ id }: TestCompany): Promise<number> => db().requestLogEntry.count({ where: { companyId: id } });

describe('RequestLog', () => {
  let clock: Clock | undefined;
  afterEach(() => clock?.uninstall());

  it('what was noted is written within a second, in the order in which it came', async () => {
    const acme = await newCompany();
    clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
    const requestLog = new RequestLog(db(), silent, () => new Date());
    for (const requestId of ['a', 'b', 'c']) requestLog.note(entryOf(acme, { requestId, operation: null }));
    clock.tick(1000);
    clock.uninstall();
    clock = undefined;
    await requestLog.settle();
    const rows = await db().requestLogEntry.findMany({ where: { companyId: acme.id }, orderBy: { id: 'asc' } });
    expect(rows.map(({ requestId }) => requestId)).to.deep.equal(['a', 'b', 'c']);
    expect(rows[0]).to.include({ operation: null, status: 200, latencyMs: 3, credentialId: 1n, protocol: 'rest' });
    expect(requestLog.dropped).to.equal(0);
  });

  it('beyond 10,000 waiting entries it drops and counts, and writes the rest when it is settled', async () => {
    const acme = await newCompany();
    const requestLog = new RequestLog(db(), silent, () => new Date());
    // The first 500 are under way at once, 10,000 wait, 100 are too many.
    for (let n = 0; n < 10_600; n++) requestLog.note(entryOf(acme));
    expect(requestLog.dropped).to.equal(100);
    await requestLog.settle();
    expect(await countOf(acme)).to.equal(10_500);
  });

  it('a database that fails costs the entries, which are counted, and nothing else', async () => {
    const acme = await newCompany();
    const store = await openStore({ dataDir: ':memory:' });
    await store.close();
    const requestLog = new RequestLog(store.db, silent, () => new Date());
    for (let n = 0; n < 3; n++) requestLog.note(entryOf(acme));
    await requestLog.settle();
    expect(requestLog.dropped).to.equal(3);
  });

  it('entries older than seven days are deleted, younger ones and other companies’ stay', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const now = Date.now();
    const before = new RequestLog(db(), silent, () => new Date(now - 30 * dayMs));
    for (const days of [30, 8, 7.01])
      before.note(entryOf(acme, { at: new Date(now - days * dayMs), requestId: 'old' }));
    for (const days of [6.99, 0]) before.note(entryOf(acme, { at: new Date(now - days * dayMs), requestId: 'young' }));
    before.note(entryOf(other, { environment: 'production', at: new Date(now - 9 * dayMs) }));
    await before.settle();
    expect(await countOf(acme)).to.equal(5);
    const after = new RequestLog(db(), silent, () => new Date(now));
    after.note(entryOf(acme, { requestId: 'young' }));
    await after.settle();
    const rows = await db().requestLogEntry.findMany({ where: { companyId: acme.id } });
    expect(rows.map(({ requestId }) => requestId)).to.deep.equal(['young', 'young', 'young']);
    expect(await countOf(other)).to.equal(0);
  });
});
