import { expect } from 'chai';
import fc from 'fast-check';
import type { Fields, Seen } from '../faults/history.ts';
import { contradictions } from '../faults/linearizable.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import {
  callers,
  createJob,
  getJob,
  listJobs,
  type ProtocolCaller,
  updateJob,
  withdrawJob,
} from '../helper/protocol-callers.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** One company in one environment, over every protocol. */
interface Account {
  readonly callers: readonly ProtocolCaller[];
  readonly history: Seen[];
}

/** Which account calls, and which of its callers it uses; `pick` is one of all jobs. */
const step = fc.record({
  operation: fc.constantFrom('create', 'create', 'create', 'change', 'withdraw', 'read'),
  who: fc.nat({ max: 3 }),
  caller: fc.nat({ max: callers.length - 1 }),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  title: fc.constantFrom('Eletricista', 'Canalizador', 'Pintor'),
  pick: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Up to three steps at once. */
const anySteps = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 16 });

async function openAccounts(): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const autoPublish of [false, true]) {
    const company = await newCompany({ autoPublish });
    for (const environment of ['sandbox', 'production'] as const) {
      const secret = await company.secret(environment, 'write');
      accounts.push({ callers: callers.map((caller) => caller(server(), environment, secret)), history: [] });
    }
  }
  return accounts;
}

type Job = Fields & { readonly id: number };
const idsOf = ({ history }: Account): number[] =>
  history.flatMap(({ status, job }) => (status === 201 && job !== undefined ? [job] : []));
const shownOf = ({ title, status }: Partial<Job>): Fields => ({ title, status });
const unused = { path: '', ifMatch: undefined, reason: undefined, retryAfter: undefined };

async function take(account: Account, everyone: readonly number[], next: Step): Promise<void> {
  const { operation, key, title } = next;
  const id = everyone[next.pick % Math.max(everyone.length, 1)] ?? 1;
  const call = {
    create: createJob({ ...minimalJob, title }, key),
    change: updateJob(id, { title }),
    withdraw: withdrawJob(id),
    read: getJob(id),
  }[operation];
  const begin = performance.now();
  const { status, body, etag } = await (account.callers[next.caller] as ProtocolCaller).run(call);
  const end = performance.now();
  expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 204, 404, 409]);
  if (operation !== 'create' && !idsOf(account).includes(id)) return void expect(status).to.equal(404);
  const data = status < 300 ? (body as { data: Job } | null)?.data : undefined;
  const sent = operation === 'create' || operation === 'change' ? { title } : {};
  const job = data?.id ?? (operation === 'create' ? undefined : id);
  const shown = { ...shownOf(data ?? {}), etag };
  account.history.push({ ...unused, begin, end, operation, status, key, sent, job, shown });
}

/** Every caller lists exactly the jobs that were created, and each counted once. */
async function listAll(account: Account): Promise<void> {
  const ids = idsOf(account).sort((a, b) => b - a);
  for (const caller of account.callers) {
    const begin = performance.now();
    const { data, meta } = (await caller.run(listJobs({ per_page: 100 }))).body as { data: Job[]; meta: object };
    const end = performance.now();
    expect(data.map(({ id }) => id)).to.deep.equal(ids);
    expect(meta).to.include({ total: ids.length });
    const { data: counted } = (await caller.run({ operationId: 'getAccount' })).body as { data: { jobs: object } };
    expect(counted.jobs, caller.name).to.include({ used: ids.length });
    const read = { ...unused, begin, end, operation: 'read', status: 200, key: undefined, sent: {} } as const;
    account.history.push(...data.map((job) => ({ ...read, job: job.id, shown: shownOf(job) })));
  }
}

it('two companies in two environments, over any of the protocols and some at once: creates, replays, changes, withdrawals, reads and lists agree with one order of them', async () => {
  const agrees = async (rounds: readonly (readonly Step[])[]) => {
    const accounts = await openAccounts();
    for (const steps of rounds) {
      const everyone = accounts.flatMap(idsOf);
      await Promise.all(steps.map((next) => take(accounts[next.who] as Account, everyone, next)));
    }
    for (const account of accounts) {
      await listAll(account);
      expect(contradictions(account.history).found).to.deep.equal([]);
    }
  };
  await fc.assert(fc.asyncProperty(anySteps, agrees), { numRuns: 25 });
}).timeout(120_000);
