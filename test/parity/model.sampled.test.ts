import { expect } from 'chai';
import fc from 'fast-check';
import type { Schemas } from '../../src/contract/types.ts';
import { addDays, dayIn, startOfDay } from '../../src/domain/dates.ts';
import type { Environment, Tenant } from '../../src/domain/environment.ts';
import { updateJob as storeUpdate } from '../../src/operations/jobs/change-job-sql.ts';
import { findJob } from '../../src/operations/jobs/jobs-sql.ts';
import type { Seen } from '../faults/history.ts';
import { isOneOrder } from '../faults/model.ts';
import { draws } from '../helper/draws.ts';
import { clock, db, newCompany, server } from '../helper/fixtures.ts';
import {
  type Call,
  callers,
  createJob,
  getJob,
  listJobs,
  type ProtocolCaller,
  updateJob,
  withdrawJob,
} from '../helper/protocol-callers.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

type Job = Schemas['Job'];
type Page = { readonly data: Job[]; readonly meta: Required<Schemas['PageMeta']> };

const zone = 'Europe/Lisbon';
const minuteMs = 60_000;

/** A step of a company over one of its callers. `pick` chooses among all jobs. */
const step = fc.record({
  kind: fc.constantFrom('create', 'create', 'change', 'same', 'withdraw', 'read', 'late', 'late'),
  who: fc.nat({ max: 3 }),
  caller: fc.nat({ max: callers.length - 1 }),
  pick: fc.nat(),
  key: fc.constantFrom(...'abcdefgh'),
  title: fc.constantFrom('Eletricista', 'Canalizador', 'Pintor'),
  days: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  /** How long before its commit a late change began. */
  lateMs: fc.integer({ min: minuteMs, max: 4 * minuteMs }),
});
const page = fc.record({
  who: fc.nat({ max: 3 }),
  caller: fc.nat({ max: callers.length - 1 }),
  perPage: fc.integer({ min: 1, max: 4 }),
});

/** A round: some minutes or days after the previous one, up to three steps at once, then pages of changed jobs. */
const round = fc.record({
  // Together less than a month, the period in which postings are counted.
  minutes: fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.nat({ max: 1300 }) }),
  steps: fc.array(step, { maxLength: 3 }),
  pages: fc.array(page, { maxLength: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

const hasPassed = ({ valid_until: lastDay }: Job) => lastDay !== null && dayIn(zone, clock.now()) > lastDay;

/** The last change of a job as last read: its update, or its later expiry. */
function changedAt({ status, updated_at, valid_until: lastDay }: Job): number {
  const updated = Date.parse(updated_at ?? '');
  if (status !== 'expired' || lastDay === null) return updated;
  return Math.max(updated, startOfDay(zone, addDays(lastDay, 1)).getTime());
}

/** A synchronisation in progress. */
interface Sync {
  readonly since: string;
  readonly perPage: number;
  /** The last change of each job before the first page. */
  readonly before: ReadonlyMap<number, number>;
  readonly seen: Job[];
  cursor: string | undefined;
}

/** A company in one environment. Its program keeps a copy of its jobs by synchronising. */
class Account {
  /** Jobs as last read, by id. */
  readonly jobs = new Map<number, Job>();
  readonly #copy = new Map<number, Job>();
  readonly #history: Seen[] = [];
  readonly #touched = new Set<number>();
  #since = '1970-01-01T00:00:00Z';
  #sync: Sync | undefined;
  readonly #tenant: Tenant;
  readonly #isReviewed: boolean;
  readonly #callers: readonly ProtocolCaller[];

  private constructor(tenant: Tenant, isReviewed: boolean, opened: readonly ProtocolCaller[]) {
    this.#tenant = tenant;
    this.#isReviewed = isReviewed;
    this.#callers = opened;
  }

  static async open(autoPublish: boolean, environment: Environment): Promise<Account> {
    const company = await newCompany({ autoPublish });
    const secret = await company.secret(environment, 'write');
    const opened = callers.map((caller) => caller(server(), environment, secret));
    return new Account({ companyId: company.id, environment }, !autoPublish, opened);
  }

  /** The body of the answer; the contract check has verified its type. */
  async #read<B>(call: Call, caller: number): Promise<B> {
    const { status, body } = await this.#callerOf(caller).run(call);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as B;
  }

  #callerOf = (caller: number) => this.#callers[caller] as ProtocolCaller;

  /** The jobs that are no longer public. */
  expire(): void {
    for (const job of this.jobs.values()) {
      if (job.status !== 'active' || !hasPassed(job)) continue;
      this.jobs.set(job.id, { ...job, status: 'expired' });
      this.#note({ operation: 'expire', job: job.id });
    }
  }

  #note(seen: Pick<Seen, 'operation'> & Partial<Seen>, job?: Job, etag?: unknown): void {
    const now = performance.now();
    const shown = { title: job?.title, status: job?.status, etag };
    this.#history.push({ begin: now, end: now, status: 200, sent: {}, shown, ...seen });
    if (seen.job !== undefined) this.#touched.add(seen.job);
    if (job) this.jobs.set(job.id, job);
  }

  async take({ kind, caller, key, title, days, lateMs }: Step, id: number): Promise<void> {
    if (kind === 'late') return this.#changeLate(id, title, lateMs);
    const created = { title, valid_until: days === null ? null : inDays(days) };
    const known = kind === 'same' ? this.jobs.get(id) : undefined;
    const changed = { title: known?.title ?? title };
    const change = ['change', updateJob(id, changed), changed] as const;
    const [operation, call, sent] = (
      {
        create: ['create', createJob({ ...minimalJob, ...created }, key), created],
        change,
        same: change,
        withdraw: ['withdraw', withdrawJob(id), {}],
        read: ['read', getJob(id), {}],
      } as const
    )[kind];
    const begin = performance.now();
    const { status, body, etag } = await this.#callerOf(caller).run(call);
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 204, 404, 409]);
    if (operation !== 'create' && !this.jobs.has(id)) return void expect(status).to.equal(404);
    const data = status < 300 ? (body as { data: Job } | null)?.data : undefined;
    const job = data?.id ?? (operation === 'create' ? undefined : id);
    this.#note({ begin, end: performance.now(), operation, status, key, sent, job }, data, etag);
  }

  /** A change whose request began up to four minutes ago, unless another one is faster. */
  async #changeLate(id: number, title: string, lateMs: number): Promise<void> {
    const begin = performance.now();
    const job = await findJob(db(), this.#tenant, BigInt(id));
    if (!job) return void expect(this.jobs.has(id)).to.equal(false);
    // In this case, the operation writes nothing.
    if (job.title === title) return;
    const now = new Date(clock.now().getTime() - lateMs);
    const change = { read: job, fields: { title }, status: job.status, checksDistricts: false };
    const { refusals } = await storeUpdate(db(), this.#tenant, BigInt(id), { ...change, now, actor: 'operator' });
    if (refusals.length > 0) return void expect(refusals[0]).to.be.oneOf(['changed', 'missing']);
    this.#note({ begin, end: performance.now(), operation: 'change', sent: { title }, job: id });
  }

  /** After all steps, reads the jobs that they changed. */
  async readTouched(): Promise<void> {
    for (const id of this.#touched) {
      const { data } = await this.#read<{ data: Job }>(getJob(id), 0);
      this.#note({ operation: 'read', job: id }, data);
    }
    this.#touched.clear();
  }

  async readPage(perPage: number, caller: number): Promise<void> {
    this.#sync ??= {
      since: this.#since,
      perPage,
      before: new Map([...this.jobs.values()].map((job) => [job.id, changedAt(job)])),
      seen: [],
      cursor: undefined,
    };
    const { since, before, seen, cursor } = this.#sync;
    const query = { updated_since: since, per_page: this.#sync.perPage, ...(cursor === undefined ? {} : { cursor }) };
    const page = await this.#read<Page>(listJobs(query), caller);
    if (cursor === undefined) {
      const total = [...before.values()].filter((at) => at >= Date.parse(since)).length;
      const last_page = Math.max(Math.ceil(total / query.per_page), 1);
      expect(page.meta).to.include({ current_page: 1, per_page: query.per_page, total, last_page });
    }
    seen.push(...page.data);
    for (const job of page.data) this.#copy.set(job.id, job);
    if (page.meta.next_cursor !== null) {
      expect(page.data).to.have.length(this.#sync.perPage);
      this.#sync.cursor = page.meta.next_cursor;
      return;
    }
    this.#checkSync(this.#sync);
    this.#since = page.meta.synced_until;
    this.#sync = undefined;
  }

  /** Every job that did not change during the synchronisation is seen exactly once, and in order, if it changed since the last one. */
  #checkSync({ since, before, seen }: Sync): void {
    const unchanged = [...this.jobs.values()].filter((job) => before.get(job.id) === changedAt(job));
    const expected = unchanged
      .filter((job) => changedAt(job) >= Date.parse(since))
      .sort((a, b) => changedAt(a) - changedAt(b) || a.id - b.id);
    const ids = new Set(unchanged.map(({ id }) => id));
    expect(seen.map(({ id }) => id).filter((id) => ids.has(id))).to.deep.equal(expected.map(({ id }) => id));
    expect(seen.every(({ id }) => this.jobs.has(id))).to.equal(true);
  }

  /**
   * Every caller lists exactly the created jobs, each counted once, in the state that some order of all steps leaves. The copy is complete.
   */
  async finish(): Promise<void> {
    const ids = [...this.jobs.keys()].sort((a, b) => b - a);
    while (this.#sync) await this.readPage(3, 0);
    do await this.readPage(3, 1);
    while (this.#sync);
    for (const caller of callers.keys()) {
      const { data, meta } = await this.#read<Page>(listJobs({ per_page: 100 }), caller);
      expect(data.map(({ id }) => id)).to.deep.equal(ids);
      expect(meta).to.include({ total: ids.length });
      expect([...this.#copy.values()].sort((a, b) => b.id - a.id)).to.deep.equal(data);
      for (const job of data) this.#note({ operation: 'found', job: job.id }, job);
      const { data: counted } = await this.#read<{ data: Schemas['Account'] }>({ operationId: 'getAccount' }, caller);
      this.#note({ operation: 'account', shown: { used: counted.jobs.used } });
    }
    const order = isOneOrder(this.#history, { limit: Number.POSITIVE_INFINITY, isReviewed: this.#isReviewed });
    expect(order, JSON.stringify(this.#history, null, 1)).to.equal(true);
  }
}

it('two companies in two environments, over all protocols and some at once: creates, replays, changes, late commits, withdrawals, expiries and reads agree with one order of them, and copies kept by synchronising meanwhile are complete', async () => {
  const agrees = async (rounds: readonly Round[]) => {
    clock.aheadMs = 0;
    const accounts: Account[] = [];
    for (const autoPublish of [false, true])
      for (const environment of ['sandbox', 'production'] as const)
        accounts.push(await Account.open(autoPublish, environment));
    for (const { minutes, steps, pages } of rounds) {
      clock.aheadMs += minutes * minuteMs;
      for (const account of accounts) account.expire();
      const everyone = accounts.flatMap(({ jobs }) => [...jobs.keys()]);
      const about = ({ pick }: Step) => everyone[pick % Math.max(everyone.length, 1)] ?? 1;
      await Promise.all(steps.map((next) => accounts[next.who]?.take(next, about(next))));
      for (const account of accounts) await account.readTouched();
      for (const { who, caller, perPage } of pages) await accounts[who]?.readPage(perPage, caller);
    }
    for (const account of accounts) await account.finish();
  };
  const anyRounds = fc.array(round, { minLength: 3, maxLength: 30 });
  await fc.assert(fc.asyncProperty(anyRounds, agrees), { numRuns: draws(3, 25), endOnFailure: true });
});
