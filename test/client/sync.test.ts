import { expect } from 'chai';
import { type Client, type Job, type JobInput, type SyncStep, TooManyWithdrawals } from '../../src/client/index.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { fullJob, inDays, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';
import { type Caller, newCaller, refusalOf } from './caller.ts';

type Titles = Readonly<Record<string, string>>;

const jobsOf = (titles: Titles, more: Partial<JobInput> = {}) =>
  Object.entries(titles).map(([id, title]) => ({ id, job: { ...(minimalJob as JobInput), ...more, title } }));
const linesOf = (steps: readonly SyncStep[]): string[] => steps.map(({ id, action }) => `${id} ${action}`).sort();
const all = async (client: Client): Promise<Job[]> => {
  const found: Job[] = [];
  for await (const job of client.allJobs()) found.push(job);
  return found;
};
const shownOf = async (client: Client): Promise<string[]> =>
  (await all(client)).map(({ title, status }) => `${title} ${status}`).sort();
const many = (count: number): Titles => Object.fromEntries(times(count, (n) => [`ref:${n}`, `Vaga ${n}`]));

/** A company's program whose request number `at` loses its answer, or is not sent, and kills the program. */
class Killed extends Error {}
const killedAt = (company: TestCompany, of: Environment, at: number, isSent: boolean): Promise<Caller> => {
  let count = 0;
  return newCaller({
    company,
    of,
    retries: 0,
    fetch: async (url, init) => {
      count += 1;
      if (count >= at && !(isSent && count === at)) throw new Killed();
      const response = await fetch(url, init);
      await response.clone().text();
      if (count >= at) throw new Killed();
      return response;
    },
  });
};

for (const of of ['sandbox', 'production'] as const)
  describe(`typed client: sync in ${of}`, () => {
    it('creates, changes what differs, withdraws what is gone; a second run sends only the list', async () => {
      const { client, sent } = await newCaller({ of });
      const first = await client.sync(jobsOf({ '17': 'Eletricista', 'ref:18': 'Canalizador', '19': 'Pintor' }));
      expect(linesOf(first)).to.deep.equal(['17 created', '19 created', 'ref:18 created']);
      const list = jobsOf({ '17': 'Eletricista', 'ref:18': 'Azulejador', '20': 'Pedreiro' });
      sent.length = 0;
      const second = await client.sync(list);
      expect(linesOf(second)).to.deep.equal(['17 unchanged', '19 withdrawn', '20 created', 'ref:18 changed']);
      expect(second.find(({ id }) => id === 'ref:18')?.fields).to.deep.equal(['title']);
      expect(sent.map(({ method }) => method).sort()).to.deep.equal(['DELETE', 'GET', 'PATCH', 'POST']);
      const shown = ['Azulejador pending', 'Eletricista pending', 'Pedreiro pending', 'Pintor inactive'];
      expect(await shownOf(client)).to.deep.equal(shown);
      sent.length = 0;
      const third = await client.sync(list);
      expect(linesOf(third)).to.deep.equal(['17 unchanged', '20 unchanged', 'ref:18 unchanged']);
      expect(sent.map(({ method }) => method)).to.deep.equal(['GET']);
    });

    it('whatever request kills it, the next run makes the list true, with each job once', async () => {
      const company = await newCompany();
      const { client } = await newCaller({ company, of });
      let round = 0;
      for (const isSent of [true, false])
        for (let at = 1; at <= 5; at++) {
          round += 1;
          // One stays, one changes, one is withdrawn and one is new in each round.
          const titles = { stays: 'Fica', changes: `Muda ${round}`, [`new:${round}`]: `Nova ${round}` };
          const { client: killed } = await killedAt(company, of, at, isSent);
          await killed.sync(jobsOf(titles)).catch(() => {});
          await client.sync(jobsOf(titles));
          const open = (await shownOf(client)).filter((line) => line.endsWith('pending'));
          expect(open, `${at} ${isSent}`).to.deep.equal([
            'Fica pending',
            `Muda ${round} pending`,
            `Nova ${round} pending`,
          ]);
          expect(await db().job.count({ where: { companyId: company.id } })).to.equal(2 + round);
        }
    });

    it('survives lost answers, and two runs at once', async () => {
      const company = await newCompany();
      const lost = new Set<string>();
      // The first answer of each request is lost.
      const lossy = await newCaller({
        company,
        of,
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          await response.clone().text();
          const name = `${init.method} ${url} ${init.body}`;
          if (lost.has(name)) return response;
          lost.add(name);
          throw new TypeError('fetch failed');
        },
      });
      const other = await newCaller({ company, of });
      const list = jobsOf(many(20));
      await Promise.all([lossy.client.sync(list), other.client.sync(list), other.client.sync(list)]);
      expect(await shownOf(other.client)).to.deep.equal(
        Object.values(many(20))
          .map((title) => `${title} pending`)
          .sort(),
      );
      expect(new Set(linesOf(await lossy.client.sync(list)).map((line) => line.split(' ')[1]))).to.deep.equal(
        new Set(['unchanged']),
      );
    });
  });

describe('typed client: sync', () => {
  it('sends nothing for what the service keeps in another form, and notices every change of it', async () => {
    const { client, sent } = await newCaller();
    const body =
      '<h1 class="t">Eletricista</h1>\n<div>Obras em&nbsp;Lisboa &amp; Porto, <span>sal&aacute;rio</span> &gt; média</div><del>x</del><a target="_blank" href="https://a.pt/?a=1&b=2">a</a>';
    const job = { ...(fullJob() as JobInput), body, salary_min: 1200, salary_max: 1500.5, contact_phone: null };
    const text = { ...(minimalJob as JobInput), body: 'Linha um\nLinha dois\r\n\r\nParágrafo & "fim" < 3' };
    const list = [
      { id: 'html', job },
      { id: 'text', job: text },
    ];
    await client.sync(list);
    sent.length = 0;
    expect(linesOf(await client.sync(list))).to.deep.equal(['html unchanged', 'text unchanged']);
    expect(sent).to.have.length(1);
    const edits: Partial<JobInput>[] = [
      { body: body.replace('Porto', 'Faro') },
      { body: body.replace('Porto', '<b>Porto</b>') },
      { body: body.replace('<h1', '<h3').replace('</h1', '</h3') },
      { body: body.replace('a=1', 'a=2') },
      { salary_min: 1200.01 },
      { salary_max: null },
      { education_details: ['Outra'] },
      { valid_until: inDays(99) },
    ];
    for (const edit of edits) {
      const steps = await client.sync([{ id: 'html', job: { ...job, ...edit } }, ...list.slice(1)]);
      const one = steps.find(({ id }) => id === 'html');
      expect([one?.action, one?.fields], JSON.stringify(edit)).to.deep.equal(['changed', Object.keys(edit)]);
      await client.sync(list);
    }
  });

  it('a body that only the service can compare costs a request and changes nothing', async () => {
    const { client, sent } = await newCaller();
    const bodies = ['<style>p{}</style><p>Obras<p>Porto', '<ul><li>um<li>dois</ul>', '<p>Obras <a href="/v">v</a></p>'];
    const listOf = (more: Partial<JobInput> = {}) =>
      bodies.map((body, at) => ({ id: `${at}`, job: { ...(minimalJob as JobInput), ...more, body } }));
    const outcomesOf = async (...given: Parameters<Client['sync']>) =>
      (await client.sync(...given)).map(({ action, fields, job }) => [action, fields?.join(), job?.updated_at]);
    await client.sync(listOf());
    const made = await all(client);
    sent.length = 0;
    const at = made.map(({ updated_at }) => updated_at).reverse();
    const dry = await outcomesOf(listOf(), { dryRun: true });
    expect(dry).to.have.deep.members(at.map((time) => ['uncertain', 'body', time]));
    expect(await outcomesOf(listOf())).to.have.deep.members(at.map((time) => ['unchanged', undefined, time]));
    expect(sent.map(({ method }) => method)).to.deep.equal(['GET', 'GET', 'PATCH', 'PATCH', 'PATCH']);
    for (const dryRun of [true, false])
      for (const [action, fields] of await outcomesOf(listOf({ title: 'Outra' }), { dryRun }))
        expect([action, fields], `${dryRun}`).to.deep.equal(['changed', 'title']);
  });

  it('a denied job goes back to review only for what certainly differs', async () => {
    const { client, company, sent } = await newCaller({ of: 'production' });
    const synced = async (body: string) => {
      const [step] = await client.sync([{ id: '1', job: { ...(minimalJob as JobInput), body } }]);
      return [step?.action, step?.job?.status];
    };
    const body = '<style>p{}</style><p>Obras<p>Porto';
    const unclosed = '<ul><li>Obras<li>Porto &hearts;</ul>';
    for (const [own, edited] of [
      [body, 'Obras em Faro'],
      [unclosed, '<p>Obras</p><p>Porto</p>'],
    ] as const) {
      await synced(own);
      const [job] = await all(client);
      const ref = { companyId: company.id, environment: 'production', jobId: BigInt(job?.id ?? 0) } as const;
      await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
      sent.length = 0;
      expect(await synced(own)).to.deep.equal(['kept', 'denied']);
      expect(sent.map(({ method }) => method)).to.deep.equal(['GET']);
      expect(await synced(edited)).to.deep.equal(['changed', 'pending']);
    }
  });

  it('empties the fields that a job leaves out', async () => {
    const { client } = await newCaller();
    await client.sync([{ id: '1', job: { ...(fullJob() as JobInput), salary_negotiable: true } }]);
    const [changed] = await client.sync([{ id: '1', job: minimalJob as JobInput }]);
    expect(changed?.job).to.include({ ...minimalJob, requirements: null, salary_min: null, salary_negotiable: false });
  });

  it('never publishes again what was withdrawn, has expired or was removed, and leaves jobs without its prefix alone', async () => {
    const company = await newCompany({ autoPublish: true });
    const { client, sent } = await newCaller({ company, of: 'production' });
    await client.createJob(minimalJob as JobInput, { idempotencyKey: 'other' });
    const titles = { withdrawn: 'A', expired: 'B', removed: 'C' };
    const options = { prefix: 'ats:' };
    const made = new Map((await client.sync(jobsOf(titles), options)).map(({ id, job }) => [id, job?.id ?? 0]));
    await client.withdrawJob(made.get('withdrawn') ?? 0);
    const id = BigInt(made.get('expired') ?? 0);
    await db().job.updateMany({ where: { companyId: company.id, id }, data: { validUntil: new Date('2020-01-01') } });
    const jobId = BigInt(made.get('removed') ?? 0);
    await removeJob(actionContext(), { companyId: company.id, environment: 'production', jobId, reason: 'Test' });
    const steps = await client.sync(jobsOf({ withdrawn: 'A2', expired: 'B2', removed: 'C2' }), options);
    expect(linesOf(steps)).to.deep.equal(['expired kept', 'removed failed', 'withdrawn kept']);
    sent.length = 0;
    expect(await client.sync([], options)).to.deep.equal([]);
    expect(sent.map(({ method }) => method)).to.deep.equal(['GET']);
    expect((await shownOf(client))[2]).to.equal(`${minimalJob.title} active`);
  });

  it('a job that is refused fails by itself; a used up quota stops the other creates', async () => {
    const company = await newCompany();
    const { client, sent } = await newCaller({ company });
    const list = [...jobsOf({ bad: '' }), ...jobsOf(many(10))];
    const steps = await client.sync(list);
    const failed = steps.filter(({ action }) => action === 'failed');
    expect(failed.map(({ id, error }) => [id, Object.keys(error?.fields ?? {})])).to.deep.equal([['bad', ['title']]]);
    expect(steps).to.have.length(11);
    await db().postingUsage.updateMany({ where: { companyId: company.id }, data: { used: 100 } });
    sent.length = 0;
    const more = await client.sync([...jobsOf({ 'ref:0': 'Mudada' }), ...jobsOf(many(40)).slice(1)]);
    expect(more.filter(({ error }) => error?.reason === 'quota')).to.have.length(30);
    expect(linesOf(more)).to.include('ref:0 changed');
    expect(sent.filter(({ method }) => method === 'POST')).to.have.length.below(8);
  });

  it('a credential that only reads, or is revoked, stops it at once', async () => {
    const { client, sent, company } = await newCaller({ access: 'read' });
    expect(await refusalOf(client.sync(jobsOf(many(50))))).to.include({ status: 403, reason: 'scope' });
    expect(sent).to.have.length.below(10);
    const gone = await newCaller({ company, token: await company.ended('sandbox', 'revokedAt') });
    expect(await refusalOf(gone.client.sync(jobsOf(many(50))))).to.include({ status: 401 });
    expect(gone.sent).to.have.length(1);
  });

  it('a suspension stops it at once, a region that the company may not use fails only its job', async () => {
    const company = await newCompany();
    const suspending = async (url: string, init: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init);
      await db().company.update({ where: { id: company.id }, data: { suspendedAt: new Date() } });
      return answer;
    };
    const { client, sent } = await newCaller({ company, fetch: suspending });
    expect(await refusalOf(client.sync(jobsOf(many(50))))).to.include({ status: 403, reason: 'permission' });
    expect(sent).to.have.length.below(10);
    const limited = await newCaller({ of: 'production' });
    await db().allowedDistrict.create({ data: { companyId: limited.company.id, districtId: 11 } });
    const steps = await limited.client.sync([
      ...jobsOf({ elsewhere: 'Longe' }),
      { id: 'here', job: { ...minimalJob, district_id: 11 } },
    ]);
    expect(linesOf(steps).sort()).to.deep.equal(['elsewhere failed', 'here created']);
  });

  it('asks before it withdraws many; a dry run sends only the list; invalid lists are refused before anything', async () => {
    const { client, sent } = await newCaller();
    await client.sync(jobsOf(many(10)));
    sent.length = 0;
    const few = jobsOf(many(7));
    const refused: unknown = await client.sync(few).catch((error) => error);
    expect(refused)
      .to.be.instanceOf(TooManyWithdrawals)
      .with.property('message')
      .that.matches(/^3 of 10 jobs/);
    const dry = await client.sync([...few, ...jobsOf({ new: 'Nova' })], { dryRun: true });
    expect(linesOf(dry).filter((line) => !line.endsWith('unchanged'))).to.deep.equal([
      'new created',
      'ref:7 withdrawn',
      'ref:8 withdrawn',
      'ref:9 withdrawn',
    ]);
    for (const ids of [['a', 'a'], ['a b'], [''], ['x'.repeat(129)]]) {
      const thrown: unknown = await client.sync(ids.flatMap((id) => jobsOf({ [id]: 'X' }))).catch((error) => error);
      expect(thrown).to.be.instanceOf(TypeError);
    }
    expect(sent.map(({ method }) => method)).to.deep.equal(['GET', 'GET']);
    const steps: SyncStep[] = [];
    await client.sync(few, { withdrawShareMax: 1, onProgress: (step) => steps.push(step) });
    expect(linesOf(steps).slice(-3)).to.deep.equal(['ref:7 withdrawn', 'ref:8 withdrawn', 'ref:9 withdrawn']);
  });

  it('two runs with different lists end in one of them, with each job once', async () => {
    const company = await newCompany();
    const [one, two] = [await newCaller({ company }), await newCaller({ company })];
    const lists = [jobsOf(many(12)), jobsOf(many(12), { requirements: 'Experiência' })] as const;
    await Promise.all([one.client.sync(lists[0]), two.client.sync(lists[1])]);
    expect(await db().job.count({ where: { companyId: company.id } })).to.equal(12);
    await one.client.sync(lists[1]);
    expect((await all(one.client)).map(({ requirements }) => requirements)).to.deep.equal(
      times(12, () => 'Experiência'),
    );
  });
});
