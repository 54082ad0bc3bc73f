import { expect } from 'chai';
import fc from 'fast-check';
import type { Environment } from '../../src/domain/environment.ts';
import { newCompany, server } from '../helper/fixtures.ts';
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
import { minimalJob } from '../helper/sample-jobs.ts';

interface Seen {
  title: string;
  status: string;
}

/** The expected state of one company in one environment, equal over every protocol. */
interface Account {
  readonly callers: readonly ProtocolCaller[];
  readonly environment: Environment;
  readonly autoPublish: boolean;
  readonly jobs: Map<number, Seen>;
  readonly keys: Map<string, { title: string; id: number }>;
  used: number;
}

type Change = 'patch' | 'withdraw' | 'read';

/** Which account calls and which of its callers it uses; `pick` is one of all jobs. */
interface Step {
  readonly kind: 'create' | 'list' | Change;
  readonly who: number;
  readonly caller: number;
  readonly key: string;
  readonly title: string;
  readonly pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'create', 'create', 'patch', 'withdraw', 'read', 'list'),
  who: fc.nat({ max: 3 }),
  caller: fc.nat(),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  title: fc.constantFrom('Eletricista', 'Canalizador', 'Pintor'),
  pick: fc.nat(),
});

const anySteps = fc.array(step, { minLength: 5, maxLength: 40 });

/**
 * Runs the steps with two new companies in both environments, each over the protocol that it names, and fails where an answer
 * differs from the model. At the end every caller of every account lists everything.
 */
async function runSteps(steps: readonly Step[]): Promise<void> {
  const accounts = await openAccounts();
  for (const next of steps) {
    const account = accounts[next.who] as Account;
    const caller = account.callers[next.caller % account.callers.length] as ProtocolCaller;
    if (next.kind === 'create') await create(account, caller, next.key, next.title);
    else if (next.kind === 'list') await compare(account, caller);
    else {
      const everyone = accounts.flatMap(({ jobs }) => [...jobs.keys()]);
      const id = everyone[next.pick % Math.max(everyone.length, 1)] ?? 1;
      await change(account, caller, id, next.kind, next.title);
    }
  }
  for (const account of accounts) for (const caller of account.callers) await compare(account, caller);
}

async function openAccounts(): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const autoPublish of [false, true]) {
    const company = await newCompany({ autoPublish });
    for (const environment of ['sandbox', 'production'] as const) {
      const secret = await company.secret(environment, 'write');
      const opened = callers.map((caller) => caller(server(), environment, secret));
      accounts.push({ callers: opened, environment, autoPublish, jobs: new Map(), keys: new Map(), used: 0 });
    }
  }
  return accounts;
}

const publishes = ({ autoPublish, environment }: Account): boolean => autoPublish && environment === 'production';

interface Body<D> {
  readonly data: D;
  readonly meta: { readonly total: number };
}

/** The status and body of a call; the contract check has verified its type. */
async function ask<D>(caller: ProtocolCaller, call: Call): Promise<{ status: number; body: Body<D> }> {
  const { status, body } = await caller.run(call);
  return { status, body: body as Body<D> };
}

async function create(account: Account, caller: ProtocolCaller, key: string, wanted: string): Promise<void> {
  const { status, body } = await ask<Seen & { id: number }>(caller, createJob({ ...minimalJob, title: wanted }, key));
  const known = account.keys.get(key);
  if (known) {
    expect(status, caller.name).to.equal(known.title === wanted ? 200 : 409);
    if (status === 200) expect(body.data, caller.name).to.include({ id: known.id, ...account.jobs.get(known.id) });
    return;
  }
  expect(status, caller.name).to.equal(201);
  account.keys.set(key, { title: wanted, id: body.data.id });
  account.jobs.set(body.data.id, { title: wanted, status: publishes(account) ? 'active' : 'pending' });
  account.used += 1;
}

async function change(account: Account, caller: ProtocolCaller, id: number, kind: Change, wanted: string) {
  const mine = account.jobs.get(id);
  const calls = { patch: updateJob(id, { title: wanted }), withdraw: withdrawJob(id), read: getJob(id) };
  const { status, body } = await ask<Seen>(caller, calls[kind]);
  expect(status, caller.name).to.equal(mine ? (kind === 'withdraw' ? 204 : 200) : 404);
  if (!mine) return;
  if (kind === 'withdraw') mine.status = 'inactive';
  if (kind === 'patch') {
    mine.title = wanted;
    if (mine.status === 'active' && !publishes(account)) mine.status = 'pending';
  }
  if (kind === 'withdraw' && caller.name === 'REST') expect(body, 'REST').to.equal(null);
  else expect(body.data, caller.name).to.include(mine);
}

async function compare({ jobs, used }: Account, caller: ProtocolCaller): Promise<void> {
  const { body } = await ask<(Seen & { id: number })[]>(caller, listJobs({ per_page: 100 }));
  const seen = body.data.map(({ id, title: shown, status }) => [id, { title: shown, status }]);
  expect(seen, caller.name).to.deep.equal([...jobs].sort(([a], [b]) => b - a));
  expect(body.meta.total, caller.name).to.equal(jobs.size);
  const account = await ask<{ jobs: { used: number } }>(caller, { operationId: 'getAccount' });
  expect(account.body.data.jobs.used, caller.name).to.equal(used);
}

it('two companies in two environments, each step over either protocol, agree with one model after any sequence of creates, replays, changes, withdrawals, reads and lists', async () => {
  await fc.assert(fc.asyncProperty(anySteps, runSteps), { numRuns: 25 });
}).timeout(120_000);
