import type { Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { tools } from '../../src/contract/tools.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import type { Fault, FaultKind } from '../helper/boundaries.ts';
import {
  type Call,
  createJob,
  getJob,
  listJobs,
  mcpCaller,
  modernMcpCaller,
  type ProtocolCaller,
  restCaller,
  updateJob,
  withdrawJob,
} from '../helper/protocol-callers.ts';
import { takeRows } from '../helper/row-changes.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { type BoundedApp, BoundedService } from './bounded-app.ts';

const markup = { body: '<p>Procuramos <b>eletricista</b>.</p>' };
let made = 0;
const titled = () => ({ ...minimalJob, ...markup, title: `Eletricista ${++made}` });

interface MadeJob {
  readonly id: number;
  readonly etag: string;
  /** The call that made it. */
  readonly call: Call;
}

interface Subject {
  readonly title: string;
  /** A call of its own. */
  readonly call: (makeJob: () => Promise<MadeJob>) => Promise<Call> | Call;
  readonly status: number;
  /** The tables that it writes, each row once. */
  readonly writes?: readonly string[];
  /** The status of the same call again once it has had its effect, if that is another one. */
  readonly again?: number;
}

const read = (call: Call): Subject => ({ title: call.operationId, call: () => call, status: 200 });
const changedJob = ['job_events', 'jobs'];

const subjects: readonly Subject[] = [
  read({ operationId: 'getAccount' }),
  read({ operationId: 'listCategories' }),
  read({ operationId: 'listRegions' }),
  read({ operationId: 'listDistricts' }),
  read({ operationId: 'listOptions' }),
  read(listJobs()),
  { ...read(listJobs({ updated_since: '2026-01-01T00:00:00Z' })), title: 'listJobs with updated_since' },
  { title: 'getJob', call: async (job) => getJob((await job()).id), status: 200 },
  {
    title: 'createJob',
    call: () => createJob(titled(), `key-${++made}`),
    status: 201,
    again: 200,
    writes: ['idempotency_keys', 'job_events', 'jobs', 'posting_usage'],
  },
  { title: 'createJob again', call: async (makeJob) => (await makeJob()).call, status: 200 },
  { title: 'updateJob', call: async (job) => updateJob((await job()).id, titled()), status: 200, writes: changedJob },
  {
    title: 'updateJob with If-Match',
    call: async (job) => {
      const { id, etag } = await job();
      return { ...updateJob(id, titled()), ifMatch: etag };
    },
    status: 200,
    again: 412,
    writes: changedJob,
  },
  { title: 'withdrawJob', call: async (job) => withdrawJob((await job()).id), status: 204, writes: changedJob },
  {
    title: 'withdrawJob with If-Match',
    call: async (job) => {
      const { id, etag } = await job();
      return { ...withdrawJob(id), ifMatch: etag };
    },
    status: 204,
    writes: changedJob,
  },
];

/** What can happen to a call, by the first word of its name. */
const kinds: Readonly<Record<string, readonly FaultKind[]>> = {
  database: ['fails', 'disconnects', 'loses its answer', 'hangs', 'loses its client'],
  sanitizer: ['fails', 'loses its answer', 'hangs', 'loses its client'],
  client: ['fails', 'loses its answer', 'hangs', 'loses its client'],
  // By its contract it never fails.
  log: ['loses its client'],
};
const faultsOf = (call: string): Fault[] => (kinds[call.split(':')[0] ?? ''] ?? []).map((kind) => ({ call, kind }));

const protocols = { REST: restCaller, MCP: mcpCaller, 'MCP 2026-07-28': modernMcpCaller } as const;
const hasTool = (operationId: string): boolean => tools.some((tool) => tool.operationId === operationId);

interface Outcome {
  readonly status: number | 'unanswered';
  /** The rows that it wrote or deleted. */
  readonly changes: readonly string[];
}

/** Runs one operation of a new company over one protocol, on an app of its own. */
class Runner {
  readonly #service: BoundedService;
  readonly #app: BoundedApp;
  readonly #caller: ProtocolCaller;
  readonly #subject: Subject;

  private constructor(service: BoundedService, app: BoundedApp, caller: ProtocolCaller, subject: Subject) {
    this.#service = service;
    this.#app = app;
    this.#caller = caller;
    this.#subject = subject;
  }

  static async start(service: BoundedService, protocol: keyof typeof protocols, subject: Subject): Promise<Runner> {
    const facts = { plan: 'Especial', verified: true, productionApproved: true };
    const { companyId } = await createCompany(service.context(), { name: 'Oficina Exemplo', ...facts });
    const kind = { environment: 'production', access: 'write', days: 365 } as const;
    const { secret } = await issueCredential(service.context(), { companyId, ...kind });
    const app = await service.startApp();
    return new Runner(service, app, protocols[protocol](app.server, 'production', secret), subject);
  }

  /** Makes every call that leaves the service fail in every way, one at a time. */
  async everyFault(): Promise<void> {
    const { status, writes = [] } = this.#subject;
    // Opens the connections.
    await this.#run(await this.#call());
    const clean = await this.#run(await this.#call());
    expect(clean.status).to.equal(status);
    expect(new Set(clean.changes.map(tableOf))).to.deep.equal(new Set(writes));
    const once = clean.changes.map(tableOf).filter((table) => changedJob.includes(table));
    expect(once).to.deep.equal(changedJob.filter((table) => writes.includes(table)));
    for (const fault of this.#service.boundaries.calls.flatMap(faultsOf))
      await this.#fault(fault, clean.changes).catch((error: Error) => {
        error.message = `${fault.call} ${fault.kind}: ${error.message}`;
        throw error;
      });
  }

  async #fault(fault: Fault, changes: readonly string[]): Promise<void> {
    const { status, again = status } = this.#subject;
    const call = await this.#call();
    const faulted = await this.#run(call, fault);
    expect(this.#service.boundaries.hasFired, 'the fault happened').to.equal(true);
    const mayBeUnanswered = fault.kind === 'loses its client' || fault.call.startsWith('client');
    expect(faulted.status, 'with the fault').to.be.oneOf([status, 503, ...(mayBeUnanswered ? ['unanswered'] : [])]);
    const hasHappened = faulted.changes.length > 0;
    if (faulted.status === status || hasHappened) expect(faulted.changes, 'all or nothing').to.deep.equal(changes);
    const repeated = await this.#run(call);
    expect(repeated.status, 'without the fault').to.equal(hasHappened ? again : status);
    expect([...faulted.changes, ...repeated.changes], 'once').to.deep.equal(changes);
  }

  /** What the subject calls, after a pause. */
  async #call(): Promise<Call> {
    this.#service.pause();
    const call = await this.#subject.call(async () => {
      const making = createJob(titled(), `key-${++made}`);
      const { body, etag } = await this.#caller.run({ ...making, ...closing });
      return { id: (body as { data: { id: number } }).data.id, etag: String(etag), call: making };
    });
    await this.#settle();
    await takeRows(this.#service.database.db);
    this.#service.pause();
    return call;
  }

  async #run(call: Call, fault?: Fault): Promise<Outcome> {
    const { boundaries, database } = this.#service;
    const { lines } = this.#app;
    lines.length = 0;
    boundaries.begin(fault);
    const status = await boundaries.finish(this.#caller.run({ ...call, ...closing }).then(statusOf, unanswered));
    await this.#settle();
    const ended = lines.filter(({ requestId, status }) => requestId !== undefined && status !== undefined);
    expect(ended, 'lines of the log').to.have.length(1);
    expect(
      lines.filter(({ level }) => Number(level) >= errorLevel),
      'unforeseen failures',
    ).to.deep.equal([]);
    const { changes, requests } = await takeRows(database.db);
    expect(requests, 'entries of the request log').to.be.within(fault ? 0 : 1, 1);
    return { status, changes };
  }

  /** Waits for all that follows from a request, and checks that it has left nothing open. */
  async #settle(): Promise<void> {
    const { boundaries } = this.#service;
    const { app, server } = this.#app;
    await boundaries.finish(app.flush());
    const open = async () => ({
      places: app.stats().inFlight,
      connections: await openConnections(server),
      'connections to the database': this.#service.busyConnections,
    });
    const none = { places: 0, connections: 0, 'connections to the database': 0 };
    await boundaries.settle(async () => isDeepStrictEqual(await open(), none));
    expect(await open()).to.deep.equal(none);
  }
}

const tableOf = (change: string): string => change.split(' ')[1] ?? '';
const closing = { headers: { Connection: 'close' } } as const;
const errorLevel = 50;
const statusOf = ({ status }: { readonly status: number }): number => status;

/** The connection ended without an answer. */
function unanswered(error: Error & { code?: string }): 'unanswered' {
  if (error.code !== 'ECONNRESET') throw error;
  return 'unanswered';
}

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));

describe('any call that leaves the service may fail', function () {
  this.timeout(300_000);
  let service: BoundedService;
  before(async () => {
    service = await BoundedService.open();
  });
  after(() => service.close());

  for (const protocol of ['REST', 'MCP', 'MCP 2026-07-28'] as const)
    for (const subject of subjects) {
      if (protocol !== 'REST' && !hasTool(subject.title.replace(/ .*/, ''))) continue;
      it(`in ${subject.title} over ${protocol}`, async () => {
        const runner = await Runner.start(service, protocol, subject);
        await runner.everyFault();
      });
    }
});
