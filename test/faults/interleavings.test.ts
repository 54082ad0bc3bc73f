import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { type AuthDeps, authenticateRequest } from '../../src/auth/authenticate-request.ts';
import { LastUsed } from '../../src/auth/credential-lookup-sql.ts';
import { MaintenanceSwitch } from '../../src/auth/maintenance-sql.ts';
import type { Services } from '../../src/context.ts';
import type { OperationId, PlainReply, PlainRequest } from '../../src/contract/types.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { dispatch } from '../../src/dispatch.ts';
import type { Caller } from '../../src/domain/actor.ts';
import type { Environment, Tenant } from '../../src/domain/environment.ts';
import { Lifetime } from '../../src/domain/request-lifetime.ts';
import { openLog } from '../../src/log.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import type { JobStatus } from '../../src/operations/jobs/job.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/review-job.ts';
import { statusAfterPatch } from '../../src/operations/jobs/transitions.ts';
import { ReferenceLists } from '../../src/operations/reference/reference-sql.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { AddressLimit } from '../../src/rate-limit/request-limits.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { toRefusal } from '../../src/server/answer.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { createServerDatabase, onCitus, serverUrl } from '../helper/test-database.ts';
import { BoundedService } from './bounded-app.ts';

type Step =
  | { readonly kind: 'create'; readonly key: 'first' | 'a' | 'b'; readonly title: string }
  | { readonly kind: 'patch'; readonly ifUnchanged: boolean; readonly title: string }
  | { readonly kind: 'withdraw'; readonly ifUnchanged: boolean }
  | { readonly kind: 'reset' }
  | { readonly kind: 'revoke' }
  | { readonly kind: 'review'; readonly approves: boolean };

const title = fc.constantFrom(minimalJob.title, 'Pintor', 'Canalizador');
const create = fc.record({ kind: fc.constant('create'), key: fc.constantFrom('first', 'a', 'b'), title });
const ifUnchanged = fc.boolean();
const patch = fc.record({ kind: fc.constant('patch'), ifUnchanged, title });
const withdraw = fc.record({ kind: fc.constant('withdraw'), ifUnchanged });
const steps: Readonly<Record<Environment, fc.Arbitrary<Step>>> = {
  sandbox: fc.oneof(create, patch, withdraw, fc.record({ kind: fc.constant('reset') })),
  production: fc.oneof(
    create,
    patch,
    withdraw,
    fc.record({ kind: fc.constant('review'), approves: fc.boolean() }),
    fc.record({ kind: fc.constant('revoke') }),
  ),
};

interface Seen {
  readonly title: string;
  readonly status: string;
}

interface Job extends Seen {
  /** The title that was sent with its key. */
  readonly sent: string;
  /** The steps that change a job are about this one. */
  readonly isFirst: boolean;
  readonly isChanged: boolean;
}

/** What one company has in one environment. Its limit lets it create one more job. */
interface State {
  /** By idempotency key. */
  readonly jobs: Readonly<Record<string, Job>>;
  readonly used: number;
  readonly isRevoked: boolean;
}

/** A status, with the title and the status of the job that is shown. */
type Answer = string;
const answerOf = (status: number, job: Seen | undefined): Answer =>
  job ? `${status} ${job.title} ${job.status}` : `${status}`;
const answersWithJob = ({ kind }: Step): boolean => ['create', 'patch', 'withdraw'].includes(kind);

const limit = 2;
const newJob = (sent: string, isFirst: boolean): Job => ({
  title: sent,
  sent,
  status: 'pending',
  isFirst,
  isChanged: false,
});
const initial: State = { jobs: { first: newJob(minimalJob.title, true) }, used: 1, isRevoked: false };

/** The answer to a step that runs alone, and the state after it. */
function runAlone(state: State, step: Step): [answer: Answer, after: State] {
  const [status, after] = outcomeOf(state, step);
  const job = step.kind === 'create' ? after.jobs[step.key] : after.jobs.first;
  return [answerOf(status, answersWithJob(step) && status < 300 ? job : undefined), after];
}

function outcomeOf(state: State, step: Step): [status: number, after: State] {
  const { jobs, used, isRevoked } = state;
  if (step.kind === 'reset') return [200, { ...state, jobs: {}, used: 0 }];
  if (step.kind === 'revoke') return [200, { ...state, isRevoked: true }];
  const job = jobs.first?.isFirst ? jobs.first : undefined;
  const changed = (change: Partial<Seen>): State =>
    job ? { ...state, jobs: { ...jobs, first: { ...job, ...change, isChanged: true } } } : state;
  if (step.kind === 'review') {
    if (job?.status !== 'pending') return [409, state];
    return [200, changed({ status: step.approves ? 'active' : 'denied' })];
  }
  if (isRevoked) return [401, state];
  if (step.kind === 'create') {
    const known = jobs[step.key];
    if (known) return [known.sent === step.title ? 200 : 409, state];
    if (used >= limit) return [403, state];
    return [201, { ...state, jobs: { ...jobs, [step.key]: newJob(step.title, false) }, used: used + 1 }];
  }
  if (!job) return [404, state];
  if (step.kind === 'withdraw') {
    if (job.status === 'inactive') return [204, state];
    if (step.ifUnchanged && job.isChanged) return [412, state];
    return [204, changed({ status: 'inactive' })];
  }
  if (step.ifUnchanged && job.isChanged) return [412, state];
  const status = statusAfterPatch(job.status as JobStatus, false);
  const isSame = job.title === step.title && job.status === status;
  return [200, isSame ? state : changed({ title: step.title, status })];
}

/** What can be seen of the steps: the answer to each, and the state after them. */
interface Observed {
  readonly answers: readonly Answer[];
  readonly jobs: readonly Seen[];
  readonly used: number;
}

const sorted = (jobs: readonly Seen[]): Seen[] =>
  jobs.map(({ title, status }) => ({ title, status })).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** What every order of the steps, one after the other, would show. */
function possible(all: readonly Step[]): Observed[] {
  const orders = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((n) => orders(rest.filter((other) => other !== n)).map((more) => [n, ...more]));
  return orders([...all.keys()]).map((order) => {
    const answers: Answer[] = [];
    let state = initial;
    for (const n of order) [answers[n], state] = runAlone(state, all[n] as Step) as [Answer, State];
    return { answers, jobs: sorted(Object.values(state.jobs)), used: state.used };
  });
}

/** One company with its first job, and a way to take each step. */
class Company {
  readonly #service: BoundedService;
  readonly #tenant: Tenant;
  readonly #credentialId: bigint;
  readonly #secret: string;
  readonly #auth: AuthDeps;
  readonly #services: Services;
  readonly #caller: Promise<Caller>;
  #first = { id: 0, etag: '' };

  private constructor(service: BoundedService, tenant: Tenant, credential: { credentialId: bigint; secret: string }) {
    const { watched } = service;
    this.#service = service;
    this.#tenant = tenant;
    this.#credentialId = credential.credentialId;
    this.#secret = credential.secret;
    const database = service.watchedDatabase;
    this.#auth = {
      database,
      addressLimit: new AddressLimit(1_000_000),
      maintenance: new MaintenanceSwitch(watched.admission),
      lastUsed: new LastUsed(database, silent),
    };
    this.#services = {
      database,
      reference: new ReferenceLists(watched.db),
      sanitizer,
      requestsPerMinute: 60,
      publicUrl: '',
    };
    this.#caller = this.#authenticate();
  }

  static async create(service: BoundedService, environment: Environment): Promise<Company> {
    service.pause();
    const context = service.context();
    const facts = { plan: 'Especial', verified: true, productionApproved: true };
    const { companyId } = await createCompany(context, { name: 'Oficina Exemplo', ...facts });
    const issued = await issueCredential(context, { companyId, environment, access: 'write', days: 365 });
    const company = new Company(service, { companyId, environment }, issued);
    const { headers, body } = await company.#ask('createJob', {
      header: { 'Idempotency-Key': 'first' },
      body: minimalJob,
    });
    company.#first = { id: (body as { data: { id: number } }).data.id, etag: headers?.ETag ?? '' };
    await company.#auth.lastUsed.flush();
    // A change has another time than the first job.
    service.now = new Date(service.now.getTime() + 1);
    return company;
  }

  /** `by` is the caller's number; without it, every request of the production environment is authenticated. */
  take(step: Step, by?: number): Promise<Answer> {
    return this.#take(step, by).then(
      (reply) => answerOf(reply?.status ?? 200, (reply?.body as { data: Seen } | undefined)?.data),
      (error: unknown) => answerOf(toRefusal(error, silent, 'none').status, undefined),
    );
  }

  async observe(): Promise<Omit<Observed, 'answers'> & { readonly keys: number }> {
    const { db } = this.#service.database;
    const where = this.#tenant;
    const jobs = await db.job.findMany({ where, select: { title: true, status: true } });
    const keys = await db.idempotencyKey.count({ where });
    const usage = await db.postingUsage.findMany({ where: { companyId: where.companyId }, select: { used: true } });
    return { jobs: sorted(jobs), used: usage.reduce((sum, { used }) => sum + used, 0), keys };
  }

  async #take(step: Step, by?: number): Promise<PlainReply | undefined> {
    const context = this.#service.context(this.#service.watched);
    const { companyId } = this.#tenant;
    const job = { ...this.#tenant, jobId: BigInt(this.#first.id) };
    const path = { id: this.#first.id };
    const header = 'ifUnchanged' in step && step.ifUnchanged ? { 'If-Match': this.#first.etag } : {};
    switch (step.kind) {
      case 'reset':
        await resetSandbox(context, { companyId });
        return undefined;
      case 'revoke':
        await revokeCredential(context, { companyId, credentialId: this.#credentialId });
        return undefined;
      case 'review':
        await (step.approves ? approveJob(context, job) : denyJob(context, { ...job, reason: 'Porque sim.' }));
        return undefined;
      case 'create': {
        const body = { ...minimalJob, title: step.title };
        return this.#ask('createJob', { header: { 'Idempotency-Key': step.key }, body }, by);
      }
      case 'patch':
        return this.#ask('updateJob', { path, header, body: { title: step.title } }, by);
      default:
        return this.#ask('withdrawJob', { path, header }, by);
    }
  }

  #authenticate(): Promise<Caller> {
    const { environment } = this.#tenant;
    const authorization = [`Bearer ${this.#secret}`];
    const client = { environment, isSecure: true, address: '127.0.0.1', authorization };
    return authenticateRequest(this.#auth, client, this.#service.context(), () => undefined);
  }

  /** In production, where a step may revoke the credential, every request is authenticated. */
  async #ask(operationId: OperationId, request: Partial<PlainRequest>, by?: number): Promise<PlainReply> {
    const { db, ...time } = this.#service.context(this.#service.watched);
    const isKnown = by !== undefined || this.#tenant.environment === 'sandbox';
    const caller = isKnown ? await this.#caller : await this.#authenticate();
    const actor = { ...caller, credentialId: by ?? caller.credentialId, entitlement: { ...caller.entitlement, limit } };
    const lifetime = new Lifetime();
    const ctx = { ...this.#services, ...time, db, actor, lifetime, nameOf: (name: string) => name };
    return dispatch(ctx, { operationId, path: {}, query: {}, header: {}, ...request });
  }
}

const silent = openLog('silent');
const sanitizer = new Sanitizer();

describe('steps of one company that run at the same time, on the embedded database', function () {
  this.timeout(300_000);
  let service: BoundedService;
  before(async () => {
    service = await BoundedService.open();
  });
  after(() => service.close());

  for (const environment of ['sandbox', 'production'] as const)
    it(`show what one order of them would show, in the ${environment}`, () => showOneOrder(service, environment));
});

after(() => sanitizer.close());

async function showOneOrder(service: BoundedService, environment: Environment): Promise<void> {
  const { boundaries } = service;
  // One statement after the other, each when all steps wait for their next one.
  const act = async (next: () => Promise<void>): Promise<void> => {
    await next();
    await boundaries.quiet();
  };
  const together = fc.array(steps[environment], { minLength: 2, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler({ act }), together, async (scheduler, all) => {
      const company = await Company.create(service, environment);
      boundaries.gate = (call) => scheduler.schedule(Promise.resolve(), call);
      const taken = Promise.all(all.map((step) => company.take(step)));
      await boundaries.quiet();
      const answers = await scheduler.waitFor(taken);
      boundaries.gate = undefined;
      const { keys, ...seen } = await company.observe();
      expect(keys).to.equal(seen.jobs.length);
      expect(possible(all)).to.deep.include({ answers, ...seen });
    }),
    { numRuns: 100 },
  );
}

/** Two steps of one company, all of whose orders are tried. */
type Pair = readonly [title: string, environment: Environment, one: Step, other: Step];
const createWith = (key: 'a' | 'b', title: string): Step => ({ kind: 'create', key, title });
const patchTo = (title: string, ifUnchanged = false): Step => ({ kind: 'patch', ifUnchanged, title });
const withdrawal = (ifUnchanged = false): Step => ({ kind: 'withdraw', ifUnchanged });
const review = (approves: boolean): Step => ({ kind: 'review', approves });
const pairs: readonly Pair[] = [
  ['creates with one key', 'sandbox', createWith('a', 'Pintor'), createWith('a', 'Pintor')],
  ['creates with one key and different JSON', 'sandbox', createWith('a', 'Pintor'), createWith('a', 'Canalizador')],
  ['creates for the last posting', 'sandbox', createWith('a', 'Pintor'), createWith('b', 'Pintor')],
  ['a create and a reset', 'sandbox', createWith('a', 'Pintor'), { kind: 'reset' }],
  ['a change and a withdrawal', 'sandbox', patchTo('Pintor'), withdrawal()],
  ['a change and a withdrawal with If-Match', 'sandbox', patchTo('Pintor', true), withdrawal(true)],
  ['a change and an approval', 'production', patchTo('Pintor'), review(true)],
  ['a change and a denial', 'production', patchTo('Pintor'), review(false)],
];

/**
 * Has each statement of the functions that change jobs wait for the test, but not what only reads or writes a job's own history: each
 * caller at the locks of its number, an operator at 0. They alternate, so that a caller which is let through waits again whatever the test
 * does next.
 */
const barriers = `
  CREATE FUNCTION pause(actor text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    caller int := coalesce(substring(actor FROM '\\d+'), '0');
    side int := 3 - coalesce(nullif(current_setting('test.side', true), ''), '2')::int;
  BEGIN
    PERFORM set_config('test.side', side::text, true);
    PERFORM pg_advisory_lock(side, caller);
    PERFORM pg_advisory_unlock(side, caller);
  END $$;
  DO $$ DECLARE
    changes regproc;
  BEGIN
    FOREACH changes IN ARRAY '{try_create_job,try_patch_job,try_set_status}'::regproc[] LOOP
      EXECUTE regexp_replace(pg_get_functiondef(changes),
        '^(\\s*)(PERFORM FROM|SELECT|INSERT|UPDATE|DELETE|RETURN QUERY)', '\\1PERFORM pause(by_actor); \\2', 'gn');
    END LOOP;
  END $$`;
const waiting = `
  SELECT objid::int AS caller, classid::int AS side FROM pg_locks JOIN pg_database ON pg_database.oid = database
   WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;

describe('two steps of one company on PostgreSQL, with a barrier at each statement', function () {
  this.timeout(300_000);
  let service: BoundedService;
  let client: pg.Client;
  let drop = async (): Promise<void> => undefined;
  before(async function () {
    if (!serverUrl || onCitus) return this.skip();
    const own = await createServerDatabase();
    drop = own.drop;
    await migrateServer(own.url);
    service = await BoundedService.openServer(own.url);
    client = new pg.Client(own.url);
    await client.connect();
    await client.query(barriers);
    // Both connections: opening one takes time in which nothing is under way.
    const { operations } = service.watched.pools;
    await Promise.all([1, 2].map(() => operations.query('SELECT pg_sleep(0.1)')));
  });
  after(async () => {
    await client?.end();
    await service?.close();
    await drop();
  });

  for (const [title, environment, ...steps] of pairs)
    it(`${title} show what one order of them would show, in all orders`, async () => {
      const expected = possible(steps);
      let orders = 0;
      for (const choose of allOrders()) {
        expect(expected).to.deep.include(await observeOrder(environment, steps, choose));
        orders += 1;
      }
      expect(orders).to.be.greaterThan(2);
    });

  const callerNumbers = [2_000_000_001, 2_000_000_002];
  const runningStep = new AsyncLocalStorage<number>();

  /** Runs both steps, one statement after the other, each of the step that is chosen among those that can go on. */
  async function observeOrder(environment: Environment, steps: readonly Step[], choose: Choose): Promise<Observed> {
    const { boundaries } = service;
    const company = await Company.create(service, environment);
    const locks = steps.map(({ kind }, n) => (kind === 'review' ? 0 : (callerNumbers[n] as number)));
    for (const lock of locks) await client.query('SELECT pg_advisory_lock(1, $1), pg_advisory_lock(2, $1)', [lock]);
    const gates = new Map<number, () => void>();
    boundaries.gate = (call) => {
      const step = runningStep.getStore();
      // What touches nothing that the other step reads or writes goes on at once.
      if (step === undefined || !/^database: (?!BEGIN|INSERT audit)/.test(call)) return Promise.resolve();
      return new Promise((resolve) => gates.set(step, resolve));
    };
    const answers: Answer[] = [];
    const numbers = [...steps.keys()];
    let left = numbers.length;
    for (const n of numbers) {
      void runningStep.run(n, async () => {
        answers[n] = await company.take(steps[n] as Step, callerNumbers[n]);
        left -= 1;
      });
      await boundaries.quiet();
    }
    try {
      while (left > 0) {
        const { rows } = await client.query<{ caller: number; side: number }>(waiting);
        const ready = numbers.filter((n) => gates.has(n) || rows.some(({ caller }) => caller === locks[n]));
        if (ready.length > 0) {
          const next = choose(ready);
          const open = gates.get(next);
          gates.delete(next);
          if (open) open();
          else {
            const lock = rows.find(({ caller }) => caller === locks[next]);
            await client.query('SELECT pg_advisory_unlock($1, $2)', [lock?.side, lock?.caller]);
            await client.query('SELECT pg_advisory_lock($1, $2)', [lock?.side, lock?.caller]);
          }
        }
        await boundaries.quiet();
      }
    } finally {
      boundaries.gate = undefined;
      for (const open of gates.values()) open();
      await client.query('SELECT pg_advisory_unlock_all()');
    }
    const { keys, ...seen } = await company.observe();
    expect(keys).to.equal(seen.jobs.length);
    return { answers, ...seen };
  }
});

type Choose = (ready: readonly number[]) => number;

/** Every way to choose, again and again, among those that are ready: the next way differs in the last choice that had another. */
function* allOrders(): Generator<Choose> {
  const made: { readonly ready: readonly number[]; place: number }[] = [];
  do {
    let depth = 0;
    yield (ready) => {
      made[depth] ??= { ready, place: 0 };
      const { ready: before, place } = made[depth++] as (typeof made)[number];
      expect(ready, 'the same choices lead to the same state').to.deep.equal(before);
      return ready[place] as number;
    };
    while (made.length > 0 && (made.at(-1)?.place ?? 0) + 1 === made.at(-1)?.ready.length) made.pop();
    const last = made.at(-1);
    if (last) last.place += 1;
  } while (made.length > 0);
}
