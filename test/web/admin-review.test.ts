import { expect } from 'chai';
import { db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, type Page, textOf } from '../helper/page-client.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

async function posted(
  job: object = {},
): Promise<{ acme: TestCompany; asWriter: RestClient; id: number; path: string }> {
  const acme = await newCompany({ name: 'Padaria <Nova>' });
  const asWriter = await acme.writer('production');
  const { body } = await asWriter.create({ ...minimalJob, ...job });
  return { acme, asWriter, id: body.data.id, path: `/companies/${acme.id}/production/jobs/${body.data.id}` };
}

const entriesOf = ({ id }: TestCompany, action: string) =>
  db().auditEntry.findMany({ where: { companyId: id, action } });

describe('the review queue', () => {
  it('lists pending production jobs, oldest first, and no sandbox job', async () => {
    const first = await posted({ title: 'Primeira na fila' });
    const second = await posted({ title: 'Segunda na fila' });
    await (await first.acme.writer('sandbox')).create({ ...minimalJob, title: 'Só na sandbox' });
    const client = await asAdministrator();
    const hrefs: string[] = [];
    let text = '';
    for (let path: string | null = '/review'; path; ) {
      const page = await client.get(path);
      hrefs.push(...[...page.document.querySelectorAll('tbody a')].map((a) => a.getAttribute('href') ?? ''));
      text += textOf(page);
      path = page.document.querySelector('[rel=next]')?.getAttribute('href') ?? null;
    }
    const routes = [first, second].map(({ path }) => hrefs.indexOf(`/admin${path}`));
    expect(routes[0]).to.be.at.least(0);
    expect(routes[1]).to.be.above(routes[0] ?? 0);
    expect(text).to.contain('Padaria <Nova>').and.not.contain('Só na sandbox');
  });

  it("shows a job's body as sanitized HTML and its other fields as text", async () => {
    const { path } = await posted({
      body: '<p>Bom <strong>salário</strong><script>alert(1)</script></p>',
      requirements: '<b>Carta</b>',
    });
    const page = await (await asAdministrator()).get(path);
    expect(page.status).to.equal(200);
    expect(page.document.querySelector('.job-body')?.innerHTML).to.equal('<p>Bom <strong>salário</strong></p>');
    expect(textOf(page, '.facts')).to.contain('<b>Carta</b>');
    expect(textOf(page, 'h1')).to.equal('Eletricista');
  });

  it('has access keys for every step, and says so', async () => {
    const acme = await newCompany();
    const jobId = (await (await acme.writer('production')).create(minimalJob)).body.data.id;
    const admin = await asAdministrator();
    const keysOf = ({ document }: Page) =>
      [...document.querySelectorAll('[accesskey]')].map((element) => element.getAttribute('accesskey'));
    const queue = await admin.get('/review');
    expect(keysOf(queue)).to.deep.equal(['n']);
    expect(textOf(queue, '.keys')).to.include('N opens the first job');
    const page = await admin.get(`/companies/${acme.id}/production/jobs/${jobId}`);
    expect(keysOf(page)).to.have.members(['a', 'r', 'd', 'q']);
    const shown = [...page.document.querySelectorAll('.keys kbd')].map((key) => key.textContent);
    expect(shown).to.include.members(['A', 'R', 'D', 'Q']);
  });

  it('an approved job is active in the API, leaves the queue and is in the audit trail', async () => {
    const { acme, asWriter, id, path } = await posted();
    const client = await asAdministrator();
    await client.submit(await client.get(path), `${path}/approve`);
    expect((await asWriter.get(`/jobs/${id}`)).body.data.status).to.equal('active');
    const [entry] = await entriesOf(acme, 'job.approved');
    expect(entry?.actor).to.match(/^administrator:\d+$/);
    expect((await client.get(path)).document.querySelector('form[action$="/approve"]')).to.equal(null);
  });

  it('a decision says what was decided and opens the job that waits longest, until none waits', async () => {
    const titles = ['Primeira <b>', 'Segunda', 'Terceira'];
    const jobs: string[] = [];
    for (const title of titles) jobs.push((await posted({ title })).path);
    const client = await asAdministrator();
    const last = jobs.at(-1) ?? '';
    let answer = await client.submit(await client.get(last), `${last}/deny`, { reason: 'Falta o salário.' });
    let decided = 'Denied: Terceira. The company sees the reason.';
    const opened: string[] = [];
    while (answer.headers.location !== '/admin/review') {
      const at = answer.headers.location ?? '';
      const page = await client.follow(answer);
      expect(textOf(page, '[role=status]')).to.equal(`${decided} This is the next job.`);
      opened.push(at.replace('/admin', ''));
      decided = `Approved and published: ${textOf(page, 'h1')}.`;
      answer = await client.submit(page, `${at}/approve`);
    }
    expect(opened.slice(-2)).to.deep.equal(jobs.slice(0, 2));
    const portuguese = await client.get('/review', { 'Accept-Language': 'pt' });
    expect(textOf(portuguese, '[role=status]')).to.equal('Approved and published: Segunda.');
    expect(textOf(portuguese, 'main')).to.include('Não há ofertas');
  });

  it('a denial needs a reason; a refused form keeps it, and the job shows it', async () => {
    const { acme, asWriter, id, path } = await posted();
    const client = await asAdministrator();
    const refused = await client.submit(await client.get(path), `${path}/deny`, { reason: '   ' });
    expect(refused.status).to.equal(422);
    expect(refused.document.querySelector<HTMLTextAreaElement>('#reason')?.value).to.equal('   ');
    expect((await asWriter.get(`/jobs/${id}`)).body.data.status).to.equal('pending');
    const answer = await client.submit(await client.get(path), `${path}/deny`, { reason: 'Falta o <salário>.' });
    expect(answer.status).to.equal(303);
    expect((await asWriter.get(`/jobs/${id}`)).body.data.status).to.equal('denied');
    expect(textOf(await client.get(path), 'main')).to.contain('Denied: Falta o <salário>.');
    expect(await entriesOf(acme, 'job.denied')).to.have.length(1);
  });

  it('a review of a job that has changed or was already reviewed changes nothing', async () => {
    const { asWriter, id, path } = await posted();
    const client = await asAdministrator();
    const read = await client.get(path);
    await asWriter.patch(id, { title: 'Outro título' });
    const changed = await client.submit(read, `${path}/approve`);
    expect(changed.status).to.equal(422);
    expect(textOf(changed, '[role=alert]')).to.contain('has changed since it was read');
    for (const revision of ['', 'x', '99999999999'])
      expect((await client.submit(read, `${path}/approve`, { revision })).status, revision).to.equal(422);
    expect((await asWriter.get(`/jobs/${id}`)).body.data.status).to.equal('pending');
    expect((await client.submit(await client.get(path), `${path}/approve`)).status).to.equal(303);
    expect(textOf(await client.submit(read, `${path}/deny`, { reason: 'Não' }), '[role=alert]')).to.contain(
      'not pending',
    );
  });

  it('a sandbox job has no review forms, and reviewing it is refused', async () => {
    const acme = await newCompany();
    const { body } = await (await acme.writer('sandbox')).create(minimalJob);
    const path = `/companies/${acme.id}/sandbox/jobs/${body.data.id}`;
    const client = await asAdministrator();
    const page = await client.get(path);
    expect(page.status).to.equal(200);
    expect(page.document.querySelector('form[action$="/approve"]')).to.equal(null);
    const _csrf = page.document.querySelector<HTMLInputElement>('[name=_csrf]')?.value ?? '';
    expect((await client.post(`${path}/approve`, { _csrf, revision: '1' })).status).to.equal(422);
  });
});
