import { expect } from 'chai';
import { db, newJob, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, has, linkIn, type PageClient, textOf, textsOf, tokenIn } from '../helper/page-client.ts';

const entriesOf = ({ id }: TestCompany, action: string) =>
  db().auditEntry.findMany({ where: { companyId: id, action } });

describe('the review queue', () => {
  let client: PageClient;
  before(async () => {
    client = await asAdministrator();
  });

  it('lists pending production jobs, oldest first, and no sandbox job', async () => {
    const jobs = [await newJob('production'), await newJob('production')];
    await newJob('sandbox', { title: 'Só na sandbox' });
    const hrefs: string[] = [];
    for (let path = '/review'; path; ) {
      const page = await client.get(path);
      expect(textOf(page)).not.to.contain('Só na sandbox');
      hrefs.push(...[...page.document.querySelectorAll('tbody a')].map((a) => a.getAttribute('href') ?? ''));
      path = linkIn(page, '[rel=next]');
    }
    const [first = -1, second = -1] = jobs.map(({ adminPath }) => hrefs.indexOf(`/admin${adminPath}`));
    expect(first).to.be.at.least(0);
    expect(second).to.be.above(first);
  });

  it('has an access key for every step, and says so', async () => {
    const page = await client.get((await newJob()).adminPath);
    for (const [at, ...keys] of [
      [await client.get('/review'), 'n'],
      [page, 'a', 'd', 'q', 'r'],
    ] as const) {
      const used = [...at.document.querySelectorAll('[accesskey]')].map((element) => element.getAttribute('accesskey'));
      expect(used.sort()).to.deep.equal(keys);
      expect(textsOf(at, '.keys kbd')).to.include.members(keys.map((key) => key.toUpperCase()));
    }
  });

  it('an approved job is active in the API, leaves the queue and is in the audit trail', async () => {
    const { acme, statusOf, adminPath: path } = await newJob();
    await client.submit(await client.get(path), `${path}/approve`);
    expect(await statusOf()).to.equal('active');
    const [entry] = await entriesOf(acme, 'job.approved');
    expect(entry?.actor).to.match(/^administrator:\d+$/);
    expect(has(await client.get(path), 'form[action$="/approve"]')).to.equal(false);
  });

  it('a decision says what was decided and opens the job that waits longest, until none waits', async () => {
    // Other tests leave jobs that wait, also from days to come.
    await db().job.updateMany({
      where: { environment: 'production', status: 'pending' },
      data: { status: 'inactive' },
    });
    const jobs: string[] = [];
    for (const title of ['Primeira <b>', 'Segunda', 'Terceira'])
      jobs.push((await newJob('production', { title })).adminPath);
    const last = jobs.at(-1) ?? '';
    let answer = await client.submit(await client.get(last), `${last}/deny`, { reason: 'Falta o salário.' });
    let decided = 'Terceira';
    const opened: string[] = [];
    while (answer.headers.location !== '/admin/review') {
      const at = answer.headers.location ?? '';
      const page = await client.follow(answer);
      expect(textOf(page, '[role=status]')).to.include(decided);
      opened.push(at.replace('/admin', ''));
      decided = textOf(page, 'h1');
      answer = await client.submit(page, `${at}/approve`);
    }
    expect(opened).to.deep.equal(jobs.slice(0, 2));
    const portuguese = await client.get('/review', { 'Accept-Language': 'pt' });
    expect(textOf(portuguese, '[role=status]')).to.include('Segunda');
    expect(textOf(portuguese, 'main')).to.include('Não há ofertas');
  });

  it('a denial needs a reason; a refused form keeps it, and the job shows it', async () => {
    const { acme, statusOf, adminPath: path } = await newJob();
    const deny = async (reason: string) => client.submit(await client.get(path), `${path}/deny`, { reason });
    const refused = await deny('   ');
    expect([refused.status, refused.document.querySelector('textarea')?.value]).to.deep.equal([422, '   ']);
    expect(await statusOf()).to.equal('pending');
    expect((await deny('Falta o <salário>.')).status).to.equal(303);
    expect(await statusOf()).to.equal('denied');
    expect(textOf(await client.get(path), 'main')).to.contain('Falta o <salário>.');
    expect(await entriesOf(acme, 'job.denied')).to.have.length(1);
  });

  it('a review of a job that has changed or was already reviewed changes nothing, and keeps the reason', async () => {
    const { writer, id, statusOf, adminPath: path } = await newJob();
    const read = await client.get(path);
    await writer.patch(id, { title: 'Outro título' });
    const review = (verb: string, typed: Record<string, string>) => client.submit(read, `${path}/${verb}`, typed);
    const denied = await review('deny', { reason: 'Falta o salário.' });
    expect([denied.status, denied.document.querySelector('textarea')?.value]).to.deep.equal([422, 'Falta o salário.']);
    const texts = new Set<string>();
    for (const typed of [{}, ...['', 'x', '99999999999'].map((version) => ({ version }))]) {
      const refused = await review('approve', typed);
      expect(refused.status, JSON.stringify(typed)).to.equal(422);
      texts.add(textOf(refused, '[role=alert]'));
    }
    expect(await statusOf()).to.equal('pending');
    expect((await client.submit(await client.get(path), `${path}/approve`)).status).to.equal(303);
    expect([...texts]).not.to.include(textOf(await review('deny', { reason: 'Não' }), '[role=alert]'));
    expect(await statusOf()).to.equal('active');
  });

  it('a sandbox job has no review forms, and reviewing it is refused', async () => {
    const { adminPath: path } = await newJob('sandbox');
    const page = await client.get(path);
    expect([page.status, has(page, 'form[action$="/approve"]')]).to.deep.equal([200, false]);
    const _csrf = tokenIn(await client.get('/categories'));
    expect((await client.post(`${path}/approve`, { _csrf, version: '1' })).status).to.equal(422);
  });
});
