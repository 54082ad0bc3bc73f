import { expect } from 'chai';
import type { Schemas } from '../../src/contract/types.ts';
import { startOfDay } from '../../src/domain/dates.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/review-job.ts';
import { actionContext, clock, newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

type Job = Schemas['Job'];
interface Page {
  readonly data: Job[];
  readonly meta: Required<Schemas['PageMeta']>;
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const always = '1970-01-01T00:00:00Z';

async function sync(client: RestClient, query: Record<string, string | number>): Promise<Page> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body, text } = await client.get(`/jobs?${search}`);
  expect(status, text).to.equal(200);
  return body;
}

const create = async (client: RestClient, fields: object = {}): Promise<Job> =>
  (await client.create({ ...minimalJob, ...fields })).body.data;
const changesSince = async (client: RestClient, since: string, more: Record<string, string | number> = {}) =>
  (await sync(client, { updated_since: since, ...more })).data;
const idsOf = (jobs: readonly Job[]): number[] => jobs.map(({ id }) => id);

/** Texts that are no instant of RFC 3339. */
const never = [
  ...'2016-12-31T22:59:60Z 2026-02-29T00:00:00Z 2026-13-01T00:00:00Z 2026-01-01T24:00:00Z 2026-01-01T00:60:00Z'.split(
    ' ',
  ),
  ...'2026-01-01T00:00:00+24:00 2026-01-01T00:00:00+01 2026-01-01T00:00:00+0100 2026-01-01T00:00:00'.split(' '),
  ...'2026-01-01T00:00Z 2026-01-01 -271821-04-20 -271821-04-20T00:00:00Z +275760-09-13T00:00:00Z'.split(' '),
  ...'10000-01-01T00:00:00Z 0 1795186500000 infinity 2026-01-01T00:00:00Z\0 ２０２６-01-01T00:00:00Z'.split(' '),
  ...['', '2026-01-01 00:00:00Z'],
];

describe('listJobs with updated_since', () => {
  afterEach(() => {
    clock.aheadMs = 0;
  });

  it('lists the jobs changed at or after it, the oldest change first, page by page', async () => {
    const asWriter = await (await newCompany()).writer();
    const jobs: Job[] = [];
    for (let n = 0; n < 5; n++) {
      clock.aheadMs = n * minuteMs;
      jobs.push(await create(asWriter));
    }
    const [first, second, third, fourth, fifth] = jobs as [Job, Job, Job, Job, Job];
    clock.aheadMs = 6 * minuteMs;
    await asWriter.patch(second.id, { title: 'Mudado' });
    clock.aheadMs = 7 * minuteMs;
    await asWriter.withdraw(first.id);
    const query = { updated_since: third.updated_at ?? '', per_page: 2 };
    const one = await sync(asWriter, query);
    expect(idsOf(one.data)).to.deep.equal([third.id, fourth.id]);
    expect(one.meta).to.include({ current_page: 1, per_page: 2, total: 5, last_page: 3 });
    const two = await sync(asWriter, { ...query, cursor: one.meta.next_cursor ?? '' });
    expect(idsOf(two.data)).to.deep.equal([fifth.id, second.id]);
    const three = await sync(asWriter, { ...query, cursor: two.meta.next_cursor ?? '' });
    expect(three.data).to.deep.equal([(await asWriter.get(`/jobs/${first.id}`)).body.data]);
    expect(three.meta).to.deep.equal({ ...one.meta, next_cursor: null });
    const justAfter = new Date(Date.parse(third.updated_at ?? '') + 1).toISOString();
    expect(idsOf(await changesSince(asWriter, justAfter))).to.deep.equal(idsOf([fourth, fifth, second, first]));
    expect(idsOf(await changesSince(asWriter, always, { status: 'inactive' }))).to.deep.equal([first.id]);
  });

  it('jobs that changed in the same millisecond are in the order of their ids, over any pages', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    const made = await Promise.all(Array.from({ length: 12 }, () => create(asWriter)));
    const expected = made.sort((a, b) => (a.updated_at ?? '').localeCompare(b.updated_at ?? '') || a.id - b.id);
    const seen: number[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await sync(asWriter, { updated_since: always, per_page: 1, ...(cursor ? { cursor } : {}) });
      seen.push(...idsOf(page.data));
      cursor = page.meta.next_cursor;
    } while (cursor);
    expect(seen).to.deep.equal(idsOf(expected));
  });

  it('synced_until is five minutes before the first page was read, on every page', async () => {
    const asWriter = await (await newCompany()).writer();
    for (let n = 0; n < 2; n++) await create(asWriter);
    const before = clock.now().getTime();
    const one = await sync(asWriter, { updated_since: always, per_page: 1 });
    const after = clock.now().getTime();
    expect(Date.parse(one.meta.synced_until) + 5 * minuteMs).to.be.within(before, after);
    clock.aheadMs = 30 * minuteMs;
    const two = await sync(asWriter, { updated_since: always, per_page: 1, cursor: one.meta.next_cursor ?? '' });
    expect(two.meta.synced_until).to.equal(one.meta.synced_until);
    const cursor = (one.meta.next_cursor ?? '').replace(/^\d+/, '999999999999999');
    const forged = await sync(asWriter, { updated_since: always, cursor });
    expect(Date.parse(forged.meta.synced_until)).to.be.at.most(clock.now().getTime() - 5 * minuteMs);
  });

  it('approval, denial, withdrawal and a change count; a change of nothing does not', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const jobs: Job[] = [];
    for (let n = 0; n < 5; n++) jobs.push(await create(asWriter));
    const [approved, denied, withdrawn, changed, untouched] = jobs as [Job, Job, Job, Job, Job];
    const jobRef = ({ id }: Job) => ({ companyId: acme.id, environment: 'production', jobId: BigInt(id) }) as const;
    clock.aheadMs = minuteMs;
    const since = clock.now().toISOString();
    await approveJob(actionContext(), jobRef(approved));
    await denyJob(actionContext(), { ...jobRef(denied), reason: 'Incompleto' });
    await asWriter.withdraw(withdrawn.id);
    await asWriter.patch(changed.id, { title: 'Mudado' });
    await asWriter.patch(untouched.id, { title: minimalJob.title });
    const seen = await changesSince(asWriter, since);
    expect(seen.map(({ id, status }) => [id, status])).to.deep.equal([
      [approved.id, 'active'],
      [denied.id, 'denied'],
      [withdrawn.id, 'inactive'],
      [changed.id, 'pending'],
    ]);
  });

  it('a published job changes once more when it expires, at the start of the day after its last', async () => {
    const asWriter = await (await newCompany({ autoPublish: true })).writer('production');
    const lastDay = inDays(2);
    const job = await create(asWriter, { valid_until: lastDay });
    const others = [await create(asWriter, { valid_until: lastDay }), await create(asWriter)];
    await asWriter.withdraw(others[0]?.id ?? 0);
    const expiry = startOfDay('Europe/Lisbon', inDays(3)).getTime();
    const at = (ms: number) => new Date(ms).toISOString();
    clock.aheadMs = expiry - clock.now().getTime() - minuteMs;
    expect(await changesSince(asWriter, at(expiry - dayMs))).to.deep.equal([]);
    clock.aheadMs += 2 * minuteMs;
    const expired = { ...job, status: 'expired', is_active: false };
    expect(await changesSince(asWriter, at(expiry))).to.deep.equal([expired]);
    expect(await changesSince(asWriter, at(expiry), { status: 'expired' })).to.deep.equal([expired]);
    expect(await changesSince(asWriter, at(expiry + 1))).to.deep.equal([]);
    const all = await sync(asWriter, { updated_since: always, per_page: 2 });
    const rest = await sync(asWriter, { updated_since: always, cursor: all.meta.next_cursor ?? '' });
    expect(all.meta.total).to.equal(3);
    expect(idsOf([...all.data, ...rest.data])).to.have.members([job.id, ...idsOf(others)]);
    expect(rest.data).to.deep.equal([expired]);
    for (const [status, count] of [
      ['active', 1],
      ['inactive', 1],
      ['expired', 1],
      ['pending', 0],
    ] as const)
      expect((await sync(asWriter, { updated_since: always, status })).meta.total, status).to.equal(count);
    clock.aheadMs += 5 * minuteMs;
    await asWriter.patch(job.id, { title: 'Depois' });
    expect(idsOf(await changesSince(asWriter, at(expiry + 1)))).to.deep.equal([job.id]);
    expect((await sync(asWriter, { updated_since: always })).meta.total).to.equal(3);
  });

  it('a job that is approved after its last day counts at its approval', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const { id } = await create(asWriter, { valid_until: inDays(1) });
    clock.aheadMs = 5 * dayMs;
    const since = clock.now().toISOString();
    await approveJob(actionContext(), { companyId: acme.id, environment: 'production', jobId: BigInt(id) });
    const seen = await changesSince(asWriter, since);
    expect(seen.map(({ id, status }) => [id, status])).to.deep.equal([[id, 'expired']]);
    expect(await changesSince(asWriter, always)).to.deep.equal(seen);
  });

  it('never lists jobs of another company or environment, whatever the cursor', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const asWriter = await acme.writer();
    for (const client of [asWriter, await acme.writer('production')]) for (let n = 0; n < 2; n++) await create(client);
    const theirs = await create(await other.writer());
    const { next_cursor } = (await sync(asWriter, { updated_since: always, per_page: 1 })).meta;
    const page = await sync(await other.reader(), { updated_since: always, cursor: next_cursor ?? '' });
    expect(idsOf(page.data)).to.deep.equal([theirs.id]);
    expect((await sync(await other.reader('production'), { updated_since: always })).data).to.deep.equal([]);
  });

  it('an invalid combination is 422, names the parameter and says what to do', async () => {
    const acme = await newCompany();
    const asReader = await acme.reader();
    const asAgent = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    const since = { updated_since: always };
    const cursor = '1795186500000.240.1795183329077.48213';
    const malformed = ['', 'next', '1.2.3', `${cursor} `, `-${cursor}`, '1.2.3.1e3', '9'.repeat(60)];
    const rows: [query: Record<string, string | number>, details: Record<string, RegExp>][] = [
      [{ ...since, page: 2 }, { page: /next_cursor/ }],
      [{ cursor }, { cursor: /updated_since/ }],
      ...malformed.map((text): (typeof rows)[number] => [{ ...since, cursor: text }, { cursor: /next_cursor/ }]),
      [
        { ...since, page: 2, cursor: 'x', per_page: 101 },
        { page: /./, cursor: /./, per_page: /./ },
      ],
      [{ updated_since: 'yesterday' }, { updated_since: /such as 2026-11-20T09:00:00Z/ }],
    ];
    for (const [query, expected] of rows) {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const { status, body } = await asReader.get(`/jobs?${search}`);
      const called = await asAgent.call('list_jobs', query);
      expect([status, called.status], `${search}`).to.deep.equal([422, 422]);
      expect(called.error?.details).to.deep.equal(body.error.details);
      expect(body.error.details, `${search}`).to.have.all.keys(Object.keys(expected));
      for (const [field, said] of Object.entries(expected)) expect(body.error.details[field].join()).to.match(said);
    }
    expect((await asReader.get(`/jobs?updated_since=${always}&page=1&cursor=${cursor}`)).status).to.equal(200);
  });

  it('takes any instant of RFC 3339 and refuses everything else, never with 500', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    const { id, updated_at } = await create(asWriter);
    const asAgent = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    const changed = updated_at ?? '';
    const inOffset = new Date(Date.parse(changed) + 90 * minuteMs).toISOString().replace('Z', '+01:30');
    const rows: (readonly [text: string, found: boolean | undefined])[] = [
      [changed, true],
      [changed.toLowerCase(), true],
      [inOffset, true],
      [changed.replace('Z', `${'0'.repeat(30)}Z`), true],
      [changed.replace('Z', '0001Z'), false],
      ['0000-01-01T00:00:00Z', true],
      ['0001-01-01T00:00:00+23:59', true],
      ['1969-12-31T23:59:59.999Z', true],
      ['2016-12-31T23:59:60Z', true],
      ['2017-01-01T00:59:60.5+01:00', true],
      ['9999-12-31T23:59:59.999999999Z', false],
      ['9999-12-31T23:59:59-23:59', false],
      ['9999-12-31T23:59:60Z', false],
      ...[...never, `2026-01-01T00:00:00.${'1'.repeat(100)}Z`].map((text) => [text, undefined] as const),
    ];
    for (const [text, found] of rows) {
      const { status, body } = await asWriter.get(`/jobs?updated_since=${encodeURIComponent(text)}`);
      const called = await asAgent.call('list_jobs', { updated_since: text });
      expect([status, called.status], text).to.deep.equal(found === undefined ? [422, 422] : [200, 200]);
      if (found === undefined) expect(body.error.details, text).to.have.all.keys('updated_since');
      else expect(idsOf(body.data), text).to.deep.equal(found ? [id] : []);
    }
    for (const cursor of ['0.0.0.0', '999999999999999.999999999999999.999999999999999.9999999999999999'])
      await sync(asWriter, { updated_since: '9999-12-31T23:59:59Z', cursor });
    for (const given of [5, null, [], {}, true])
      for (const name of ['updated_since', 'cursor'])
        expect((await asAgent.call('list_jobs', { [name]: given })).status, name).to.equal(422);
  });
});
