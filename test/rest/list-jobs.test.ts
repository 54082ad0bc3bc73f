import { expect } from 'chai';
import type { Schemas } from '../../src/contract/types.ts';
import { startOfDay } from '../../src/domain/dates.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { actionContext, clock, newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

type Job = Schemas['Job'];
type Query = Record<string, string | number>;
interface Page {
  readonly data: Job[];
  readonly meta: Required<Schemas['PageMeta']>;
}

const minuteMs = 60_000;
const always = '1970-01-01T00:00:00Z';
const at = (ms: number): string => new Date(ms).toISOString();
const updatedMs = ({ updated_at }: Job): number => Date.parse(updated_at ?? '');

const searchOf = (query: Query): string =>
  `${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

async function sync(client: RestClient, query: Query): Promise<Page> {
  const { status, body, text } = await client.get(`/jobs?${searchOf(query)}`);
  expect(status, text).to.equal(200);
  return body;
}

/** The page after this one. */
const next = (client: RestClient, query: Query, { meta }: Page): Promise<Page> =>
  sync(client, { ...query, cursor: meta.next_cursor ?? '' });
const create = async (client: RestClient, fields: object = {}): Promise<Job> =>
  (await client.create({ ...minimalJob, ...fields })).body.data;
const changesSince = async (client: RestClient, since: string) => (await sync(client, { updated_since: since })).data;
const idsOf = (jobs: readonly Job[]): number[] => jobs.map(({ id }) => id);

/** Texts that are not an instant of RFC 3339. */
const never = (
  '2016-12-31T22:59:60Z 2026-02-29T00:00:00Z 2026-13-01T00:00:00Z 2026-01-01T24:00:00Z 2026-01-01T00:60:00Z 2026-01-01T00:00:00+24:00 ' +
  '2026-01-01T00:00:00+01 2026-01-01T00:00:00+0100 2026-01-01T00:00:00 2026-01-01T00:00Z 2026-01-01 -271821-04-20 -271821-04-20T00:00:00Z ' +
  '+275760-09-13T00:00:00Z 10000-01-01T00:00:00Z 0 1795186500000 infinity 2026-01-01T00:00:00Z\0 ２０２６-01-01T00:00:00Z yesterday'
).split(' ');

describe('listJobs with updated_since', () => {
  it('jobs that changed in the same millisecond are ordered by id, across pages', async () => {
    const asWriter = await (await newCompany()).writer();
    const made = await Promise.all(times(12, () => create(asWriter)));
    const query = { updated_since: always, per_page: 1 };
    let page = await sync(asWriter, query);
    const seen = [...page.data];
    while (page.meta.next_cursor) {
      expect([page.data.length, page.meta.total]).to.deep.equal([1, 12]);
      page = await next(asWriter, query, page);
      seen.push(...page.data);
    }
    // The last page is full too.
    expect(page.data).to.have.length(1);
    const expected = made.sort((a, b) => updatedMs(a) - updatedMs(b) || a.id - b.id);
    expect(idsOf(seen)).to.deep.equal(idsOf(expected));
  });

  it('synced_until is five minutes before the first page was read, on every page', async () => {
    const asWriter = await (await newCompany()).writer();
    for (let n = 0; n < 2; n++) await create(asWriter);
    const query = { updated_since: always, per_page: 1 };
    const before = clock.now().getTime();
    const one = await sync(asWriter, query);
    expect(Date.parse(one.meta.synced_until) + 5 * minuteMs).to.be.within(before, clock.now().getTime());
    clock.aheadMs = 30 * minuteMs;
    expect((await next(asWriter, query, one)).meta.synced_until).to.equal(one.meta.synced_until);
    const cursor = (one.meta.next_cursor ?? '').replace(/^\d+/, '999999999999999');
    const forged = await sync(asWriter, { updated_since: always, cursor });
    expect(Date.parse(forged.meta.synced_until)).to.be.at.most(clock.now().getTime() - 5 * minuteMs);
  });

  it('approval and denial count as changes, even after the last day', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const [approved, denied] = [await create(asWriter, { valid_until: inDays(1) }), await create(asWriter)];
    const jobRef = ({ id }: Job) => ({ companyId: acme.id, environment: 'production', jobId: BigInt(id) }) as const;
    clock.aheadMs = 5 * 1440 * minuteMs;
    const since = at(clock.now().getTime());
    await approveJob(actionContext(), jobRef(approved));
    await denyJob(actionContext(), { ...jobRef(denied), reason: 'Incompleto' });
    const changes = (await changesSince(asWriter, since)).map(({ id, status }) => [id, status]);
    expect(changes).to.deep.equal([
      [approved.id, 'expired'],
      [denied.id, 'denied'],
    ]);
  });

  // parity/model.property.test.ts tests arbitrary histories.
  it('a published job changes once more when it expires, at the start of the day after its last', async () => {
    const asWriter = await (await newCompany({ autoPublish: true })).writer('production');
    const job = await create(asWriter, { valid_until: inDays(2) });
    const expiry = startOfDay('Europe/Lisbon', inDays(3)).getTime();
    clock.aheadMs = expiry - clock.now().getTime() - minuteMs;
    expect(await changesSince(asWriter, at(expiry - minuteMs))).to.deep.equal([]);
    clock.aheadMs += 2 * minuteMs;
    expect(await changesSince(asWriter, at(expiry))).to.deep.equal([{ ...job, status: 'expired', is_active: false }]);
    expect(await changesSince(asWriter, at(expiry + 1))).to.deep.equal([]);
  });

  it('never lists jobs of another company or environment, whatever the cursor', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const asWriter = await acme.writer();
    for (const client of [asWriter, await acme.writer('production')]) for (let n = 0; n < 2; n++) await create(client);
    const theirs = await create(await other.writer());
    const page = await sync(asWriter, { updated_since: always, per_page: 1 });
    expect(idsOf((await next(await other.reader(), { updated_since: always }, page)).data)).to.deep.equal([theirs.id]);
    expect(await changesSince(await other.reader('production'), always)).to.deep.equal([]);
  });

  it('takes any instant of RFC 3339 and refuses everything else and every wrong combination, never with 500', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    const asAgent = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    const { id, updated_at } = await create(asWriter);
    const changed = updated_at ?? '';
    const cursor = '1795186500000.240.1795183329077.48213';
    const since = { updated_since: always };
    const malformed =
      ',next,999999999999999999999,1.2.3,x1.2.3.4,1.2.3.4 ,.2.3.4,1..3.4,1.2..4,1.2.3.,-1.2.3.4,1.2.3.1e3,1.2.3.12345678901234567,1.2.1234567890123456.4';
    const odd = ['', '2026-01-01 00:00:00Z', `2026-01-01T00:00:00.${'1'.repeat(100)}Z`];
    /** The jobs of the answer, or the parameters that it names. */
    const rows: [query: Query, answer: number[] | string[]][] = [
      ...[...never, ...odd].map((text): [Query, string[]] => [{ updated_since: text }, ['updated_since']]),
      ...malformed.split(',').map((text): [Query, string[]] => [{ ...since, cursor: text }, ['cursor']]),
      [{ cursor }, ['cursor']],
      [{ ...since, page: 2 }, ['page']],
      [{ ...since, page: 2, cursor: 'x', per_page: 101 }, ['cursor', 'page', 'per_page']],
    ];
    const inOffset = at(Date.parse(changed) + 90 * minuteMs).replace('Z', '+01:30');
    const found = `${changed} ${changed.toLowerCase()} ${inOffset} ${changed.replace('Z', `${'0'.repeat(30)}Z`)} 0000-01-01T00:00:00Z`;
    const early = '0001-01-01T00:00:00+23:59 1969-12-31T23:59:59.999Z 2016-12-31T23:59:60Z 2017-01-01T00:59:60.5+01:00';
    for (const text of `${found} ${early}`.split(' ')) rows.push([{ updated_since: text }, [id]]);
    const late = '9999-12-31T23:59:59.999999999Z 9999-12-31T23:59:59-23:59 9999-12-31T23:59:60Z';
    for (const text of [changed.replace('Z', '0001Z'), ...late.split(' ')]) rows.push([{ updated_since: text }, []]);
    for (const [query, expected] of rows) {
      const { status, body, text } = await asWriter.get(`/jobs?${searchOf(query)}`);
      const called = await asAgent.call('list_jobs', query);
      expect(called.status, text).to.equal(status);
      expect(called.error?.details, text).to.deep.equal(body.error?.details);
      const isRefused = typeof expected[0] === 'string';
      expect(status, searchOf(query)).to.equal(isRefused ? 422 : 200);
      const answer = isRefused ? Object.keys(body.error.details).sort() : idsOf(body.data);
      expect(answer, searchOf(query)).to.deep.equal(expected);
    }
    const needs = 'needs updated_since, the same as for the page before';
    const form = 'must be the next_cursor of the page before; leave it out for the first page';
    for (const [query, details] of [
      [{ cursor: 'x' }, { cursor: [needs, form] }],
      [{ ...since, page: 2 }, { page: ['must be 1 with updated_since; send next_cursor as cursor'] }],
    ] as const)
      expect((await asWriter.get(`/jobs?${searchOf(query)}`)).body.error.details).to.deep.equal(details);
    await sync(asWriter, { ...since, page: 1, cursor });
    for (const forged of ['0.0.0.0', '999999999999999.999999999999999.999999999999999.9999999999999999'])
      await sync(asWriter, { updated_since: '9999-12-31T23:59:59Z', cursor: forged });
    for (const given of [5, [], {}, true])
      for (const name of ['updated_since', 'cursor'])
        expect((await asAgent.call('list_jobs', { [name]: given })).status, name).to.equal(422);
  });
});

it('listJobs: a page of more than a megabyte has the jobs and the meta of smaller ones', async () => {
  const asWriter = await (await newCompany()).writer();
  for (let n = 0; n < 36; n++) await create(asWriter, { body: `${n} ${'a'.repeat(29_900)}` });
  const { data, meta } = await sync(asWriter, { per_page: 40 });
  const halves = [await sync(asWriter, { per_page: 18 }), await sync(asWriter, { per_page: 18, page: 2 })];
  expect(data).to.deep.equal(halves.flatMap((half) => half.data));
  expect(meta).to.deep.equal({ current_page: 1, per_page: 40, total: 36, last_page: 1 });
  expect((await asWriter.get('/jobs?per_page=40')).headers['content-type']).to.match(/^application\/json/);
});

it('listJobs: newest first, 25 per page by default, with meta; an empty list has one empty page', async () => {
  const asWriter = await (await newCompany()).writer();
  const first = { current_page: 1, per_page: 25, total: 0, last_page: 1 };
  expect((await asWriter.get('/jobs')).body).to.deep.equal({ data: [], meta: first });
  const ids: number[] = [];
  for (let n = 0; n < 28; n++) ids.unshift((await create(asWriter)).id);
  for (const [query, expected, meta] of [
    [{}, ids.slice(0, 25), { ...first, total: 28, last_page: 2 }],
    [{ page: 2, per_page: 10 }, ids.slice(10, 20), { current_page: 2, per_page: 10, total: 28, last_page: 3 }],
    [{ page: 1_000_000 }, [], { ...first, current_page: 1_000_000, total: 28, last_page: 2 }],
  ] as const) {
    const answer = await sync(asWriter, query);
    expect([idsOf(answer.data), answer.meta]).to.deep.equal([expected, meta]);
  }
});
