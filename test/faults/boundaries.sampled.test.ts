import type { Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import type { Fault } from '../helper/boundaries.ts';
import { sample } from '../helper/draws.ts';
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
import { everyFault, type Outcome } from './every-fault.ts';

const markup = { body: '<p>Procuramos <b>eletricista</b>.</p>' };
let made = 0;
const titled = () => ({ ...minimalJob, ...markup, title: `Eletricista ${++made}` });

interface MadeJob {
  readonly id: number;
  readonly etag: string;
  /** The call that created it. */
  readonly call: Call;
}

interface Request {
  readonly title: string;
  /** A call of its own. */
  readonly call: (makeJob: () => Promise<MadeJob>) => Promise<Call> | Call;
  readonly status: number;
  /** The tables that the call writes, each row once. */
  readonly writes?: readonly string[];
  /** The status of repeating the call after its effect, if different. */
  readonly again?: number;
}

const read = (call: Call): Request => ({ title: call.operationId, call: () => call, status: 200 });
const changedJob = ['job_events', 'jobs'];

/** The create is the sample. */
const requests: readonly Request[] = [
  {
    title: 'createJob',
    call: () => createJob(titled(), `key-${++made}`),
    status: 201,
    again: 200,
    writes: ['idempotency_keys', 'job_events', 'jobs', 'posting_usage'],
  },
  read({ operationId: 'getAccount' }),
  read({ operationId: 'listCategories' }),
  read(listJobs()),
  { ...read(listJobs({ updated_since: '2026-01-01T00:00:00Z' })), title: 'listJobs with updated_since' },
  { title: 'getJob', call: async (job) => getJob((await job()).id), status: 200 },
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

const protocols = { REST: restCaller, MCP: mcpCaller, 'MCP 2026-07-28': modernMcpCaller } as const;
/** Both eras of MCP call the same operations, so one read and one write are enough to test each era. */
const byTool = ['getJob', 'createJob'];

/** Runs one operation of a new company over one protocol, on its own app. */
class Runner {
  readonly #service: BoundedService;
  readonly #app: BoundedApp;
  readonly #caller: ProtocolCaller;
  readonly #request: Request;

  private constructor(service: BoundedService, app: BoundedApp, caller: ProtocolCaller, request: Request) {
    this.#service = service;
    this.#app = app;
    this.#caller = caller;
    this.#request = request;
  }

  static async start(service: BoundedService, protocol: keyof typeof protocols, request: Request): Promise<Runner> {
    const facts = { plan: 'Especial', verified: true, productionApproved: true };
    const { companyId } = await createCompany(service.context(), { name: 'Oficina Exemplo', ...facts });
    const kind = { environment: 'production', access: 'write', days: 365 } as const;
    const { secret } = await issueCredential(service.context(), { companyId, ...kind });
    const app = await service.startApp();
    return new Runner(service, app, protocols[protocol](app.server, 'production', secret), request);
  }

  async everyFault(): Promise<void> {
    const { status, writes = [], again } = this.#request;
    const make = async () => {
      const call = await this.#call();
      return (fault?: Fault) => this.#run(call, fault);
    };
    const changes = await everyFault(this.#service, { make, status, again: again ?? status });
    expect(new Set(changes.map(tableOf))).to.deep.equal(new Set(writes));
    const once = changes.map(tableOf).filter((table) => changedJob.includes(table));
    expect(once).to.deep.equal(changedJob.filter((table) => writes.includes(table)));
  }

  /** The calls of the request, after a pause. */
  async #call(): Promise<Call> {
    this.#service.pause();
    const call = await this.#request.call(async () => {
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

  /** Waits for all effects of a request, and checks that it has left nothing open. */
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

describe('any call that leaves the service may fail', () => {
  let service: BoundedService;
  before(async () => {
    service = await BoundedService.open();
  });
  after(() => service.close());

  const runs = (['REST', 'MCP', 'MCP 2026-07-28'] as const).flatMap((protocol) =>
    requests
      .filter(({ title }) => protocol === 'REST' || byTool.includes(title))
      .map((request) => [protocol, request] as const),
  );
  for (const [protocol, request] of sample(runs, 1))
    it(`in ${request.title} over ${protocol}`, async () => {
      const runner = await Runner.start(service, protocol, request);
      await runner.everyFault();
    });
});
