import { expect } from 'chai';
import fc from 'fast-check';
import type { Schemas } from '../../src/contract/types.ts';
import { addDays, dayIn, startOfDay } from '../../src/domain/dates.ts';
import { updateJob as storeUpdate } from '../../src/operations/jobs/change-job-sql.ts';
import { findJob } from '../../src/operations/jobs/jobs-sql.ts';
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
import { freshKey } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

type Job = Schemas['Job'];
type Page = { readonly data: Job[]; readonly meta: Required<Schemas['PageMeta']> };

const zone = 'Europe/Lisbon';
const minuteMs = 60_000;
const kinds = ['create', 'patch', 'withdraw', 'late', 'late', 'nothing', 'page', 'page', 'page'] as const;

/** One step of the company's program, some minutes (or days) after the one before, over one of the protocols. */
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(),
  minutes: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.nat({ max: 3000 }) }),
  /** How long before it commits a late change began. */
  lateMs: fc.integer({ min: minuteMs, max: 4 * minuteMs }),
  perPage: fc.integer({ min: 1, max: 4 }),
  days: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  caller: fc.nat({ max: 1 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** When a job, as last written, has last changed: at its update, or when it expired after that. */
function changedAt({ status, updated_at, valid_until: lastDay }: Job): number {
  const updated = Date.parse(updated_at ?? '');
  if (lastDay === null || !['active', 'expired'].includes(status) || dayIn(zone, clock.now()) <= lastDay)
    return updated;
  return Math.max(updated, startOfDay(zone, addDays(lastDay, 1)).getTime());
}

/** One synchronisation that is under way. */
interface Sync {
  readonly since: string;
  readonly perPage: number;
  /** When each job had changed before the first page. */
  readonly before: ReadonlyMap<number, number>;
  readonly seen: Job[];
  cursor: string | undefined;
}

/** A company whose program keeps a copy of its jobs by synchronising, and what the copy must hold. */
class Program {
  /** Jobs as last written, by id. */
  readonly jobs = new Map<number, Job>();
  readonly copy = new Map<number, Job>();
  since = '1970-01-01T00:00:00Z';
  current: Sync | undefined;
  readonly #companyId: bigint;
  readonly #callers: readonly ProtocolCaller[];

  constructor(companyId: bigint, both: readonly ProtocolCaller[]) {
    this.#companyId = companyId;
    this.#callers = both;
  }

  /** The body of the answer; the contract check has verified its type. */
  async #run<B>(call: Call, caller: number, status = 200): Promise<B> {
    const answer = await (this.#callers[caller] as ProtocolCaller).run(call);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
    return answer.body as B;
  }

  async #keep(call: Call, caller: number, status?: number): Promise<void> {
    const { data } = await this.#run<{ data: Job }>(call, caller, status);
    this.jobs.set(data.id, data);
  }

  async take({ kind, pick, minutes, lateMs, perPage, days, caller }: Step): Promise<void> {
    clock.aheadMs += minutes * minuteMs;
    const job = [...this.jobs.values()][pick % Math.max(this.jobs.size, 1)];
    if (kind === 'page') return this.readPage(perPage, caller);
    if (kind === 'create' || !job) {
      const body = { ...minimalJob, valid_until: days === null ? null : inDays(days) };
      return this.#keep(createJob(body, freshKey()), caller, 201);
    }
    if (kind === 'nothing') return this.#keep(updateJob(job.id, { title: job.title }), caller);
    if (kind === 'patch') return this.#keep(updateJob(job.id, { title: `T${pick}` }), caller);
    if (kind === 'late') return this.#changeLate(job, pick, lateMs);
    await this.#run(withdrawJob(job.id), caller, 204);
    await this.#keep(getJob(job.id), caller);
  }

  /** A change whose request began up to four minutes ago. */
  async #changeLate({ id }: Job, pick: number, lateMs: number): Promise<void> {
    const tenant = { companyId: this.#companyId, environment: 'production' } as const;
    const job = await findJob(db(), tenant, BigInt(id));
    if (!job) throw new Error('the job is there');
    const now = new Date(clock.now().getTime() - lateMs);
    const fields = { title: `L${pick}` };
    const readAt = `${job.updated_at}Z`;
    const change = { readAt, fields, status: job.status, checksDistricts: false, now, actor: 'operator' };
    expect((await storeUpdate(db(), tenant, BigInt(id), change)).refusals).to.deep.equal([]);
    await this.#keep(getJob(id), 0);
  }

  async readPage(perPage: number, caller: number): Promise<void> {
    this.current ??= {
      since: this.since,
      perPage,
      before: new Map([...this.jobs.values()].map((job) => [job.id, changedAt(job)])),
      seen: [],
      cursor: undefined,
    };
    const { since, before, seen, cursor } = this.current;
    const query = { updated_since: since, per_page: this.current.perPage, ...(cursor === undefined ? {} : { cursor }) };
    const page = await this.#run<Page>(listJobs(query), caller);
    if (cursor === undefined) {
      const total = [...before.values()].filter((at) => at >= Date.parse(since)).length;
      const last_page = Math.max(Math.ceil(total / query.per_page), 1);
      expect(page.meta).to.include({ current_page: 1, per_page: query.per_page, total, last_page });
    }
    seen.push(...page.data);
    for (const job of page.data) this.copy.set(job.id, job);
    if (page.meta.next_cursor !== null) {
      expect(page.data).to.have.length(this.current.perPage);
      this.current.cursor = page.meta.next_cursor;
      return;
    }
    this.#checkSync(this.current);
    this.since = page.meta.synced_until;
    this.current = undefined;
  }

  /** Every job that did not change during the synchronisation is seen exactly once, if it changed since; those in order. */
  #checkSync({ since, before, seen }: Sync): void {
    const unchanged = [...this.jobs.values()].filter((job) => before.get(job.id) === changedAt(job));
    const expected = unchanged
      .filter((job) => changedAt(job) >= Date.parse(since))
      .sort((a, b) => changedAt(a) - changedAt(b) || a.id - b.id);
    const ids = new Set(unchanged.map(({ id }) => id));
    expect(seen.map(({ id }) => id).filter((id) => ids.has(id))).to.deep.equal(expected.map(({ id }) => id));
    expect(seen.every(({ id }) => this.jobs.has(id))).to.equal(true);
  }

  /** Ends the synchronisation that is under way and runs one more, after which the copy is complete. */
  async finish(caller: number): Promise<void> {
    while (this.current) await this.readPage(3, caller);
    do await this.readPage(3, caller);
    while (this.current);
    const { data } = await this.#run<Page>(listJobs({ per_page: 100 }), caller);
    expect([...this.copy.values()].sort((a, b) => b.id - a.id)).to.deep.equal(data);
    expect(data.map(({ id }) => id)).to.have.members([...this.jobs.keys()]);
  }
}

const openProgram = async (): Promise<Program> => {
  const acme = await newCompany({ autoPublish: true });
  const secret = await acme.secret('production', 'write');
  const opened = callers.map((caller) => caller(server(), 'production', secret));
  return new Program(acme.id, opened);
};

it('a copy kept by synchronising is complete after any creates, changes, withdrawals, expiries and late commits between pages, over both protocols', async () => {
  const anySteps = fc.array(fc.record({ step, who: fc.nat({ max: 1 }) }), { minLength: 5, maxLength: 60 });
  const isComplete = async (steps: readonly { step: Step; who: number }[]) => {
    clock.aheadMs = 0;
    const programs = [await openProgram(), await openProgram()];
    for (const { step: next, who } of steps) await (programs[who] as Program).take(next);
    for (const [caller, program] of programs.entries()) await program.finish(caller);
  };
  await fc.assert(fc.asyncProperty(anySteps, isComplete), { numRuns: 25 });
}).timeout(120_000);
