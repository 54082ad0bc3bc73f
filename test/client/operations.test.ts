import { inspect } from 'node:util';
import { expect } from 'chai';
import { createClient, etagOf, type Job } from '../../src/client/index.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { approveJob } from '../../src/operations/jobs/people/review-job.ts';
import { addressOf } from '../helper/address.ts';
import { actionContext, clock, db, server } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { type Caller, newCaller, refusalOf } from './caller.ts';

const createAll = async ({ client }: Caller, ...titles: string[]): Promise<void> => {
  for (const title of titles) await client.createJob({ ...minimalJob, title });
};
const titlesOf = async (jobs: AsyncIterable<{ title: string }>): Promise<string[]> => {
  const found: string[] = [];
  for await (const { title } of jobs) found.push(title);
  return found;
};

describe('typed client: operations', () => {
  it('a job is created, read, listed, changed and withdrawn', async () => {
    const { client } = await newCaller();
    const made = await client.createJob(minimalJob);
    expect(made).to.include({ ...minimalJob, status: 'pending' });
    expect(await client.getJob(made.id)).to.deep.equal(made);
    const { data, meta } = await client.listJobs({ status: 'pending', per_page: 10 });
    expect([data, meta]).to.deep.equal([[made], { current_page: 1, per_page: 10, total: 1, last_page: 1 }]);
    const changed = await client.updateJob(made.id, { title: 'Eletricista de obras', salary_min: null });
    expect(changed.title).to.equal('Eletricista de obras');
    expect(await client.withdrawJob(made.id)).to.equal(undefined);
    expect((await client.getJob(made.id)).status).to.equal('inactive');
  });

  it('account and reference data are returned without their envelope; baseUrl may end with a slash', async () => {
    const { client } = await newCaller({ access: 'read', baseUrl: `${addressOf(server())}/` });
    expect((await client.getAccount()).jobs.remaining).to.equal(100);
    expect((await client.listCategories()).map(({ id }) => id)).to.include(101);
    expect(await client.listRegions()).to.deep.equal(await client.listDistricts());
    expect((await client.listOptions()).application_methods).to.include('system');
  });

  it('the token’s prefix chooses the environment; an explicit other environment gets 401', async () => {
    const { client, sent, company } = await newCaller({ of: 'production' });
    await client.createJob(minimalJob);
    expect(sent[0]?.path).to.equal('/v1/jobs');
    const mistaken = await newCaller({ company, of: 'production', environment: 'sandbox' });
    expect(await refusalOf(mistaken.client.createJob(minimalJob))).to.include({ status: 401, reason: 'credential' });
    const stated = await newCaller({ company, environment: 'sandbox' });
    expect((await stated.client.listJobs()).data).to.deep.equal([]);
  });

  it('invalid options are refused at once, without repeating a password or token', () => {
    const valid = { baseUrl: 'https://jobs.example.com', token: 'vaga_test_' };
    createClient(valid);
    for (const baseUrl of ['/v1/api', '/v12', '/'].map((path) => valid.baseUrl + path))
      createClient({ ...valid, baseUrl });
    const paths = ['/v1', '/sandbox/v1', '/sandbox/v1/', '?', '/?a=s3cret', '#', '/#s3cret'];
    const users = ['https://user:s3cret@jobs.example.com', 'https://s3cret@jobs.example.com', 'https://user:s3cret@:x'];
    const bases = [...paths.map((path) => valid.baseUrl + path), ...users, 'localhost', 'ftp://user:s3cret@localhost'];
    const tokens = ['\n', '\r\n', '\0', '\x7f', 'ł', 'é', '\u2028', ' '].flatMap((mark) => [
      `s3cret${mark}`,
      `s3cret${mark}a`,
    ]);
    const others = ['xhttp://localhost', 'httpsx://localhost'];
    const words = {
      baseUrl:
        /^baseUrl must (be a URL such as|begin with http: or https:|have no query|be without (\/sandbox)?\/v1\/?: )/,
      token: /^token must be visible ASCII characters/,
      missing: /^token is missing: /,
      scheme: /^token must be without the word Bearer/,
      concurrency: /^concurrency must be at least 1$/,
    };
    const wrong = [
      ...[...bases, ...others].map((baseUrl) => ['baseUrl', { baseUrl }] as const),
      ...tokens.map((token) => ['token', { token }] as const),
      ...['', undefined, null].map((token) => ['missing', { token: token as string }] as const),
      ...['Bearer s3cret', 'bearer  s3cret\n'].map((token) => ['scheme', { token }] as const),
      ...[0, Number.NaN].map((concurrency) => ['concurrency', { concurrency }] as const),
    ];
    for (const [name, options] of wrong) {
      let thrown: unknown;
      try {
        createClient({ ...valid, ...options });
      } catch (error) {
        thrown = error;
      }
      expect(thrown, inspect(options)).to.be.instanceOf(TypeError).with.property('message').that.matches(words[name]);
      expect(inspect(thrown)).to.not.include('s3cret');
    }
  });

  it('ifMatch changes and withdraws only a job that is unchanged since it was read or listed, whatever the company’s name', async () => {
    const { client, company } = await newCaller();
    const made = await client.createJob(minimalJob);
    const { id } = made;
    expect(etagOf(made))
      .to.match(/^"/)
      .and.equal(etagOf(await client.getJob(id)));
    for (const name of ["Obras & Cª (Porto) 50% d'Oiro!* / Lda", '"', 'x'.repeat(255), '🔧'.repeat(255)]) {
      await db().company.update({ where: { id: company.id }, data: { name } });
      const [listed] = (await client.listJobs()).data;
      const ifMatch = etagOf(listed as Job);
      expect(ifMatch, name).to.equal(etagOf(await client.getJob(id)));
      const current_etag = etagOf(
        await client.updateJob(id, { title: name.slice(0, 20) }, { ifMatch: `${ifMatch}, ${ifMatch}` }),
      );
      const stale = [client.updateJob(id, { title: 'Meu' }, { ifMatch }), client.withdrawJob(id, { ifMatch })];
      for (const refused of await Promise.all(stale.map(refusalOf))) {
        expect(refused).to.include({ status: 412, reason: 'changed' });
        expect(refused.details).to.include({ current_etag });
      }
    }
    const last = await client.getJob(id);
    const lists = [client.allJobs(), client.changes(), JSON.parse(JSON.stringify((await client.listJobs()).data))];
    for (const list of lists)
      for await (const listed of list) expect([listed.id, etagOf(listed)]).to.deep.equal([id, etagOf(last)]);
    await client.withdrawJob(id, { ifMatch: etagOf(last) });
  });

  it('ifMatch without a value is a TypeError, and nothing is sent', async () => {
    const { client, sent } = await newCaller();
    for (const ifMatch of [undefined, null, ''] as unknown as string[]) {
      const calls = [client.updateJob(1, { title: 'Meu' }, { ifMatch }), client.withdrawJob(1, { ifMatch })];
      for (const result of await Promise.allSettled(calls))
        expect(result).to.have.property('reason').instanceOf(TypeError);
    }
    expect(sent).to.deep.equal([]);
  });
});

describe('typed client: all jobs', () => {
  it('are read page by page, newest first; no page is read past the last or after the loop ends', async () => {
    const caller = await newCaller();
    const { client, sent } = caller;
    await createAll(caller, '1', '2', '3', '4', '5', 'withdrawn');
    await client.withdrawJob((await client.listJobs()).data[0]?.id ?? 0);
    const newest = ['5', '4', '3', '2', '1'];
    sent.length = 0;
    expect(await titlesOf(client.allJobs({ status: 'pending', per_page: 2 }))).to.deep.equal(newest);
    expect(sent).to.have.length(3);
    expect(await titlesOf(client.allJobs())).to.deep.equal(['withdrawn', ...newest]);
    expect(sent).to.have.length(4);
    expect(await titlesOf(client.allJobs({ status: 'expired' }))).to.deep.equal([]);
    for await (const job of client.allJobs({ per_page: 1 })) if (job.title === 'withdrawn') break;
    expect(sent).to.have.length(6);
  });

  it('appear once each, even if a job is created meanwhile', async () => {
    const caller = await newCaller();
    await createAll(caller, '1', '2', '3', '4');
    const seen: string[] = [];
    for await (const { title } of caller.client.allJobs({ per_page: 2 })) {
      seen.push(title);
      if (title === '4') await createAll(caller, 'new');
    }
    expect(seen).to.deep.equal(['4', '3', '2', '1']);
  });

  it('appear all, even if each leaves the list as soon as it is read', async () => {
    const caller = await newCaller();
    const { client, company } = caller;
    const remove = (id: number) =>
      removeJob(actionContext(), { companyId: company.id, environment: 'sandbox', jobId: BigInt(id), reason: 'Teste' });
    const ways = [
      [{ status: 'pending' }, client.withdrawJob],
      [{}, remove],
    ] as const;
    for (const [query, leave] of ways) {
      const titles = ['7', '6', '5', '4', '3', '2', '1'];
      await createAll(caller, ...titles.toReversed());
      const seen: string[] = [];
      for await (const { id, title } of client.allJobs({ ...query, per_page: 2 })) {
        seen.push(title);
        await leave(id);
      }
      expect(seen.slice(0, 7)).to.deep.equal(titles);
    }
  });

  it('appear all, even if one leaves the list and an older one joins it', async () => {
    const caller = await newCaller({ of: 'production' });
    const { client, company } = caller;
    const approve = ({ id }: Pick<Job, 'id'>) =>
      approveJob(actionContext(), { companyId: company.id, environment: 'production', jobId: BigInt(id) });
    const published = await client.createJob({ ...minimalJob, title: 'published' });
    await approve(published);
    await createAll(caller, '1', '2', '3', '4', '5');
    const seen: string[] = [];
    for await (const job of client.allJobs({ status: 'pending', per_page: 2 })) {
      seen.push(job.title);
      if (job.title !== '4') continue;
      await approve((await client.listJobs({ status: 'pending' })).data[0] as Job);
      await client.updateJob(published.id, { title: 'pending' });
    }
    expect(seen.slice(0, 5)).to.deep.equal(['5', '4', '3', '2', '1']);
  });

  it('that changed since the last time are read page by page, oldest first; the next start is known at the end', async () => {
    const caller = await newCaller();
    const { client, sent } = caller;
    const copy = new Map<number, Job>();
    const read = async (since: string | undefined, query = {}) => {
      const changes = client.changes(since, query);
      const titles: string[] = [];
      for await (const job of changes) {
        expect(changes.syncedUntil).to.equal(undefined);
        titles.push(job.title);
        copy.set(job.id, job);
      }
      return { titles, syncedUntil: changes.syncedUntil };
    };
    for (const title of ['1', '2', '3', '4', '5']) {
      clock.aheadMs += 60_000;
      await createAll(caller, title);
    }
    sent.length = 0;
    const first = await read(undefined, { per_page: 2 });
    expect(first.titles).to.deep.equal(['1', '2', '3', '4', '5']);
    expect(sent).to.have.length(3);
    clock.aheadMs += 600_000;
    const [one = 0, two = 0] = copy.keys();
    await client.updateJob(two, { title: '2b' });
    await client.withdrawJob(one);
    const second = await read(first.syncedUntil);
    expect(second.titles.slice(-2)).to.deep.equal(['2b', '1']);
    expect((await client.listJobs()).data).to.deep.equal([...copy.values()].sort((a, b) => b.id - a.id));
    clock.aheadMs += 600_000;
    const third = await read(second.syncedUntil, { status: 'inactive' });
    // Changed less than five minutes before the last time.
    expect(third.titles).to.deep.equal(['1']);
    expect(third.syncedUntil).to.not.equal(undefined);
  });
});
