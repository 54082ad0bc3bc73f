import type { Server } from 'node:http';
import { expect } from 'chai';
import type { Client, Job, JobInput, OwnJob, SyncStep } from '../../src/client/index.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { addressOf } from '../helper/address.ts';
import { actionContext, newCompany, startApp, type TestCompany } from '../helper/fixtures.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';
import { minutes, newCaller } from './caller.ts';

const jobOf = (n: number): JobInput => ({
  ...(minimalJob as JobInput),
  title: `Vaga ${n}`,
  body: `<h2>Vaga ${n}</h2>\n<div>Obras em&nbsp;Lisboa &amp; Porto, <span>turno ${n % 3}</span></div><ul><li>Carta</li></ul>`,
  salary_min: 1000 + n / 4,
  valid_until: n % 2 === 0 ? inDays(30) : null,
  education_details: n % 5 === 0 ? ['12.º ano'] : null,
});

const ownJobs = (from: number, to: number): OwnJob[] =>
  times(to - from, (n) => ({ id: `ref:${from + n}`, job: jobOf(from + n) }));
const actionsOf = (steps: readonly SyncStep[]) => [...new Set(steps.map(({ action }) => action))].sort();

async function jobsByTitle(client: Client): Promise<Map<string, Job>> {
  const found = new Map<string, Job>();
  for await (const job of client.allJobs({ status: 'active' })) {
    expect(found.has(job.title), job.title).to.equal(false);
    found.set(job.title, job);
  }
  return found;
}

describe('typed client: a night of 500 jobs at 60 requests a minute, with faults', () => {
  const minute = minutes();
  let at: Server;
  let company: TestCompany;
  let requests = 0;
  let refused = 0;
  before(async () => {
    at = await startApp({ REQUESTS_PER_MINUTE: '60' }, { limitStore: minute.store });
    company = await newCompany({ plan: null, autoPublish: true });
    // A create that counted twice would leave the last ones without a posting.
    await grantComplimentary(actionContext(), { companyId: company.id, limit: 520 });
  });

  /** A program behind a network that loses requests and answers. It is killed at one of its requests, before or after this is sent. */
  const program = (killAt = Number.POSITIVE_INFINITY) => {
    let own = 0;
    let isKilled = false;
    const send = async (url: string, init: RequestInit): Promise<Response> => {
      own += 1;
      requests += 1;
      isKilled ||= own >= killAt && killAt % 2 === 0;
      if (isKilled || requests % 23 === 0) throw new TypeError('fetch failed');
      if (requests % 29 === 0) return new Response('<h1>Bad Gateway</h1>', { status: 502 });
      const isLost = requests % 17 === 0;
      const response = await fetch(url, init);
      await response.clone().text();
      isKilled ||= own >= killAt;
      if (isKilled || isLost) throw new TypeError('fetch failed');
      if (response.status === 429) refused += 1;
      return response;
    };
    const sleep = async (ms: number) => {
      if (ms > 30_000) minute.next();
    };
    return newCaller({ company, of: 'production', baseUrl: addressOf(at), fetch: send, sleep });
  };

  /** Runs a sync that is killed at these requests, until it ends. Returns the steps of the last run. */
  const sync = async (list: readonly OwnJob[], ...kills: number[]): Promise<SyncStep[]> => {
    for (const killAt of kills) {
      const ended: unknown = await (await program(killAt)).client.sync(list).catch((error: unknown) => error);
      expect(ended, `killed at ${killAt}`).to.include({ status: 0 });
    }
    return (await program()).client.sync(list);
  };

  const expectNothingToDo = async (list: readonly OwnJob[]) => {
    const { client, sent } = await newCaller({ company, of: 'production' });
    const steps = await client.sync(list);
    expect([steps.length, actionsOf(steps)], 'a second run').to.deep.equal([list.length, ['unchanged']]);
    expect([...new Set(sent.map(({ method }) => method))]).to.deep.equal(['GET']);
    expect(sent).to.have.length.below(8);
    return client;
  };

  it('the first night creates each job once, and a second run changes nothing', async () => {
    const list = ownJobs(0, 500);
    const steps = await sync(list, 1, 2, 40, 101, 163, 90, 7);
    expect(steps.map(({ action }) => action))
      .to.include.members(['created', 'unchanged'])
      .and.not.include('failed');
    const client = await expectNothingToDo(list);
    expect((await client.getAccount()).jobs).to.include({ limit: 520, used: 500, remaining: 20 });
    expect([...(await jobsByTitle(client)).keys()].sort()).to.deep.equal(list.map(({ job }) => job.title).sort());
    expect(refused, 'refused by the limit').to.be.above(8);
  });

  it('the next night creates 20, changes 30, withdraws 20, and touches no other job', async () => {
    const before = await jobsByTitle((await newCaller({ company, of: 'production' })).client);
    const list = ownJobs(20, 520).map(({ id, job }, n) => ({ id, job: n < 30 ? { ...job, salary_max: 3000 } : job }));
    await sync(list, 8, 31, 20);
    const client = await expectNothingToDo(list);
    expect((await client.getAccount()).jobs).to.include({ used: 520, remaining: 0 });
    const after = await jobsByTitle(client);
    expect([...after.keys()].sort()).to.deep.equal(list.map(({ job }) => job.title).sort());
    const touched = [...after].filter(([title, job]) => before.get(title)?.updated_at !== job.updated_at);
    expect(touched).to.have.length(50);
    expect(touched.filter(([, { salary_max }]) => salary_max === '3000.00')).to.have.length(30);
  });
});
