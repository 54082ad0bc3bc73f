import { expect } from 'chai';
import fc from 'fast-check';
import type { Environment } from '../../src/domain/environment.ts';
import type { Client } from '../helper/client.ts';
import { minimalJob } from '../helper/job.ts';
import { newCompany } from '../helper/world.ts';

/** What one company should see in one environment. */
interface Account {
  readonly client: Client;
  readonly environment: Environment;
  readonly autoPublish: boolean;
  readonly jobs: Map<number, { title: string; status: string }>;
  readonly keys: Map<string, { title: string; id: number }>;
  used: number;
}

type Step =
  | { readonly kind: 'create'; readonly who: number; readonly key: string; readonly title: string }
  | {
      readonly kind: 'patch' | 'withdraw' | 'read';
      readonly who: number;
      readonly pick: number;
      readonly title: string;
    };

const who = fc.nat({ max: 3 });
const title = fc.constantFrom('Eletricista', 'Canalizador', 'Pintor');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), who, key: fc.constantFrom('a', 'b', 'c', 'd'), title }),
  fc.record({
    kind: fc.constantFrom('patch' as const, 'withdraw' as const, 'read' as const),
    who,
    pick: fc.nat(),
    title,
  }),
);

async function openAccounts(): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const autoPublish of [false, true]) {
    const company = await newCompany({ autoPublish });
    for (const environment of ['sandbox', 'production'] as const)
      accounts.push({
        client: await company.writer(environment),
        environment,
        autoPublish,
        jobs: new Map(),
        keys: new Map(),
        used: 0,
      });
  }
  return accounts;
}

const publishes = ({ autoPublish, environment }: Account): boolean => autoPublish && environment === 'production';

async function create(account: Account, key: string, wanted: string): Promise<void> {
  const { status, body } = await account.client.create({ ...minimalJob, title: wanted }, key);
  const known = account.keys.get(key);
  if (known) {
    expect(status).to.equal(known.title === wanted ? 200 : 409);
    if (status === 200) expect(body.data).to.include({ id: known.id, ...account.jobs.get(known.id) });
    return;
  }
  expect(status).to.equal(201);
  account.keys.set(key, { title: wanted, id: body.data.id });
  account.jobs.set(body.data.id, { title: wanted, status: publishes(account) ? 'active' : 'pending' });
  account.used += 1;
}

async function change(
  account: Account,
  id: number,
  kind: 'patch' | 'withdraw' | 'read',
  wanted: string,
): Promise<void> {
  const { client, jobs } = account;
  const mine = jobs.get(id);
  const calls = {
    patch: () => client.patch(id, { title: wanted }),
    withdraw: () => client.withdraw(id),
    read: () => client.get(`/jobs/${id}`),
  };
  const { status, body } = await calls[kind]();
  expect(status).to.equal(mine ? (kind === 'withdraw' ? 204 : 200) : 404);
  if (!mine) return;
  if (kind === 'withdraw') mine.status = 'inactive';
  if (kind === 'patch') {
    mine.title = wanted;
    if (mine.status === 'active' && !publishes(account)) mine.status = 'pending';
  }
  if (kind !== 'withdraw') expect(body.data).to.include(mine);
}

async function compare({ client, jobs, used }: Account): Promise<void> {
  const { body } = await client.get('/jobs?per_page=100');
  const seen = body.data.map(({ id, title: shown, status }: { id: number; title: string; status: string }) => [
    id,
    { title: shown, status },
  ]);
  expect(seen).to.deep.equal([...jobs].sort(([a], [b]) => b - a));
  expect(body.meta.total).to.equal(jobs.size);
  expect((await client.get('/account')).body.data.jobs.used).to.equal(used);
}

describe('two companies in two environments', () => {
  it('agree with a model after any sequence of creates, replays, changes, withdrawals and reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const accounts = await openAccounts();
        for (const next of steps) {
          const account = accounts[next.who] as Account;
          if (next.kind === 'create') await create(account, next.key, next.title);
          else {
            const everyone = accounts.flatMap(({ jobs }) => [...jobs.keys()]);
            const id = everyone[next.pick % Math.max(everyone.length, 1)] ?? 1;
            await change(account, id, next.kind, next.title);
          }
        }
        for (const account of accounts) await compare(account);
      }),
      { numRuns: 25 },
    );
  });
});
