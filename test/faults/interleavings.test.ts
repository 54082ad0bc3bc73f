import { expect } from 'chai';
import fc from 'fast-check';
import { type AuthDeps, authenticateRequest } from '../../src/auth/authenticate-request.ts';
import { LastUsed } from '../../src/auth/last-used.ts';
import { MaintenanceSwitch } from '../../src/auth/maintenance-switch.ts';
import type { Services } from '../../src/context.ts';
import type { OperationId, PlainReply, PlainRequest } from '../../src/contract/types.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { dispatch } from '../../src/dispatch.ts';
import type { Caller } from '../../src/domain/actor.ts';
import { ConcurrencyLimit } from '../../src/domain/concurrency-limit.ts';
import type { Environment, Tenant } from '../../src/domain/environment.ts';
import { type JobStatus, statusAfterPatch } from '../../src/domain/job.ts';
import { Lifetime } from '../../src/domain/lifetime.ts';
import { openLog } from '../../src/log.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/review-job.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { ReferenceLists } from '../../src/queries/reference-data.ts';
import { AddressLimit } from '../../src/rate-limit/address-limit.ts';
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
      lists: new ConcurrencyLimit({}),
      bodies: new ConcurrencyLimit({}),
      writes: new ConcurrencyLimit({}),
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

  take(step: Step): Promise<Answer> {
    return this.#take(step).then(
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

  async #take(step: Step): Promise<PlainReply | undefined> {
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
        return this.#ask('createJob', { header: { 'Idempotency-Key': step.key }, body });
      }
      case 'patch':
        return this.#ask('updateJob', { path, header, body: { title: step.title } });
      default:
        return this.#ask('withdrawJob', { path, header });
    }
  }

  #authenticate(): Promise<Caller> {
    const { environment } = this.#tenant;
    const authorization = [`Bearer ${this.#secret}`];
    const client = { environment, isSecure: true, address: '127.0.0.1', authorization };
    return authenticateRequest(this.#auth, client, this.#service.context());
  }

  /** In production, where a step may revoke the credential, every request is authenticated. */
  async #ask(operationId: OperationId, request: Partial<PlainRequest>): Promise<PlainReply> {
    const { db, ...time } = this.#service.context(this.#service.watched);
    const caller = this.#tenant.environment === 'production' ? await this.#authenticate() : await this.#caller;
    const actor = { ...caller, entitlement: { ...caller.entitlement, limit } };
    const lifetime = new Lifetime();
    const ctx = { ...this.#services, ...time, db, actor, lifetime, nameOf: (name: string) => name };
    return dispatch(ctx, { operationId, path: {}, query: {}, header: {}, ...request });
  }
}

const silent = openLog('silent');
const sanitizer = new Sanitizer();

const onEmbedded = { open: () => BoundedService.open(), drop: async () => undefined };
const onServer = async () => {
  const { url, drop } = await createServerDatabase();
  await migrateServer(url);
  return { open: () => BoundedService.openServer(url), drop };
};
const databases = { 'the embedded database': async () => onEmbedded, PostgreSQL: onServer } as const;

for (const [name, place] of Object.entries(databases))
  describe(`steps of one company that run at the same time, on ${name}`, function () {
    this.timeout(300_000);
    let service: BoundedService | undefined;
    let drop = async (): Promise<void> => undefined;
    before(async function () {
      if (name === 'PostgreSQL' && (!serverUrl || onCitus)) return this.skip();
      const prepared = await place();
      drop = prepared.drop;
      service = await prepared.open();
    });
    after(async () => {
      await service?.close();
      await drop();
    });

    for (const environment of ['sandbox', 'production'] as const)
      it(`show what one order of them would show, in the ${environment}`, async () => {
        if (!service) throw new Error('there is no database');
        await showOneOrder(service, environment);
      });
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
