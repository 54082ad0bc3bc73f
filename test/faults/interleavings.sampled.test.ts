import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import type { AuthDeps } from '../../src/auth/authenticate-request.ts';
import type { ApiContext, Services } from '../../src/context.ts';
import type { OperationId, PlainReply, PlainRequest } from '../../src/contract/types.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { dispatch } from '../../src/dispatch.ts';
import type { Caller } from '../../src/domain/actor.ts';
import type { Environment, Tenant } from '../../src/domain/environment.ts';
import { openLog } from '../../src/log.ts';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { resetSandbox } from '../../src/operations/companies/people/reset-sandbox.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { approveJob, denyJob, undoReview } from '../../src/operations/jobs/people/review-job.ts';
import { referenceLists } from '../../src/operations/reference/reference-sql.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { toRefusal } from '../../src/server/answer.ts';
import { draws, sample } from '../helper/draws.ts';
import { authOn, callerBy } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { createServerDatabase, onCitus, patienceMs, serverUrl } from '../helper/test-database.ts';
import { BoundedService } from './bounded-app.ts';
import type { Fields, Seen } from './history.ts';
import { isOneOrder } from './model.ts';

/** The action of one step. A change, a withdrawal or a decision concerns the first job. */
interface Step {
  readonly operation: Seen['operation'];
  readonly key?: string;
  readonly title?: string;
  /** Only if the job is still in its first version. */
  readonly ifUnchanged?: boolean;
}

const only = (operation: Step['operation']) => fc.record({ operation: fc.constant(operation) });
const title = fc.constantFrom(minimalJob.title, 'Pintor', 'Canalizador');
const ifUnchanged = fc.boolean();
const create = fc.record({ operation: fc.constant('create'), key: fc.constantFrom('first', 'a', 'b'), title });
const change = fc.record({ operation: fc.constant('change'), ifUnchanged, title });
const withdraw = fc.record({ operation: fc.constant('withdraw'), ifUnchanged });
const steps: Readonly<Record<Environment, fc.Arbitrary<Step>>> = {
  sandbox: fc.oneof(create, change, withdraw, only('reset')),
  production: fc.oneof(create, change, withdraw, only('approve'), only('deny'), only('undo'), only('revoke')),
};

/** The company may create one more job than its first. */
const beginning = { limit: 2, isReviewed: true };

/** All steps run at the same time. */
const when = {
  before: { begin: 0, end: 1 },
  together: { begin: 2, end: 3 },
  afterwards: { begin: 4, end: 5 },
};

/** One company with its first job, and functions that run each step. */
class Company {
  readonly history: Seen[] = [];
  readonly #service: BoundedService;
  readonly #tenant: Tenant;
  readonly #credentialId: bigint;
  readonly #secret: string;
  readonly #auth: AuthDeps;
  readonly #services: Services;
  readonly #caller: Promise<Caller>;

  private constructor(service: BoundedService, tenant: Tenant, credential: { credentialId: bigint; secret: string }) {
    const { watchedDatabase: database } = service;
    this.#service = service;
    this.#tenant = tenant;
    this.#credentialId = credential.credentialId;
    this.#secret = credential.secret;
    this.#auth = authOn(database);
    const reference = referenceLists();
    this.#services = { database, reference, sanitizer, requestsPerMinute: 60, publicUrl: '' };
    this.#caller = this.#authenticate();
  }

  static async create(service: BoundedService, environment: Environment): Promise<Company> {
    service.pause();
    const context = service.context();
    const facts = { plan: 'Especial', verified: true, productionApproved: true };
    const { companyId } = await createCompany(context, { name: 'Oficina Exemplo', ...facts });
    const issued = await issueCredential(context, { companyId, environment, access: 'write', days: 365 });
    const company = new Company(service, { companyId, environment }, issued);
    await company.take({ operation: 'create', key: 'first', title: minimalJob.title }, undefined, when.before);
    await company.#auth.lastUsed.flush();
    // A change has a later time than the first job.
    service.now = new Date(service.now.getTime() + 1);
    return company;
  }

  /** `by` is the caller's number. Without it, every request of the production environment is authenticated. */
  async take(step: Step, by?: number, time = when.together): Promise<void> {
    const { operation, key, title, ifUnchanged } = step;
    const first = this.history[0];
    const ifMatch = ifUnchanged ? String(first?.shown.etag) : undefined;
    const job = operation === 'create' ? undefined : first?.job;
    const asked = { ...time, operation, key, ifMatch, sent: title ? { title } : {}, job };
    const seen = await this.#take(asked, by).then(
      (reply): Partial<Seen> => {
        const { data } = (reply?.body ?? {}) as { data?: Fields & { id: number } };
        const etag = reply?.headers?.ETag;
        const shown = data ? { title: data.title, status: data.status, etag } : {};
        return { status: reply?.status ?? 200, shown, job: data?.id ?? job };
      },
      (error: unknown): Partial<Seen> => {
        const { status, details } = toRefusal(error, silent, 'none');
        return { status, reason: String(details.reason) };
      },
    );
    this.history.push({ status: 500, shown: {}, ...asked, ...seen });
  }

  /** Adds the final jobs and the final count to the history. */
  async complete(): Promise<Seen[]> {
    const { db } = this.#service.database;
    const where = this.#tenant;
    const jobs = await db.job.findMany({ where, select: { id: true, title: true, status: true } });
    const keys = await db.idempotencyKey.count({ where });
    expect(keys, 'keys').to.equal(jobs.length);
    const usage = await db.postingUsage.findMany({ where: { companyId: where.companyId }, select: { used: true } });
    const found = { ...when.afterwards, operation: 'found', sent: {} } as const;
    const left = jobs.map(({ id, title, status }) => ({
      ...found,
      status: 200,
      job: Number(id),
      shown: { title, status },
    }));
    const isLeft = (job: number) => left.some((one) => one.job === job);
    const gone = new Set(this.history.flatMap(({ job }) => (job === undefined || isLeft(job) ? [] : [job])));
    const used = usage.reduce((sum, { used }) => sum + used, 0);
    return [
      ...this.history,
      ...left,
      ...[...gone].map((job) => ({ ...found, status: 404, job, shown: {} })),
      { ...found, operation: 'account', status: 200, shown: { used } },
    ];
  }

  async #take(
    { operation, key, ifMatch, sent, job }: Pick<Seen, 'operation' | 'key' | 'ifMatch' | 'sent' | 'job'>,
    by?: number,
  ) {
    const context = this.#service.context(this.#service.watched);
    const { companyId } = this.#tenant;
    const decided = { ...this.#tenant, jobId: BigInt(job ?? 0) };
    const path = { id: job };
    const header = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
    switch (operation) {
      case 'reset':
        return void (await resetSandbox(context, { companyId }));
      case 'revoke':
        return void (await revokeCredential(context, { companyId, credentialId: this.#credentialId }));
      case 'approve':
        return void (await approveJob(context, decided));
      case 'deny':
        return void (await denyJob(context, { ...decided, reason: 'Porque sim.' }));
      case 'undo':
        return void (await undoReview(context, decided));
      case 'create':
        return this.#ask('createJob', { header: { 'Idempotency-Key': key }, body: { ...minimalJob, ...sent } }, by);
      case 'change':
        return this.#ask('updateJob', { path, header, body: sent }, by);
      default:
        return this.#ask('withdrawJob', { path, header }, by);
    }
  }

  #authenticate(): Promise<Caller> {
    const { environment } = this.#tenant;
    return callerBy(this.#auth, environment, this.#secret, this.#service.context());
  }

  async #ask(operationId: OperationId, request: Partial<PlainRequest>, by?: number): Promise<PlainReply> {
    const ctx = await this.#contextOf(by);
    return dispatch(ctx, { operationId, path: {}, query: {}, header: {}, ...request });
  }

  /** In production, where a step may revoke the credential, every request is authenticated. */
  async #contextOf(by?: number): Promise<ApiContext> {
    const { db, ...time } = this.#service.context(this.#service.watched);
    const isKnown = by !== undefined || this.#tenant.environment === 'sandbox';
    const caller = isKnown ? await this.#caller : await this.#authenticate();
    const entitlement = { ...caller.entitlement, limit: beginning.limit };
    const actor = { ...caller, credentialId: by ?? caller.credentialId, entitlement };
    return { ...this.#services, ...time, db, actor, judgeAgain: () => this.#contextOf(by), about: {} };
  }
}

const expectOneOrder = async (company: Company): Promise<void> => {
  const history = await company.complete();
  expect(isOneOrder(history, beginning), JSON.stringify(history, null, 1)).to.equal(true);
};

const silent = openLog('silent');
const sanitizer = new Sanitizer({ timeoutMs: patienceMs });

describe('steps of one company that run at the same time, on the embedded database', () => {
  let service: BoundedService;
  before(async () => {
    service = await BoundedService.open();
  });
  after(() => service.close());

  for (const environment of ['sandbox', 'production'] as const)
    it(`have the outcome of some sequential order, in the ${environment}`, () => showOneOrder(service, environment));
});

after(() => sanitizer.close());

async function showOneOrder(service: BoundedService, environment: Environment): Promise<void> {
  const { boundaries } = service;
  // Runs one statement after the other, each when all steps wait for their next one.
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
      await scheduler.waitFor(taken);
      boundaries.gate = undefined;
      await expectOneOrder(company);
    }),
    { numRuns: draws(5, 100) },
  );
}

/** Two steps of one company. The test tries all their interleavings, after the steps `before`. */
type Pair = readonly [title: string, environment: Environment, one: Step, other: Step, before?: readonly Step[]];
const createWith = (key: string, title: string): Step => ({ operation: 'create', key, title });
const changed = { operation: 'change', title: 'Pintor' } as const;
const withdrawn = { operation: 'withdraw' } as const;
const unchanged = { ifUnchanged: true };
const pairs: readonly Pair[] = [
  ['creates with one key', 'sandbox', createWith('a', 'Pintor'), createWith('a', 'Pintor')],
  ['creates with one key and different JSON', 'sandbox', createWith('a', 'Pintor'), createWith('a', 'Canalizador')],
  ['creates for the last posting', 'sandbox', createWith('a', 'Pintor'), createWith('b', 'Pintor')],
  ['a create and a reset', 'sandbox', createWith('a', 'Pintor'), { operation: 'reset' }],
  ['a change and a withdrawal', 'sandbox', changed, withdrawn],
  ['a change and a withdrawal with If-Match', 'sandbox', { ...changed, ...unchanged }, { ...withdrawn, ...unchanged }],
  ['a change and a decision', 'production', changed, { operation: 'approve' }],
  ['a change and the undoing of a decision', 'production', changed, { operation: 'undo' }, [{ operation: 'approve' }]],
  ['a withdrawal and the undoing of a denial', 'production', withdrawn, { operation: 'undo' }, [{ operation: 'deny' }]],
];

/**
 * Makes each statement of the functions that change jobs wait for the test, except those that only use a job's own history: each caller at
 * the locks of its number, an operator at 0. The locks alternate, so that a released caller waits again, whatever the test does next.
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
    FOR changes IN SELECT oid FROM pg_proc WHERE proname LIKE 'try%' AND 'by_actor' = ANY (proargnames) LOOP
      EXECUTE regexp_replace(pg_get_functiondef(changes),
        '^(\\s*)(PERFORM FROM|SELECT|INSERT|UPDATE|DELETE|RETURN QUERY)', '\\1PERFORM pause(by_actor); \\2', 'gn');
    END LOOP;
  END $$`;
const waiting = `
  SELECT objid::int AS caller, classid::int AS side FROM pg_locks JOIN pg_database ON pg_database.oid = database
   WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;

describe('two steps of one company on PostgreSQL, with a barrier at each statement', () => {
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
    // Opens both connections first, because nothing else happens while a connection opens.
    const { operations } = service.watched.pools;
    await Promise.all([1, 2].map(() => operations.query('SELECT pg_sleep(0.1)')));
  });
  after(async () => {
    await client?.end();
    await service?.close();
    await drop();
  });

  for (const [title, environment, one, other, before = []] of sample(pairs, 3))
    it(`${title} have the outcome of some sequential order, in all interleavings`, async () => {
      let orders = 0;
      for (const choose of allOrders()) {
        await expectOneOrder(await takeInOrder(environment, before, [one, other], choose));
        orders += 1;
      }
      expect(orders).to.be.greaterThan(2);
    });

  const callerNumbers = [2_000_000_001, 2_000_000_002];
  const runningStep = new AsyncLocalStorage<number>();

  /** Runs both steps statement by statement. `choose` picks the step among those that can continue. */
  async function takeInOrder(
    environment: Environment,
    before: readonly Step[],
    steps: readonly Step[],
    choose: Choose,
  ): Promise<Company> {
    const { boundaries } = service;
    const company = await Company.create(service, environment);
    for (const step of before) await company.take(step, undefined, when.before);
    const locks = steps.map(({ operation }, n) =>
      /approve|deny|undo/.test(operation) ? 0 : (callerNumbers[n] as number),
    );
    for (const lock of locks) await client.query('SELECT pg_advisory_lock(1, $1), pg_advisory_lock(2, $1)', [lock]);
    const gates = new Map<number, () => void>();
    boundaries.gate = (call) => {
      const step = runningStep.getStore();
      // A statement that touches nothing of the other step continues at once.
      if (step === undefined || !/^database: (?!BEGIN|INSERT audit)/.test(call)) return Promise.resolve();
      return new Promise((resolve) => gates.set(step, resolve));
    };
    const numbers = [...steps.keys()];
    let left = numbers.length;
    for (const n of numbers) {
      void runningStep.run(n, async () => {
        await company.take(steps[n] as Step, callerNumbers[n]);
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
    return company;
  }
});

type Choose = (ready: readonly number[]) => number;

/** All sequences of choices among the ready steps. Each next one differs from the last in its last choice with an alternative. */
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
