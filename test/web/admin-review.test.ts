import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, newJob, type TestCompany } from '../helper/fixtures.ts';
import {
  asAdministrator,
  has,
  linkIn,
  type Page,
  PageClient,
  password,
  textOf,
  textsOf,
  tokenIn,
  valueIn,
} from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

function raise(): never {
  throw new Error('there is no such job');
}

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
    const [first = -1, second = -1] = jobs.map(({ adminPath }) =>
      hrefs.findIndex((href) => href.split('?')[0] === `/admin${adminPath}`),
    );
    expect(first).to.be.at.least(0);
    expect(second).to.be.above(first);
  });

  it('has an access key for every step, and explains them', async () => {
    const denied = await newJob();
    await denyJob(actionContext(), { ...denied.ref, reason: 'Falta a morada.' });
    const page = await client.get((await newJob()).adminPath);
    for (const [at, ...keys] of [
      [await client.get('/review'), 'a', 'd', 'f', 'n', 'r'],
      [page, '1', 'a', 'd', 'f', 'q', 'r', 's'],
    ] as const) {
      const used = [...at.document.querySelectorAll('[accesskey]')].map((element) => element.getAttribute('accesskey'));
      expect(used.filter((key) => !/[2-5]/.test(String(key))).sort()).to.deep.equal(keys);
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

  /** Pending jobs of one company, each with its own title, oldest first. */
  async function waiting(...names: string[]) {
    const own = `Fila ${randomUUID().slice(0, 8)}`;
    const jobs = [];
    for (const name of names) jobs.push(await newJob('production', { title: `${own} ${name}` }));
    const queue = `/review?text=${encodeURIComponent(own)}`;
    return { own, jobs, queue, list: await client.get(queue) };
  }

  /** What a review page shows: the job, its position, and the outcome of the previous one. */
  const seen = (page: Page) => [
    textOf(page, 'h1').split(' ').at(-1),
    textOf(page, '#review').replace(/\D+/g, ' ').trim(),
    textOf(page, '.notice').replace(/^(\w+).*? (\w+)[.] .*/, '$1 $2'),
  ];

  it('a review pass goes through the filtered jobs one by one; skipped jobs do not return', async () => {
    const { jobs, list, queue, own } = await waiting('A', 'B', 'C', 'D', 'E');
    await newJob('production', { title: 'Sem filtro' });
    const decide = async (page: Page, verb: string, typed = {}) => {
      const [path = ''] = (page.document.querySelector('form[action*="/approve"]')?.getAttribute('action') ?? '').split(
        '/approve',
      );
      return client.follow(await client.submit(page, `${path}/${verb}`, typed));
    };
    const first = await client.get(linkIn(list, '[accesskey=n]'));
    expect(seen(first)).to.deep.equal(['A', '1 5', '']);
    const second = await decide(first, 'approve');
    expect(seen(second)).to.deep.equal(['B', '2 5', 'Approved A']);
    const third = await client.get(linkIn(second, '[accesskey=s]'));
    expect(seen(third)).to.deep.equal(['C', '3 5', '']);
    const fourth = await decide(third, 'deny', { reason: 'Falta o salário.' });
    expect(seen(fourth)).to.deep.equal(['D', '4 5', 'Denied C']);
    // Somebody else decides about the next one meanwhile.
    await approveJob(actionContext(), jobs[4]?.ref ?? raise());
    const end = await client.submit(fourth, `${jobs[3]?.adminPath}/approve`);
    expect(end.headers.location).to.equal(`/admin/review?text=${own.replace(' ', '+')}`);
    const rest = await client.follow(end);
    expect(textOf(rest, '.notice p')).to.match(/ D\. It was the last one\.$/);
    expect(textsOf(rest, 'tbody th')).to.deep.equal([`${own} B`]);
    const portuguese = await client.get(linkIn(rest, '[accesskey=n]'), { 'Accept-Language': 'pt' });
    expect(textOf(portuguese, '#review')).to.equal('Revisão: 1 de 1');
    const newest = await client.get(`${queue}&sort=newest`);
    expect(linkIn(newest, '[accesskey=n]')).to.include('sort=newest');
    expect(linkIn(await client.get(linkIn(newest, '[accesskey=n]')), '[accesskey=s]')).to.equal(
      `/admin/review?text=${own.replace(' ', '+')}&sort=newest`,
    );
  });

  it('a review pass begins where the list was opened, also with newest first', async () => {
    const { list, queue } = await waiting('A', 'B', 'C');
    for (const [from, title, place] of [
      [list, 'B', '2 3'],
      [await client.get(`${queue}&sort=newest`), 'B', '2 3'],
    ] as const) {
      const page = await client.get(linkIn(from, 'tr:nth-child(2) th a'));
      expect(seen(page).slice(0, 2)).to.deep.equal([title, place]);
      const next = await client.get(linkIn(page, '[accesskey=s]'));
      expect(seen(next)).to.deep.equal([from === list ? 'C' : 'A', '3 3', '']);
    }
    for (const query of ['seen=x', 'seen=99999999999', 'sort=x', `text=${'x'.repeat(9000)}`, 'seen=-1'])
      expect((await client.get(`${linkIn(list, '[accesskey=n]').split('?')[0]}?${query}`)).status, query).to.equal(200);
  });

  it('after a double click, the administrator sees the decision; anybody else sees that the job was already decided', async () => {
    const { adminPath: path, statusOf, acme } = await newJob();
    const page = await client.get(path);
    const other = await asAdministrator();
    const theirs = await other.get(path);
    const answers = await Promise.all([1, 2].map(() => client.submit(page, `${path}/approve`)));
    expect(answers.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(await statusOf()).to.equal('active');
    expect(await entriesOf(acme, 'job.approved')).to.have.length(1);
    const late = await other.submit(theirs, `${path}/approve`);
    expect([late.status, textOf(late, '[role=alert]')]).to.deep.equal([422, 'The job is active, not pending.']);
    const changed = await client.submit(page, `${path}/deny`, { reason: 'Engano.' });
    expect([changed.status, await statusOf()]).to.deep.equal([422, 'active']);
  });

  it('offers the latest reasons for a denial; the chosen ones and the typed text become the reason', async () => {
    const [before, other] = [await newJob(), await newJob()];
    const reason = `Falta a morada, ${randomUUID()}.`;
    await denyJob(actionContext(), { ...other.ref, reason: 'x'.repeat(81) });
    await denyJob(actionContext(), { ...before.ref, reason });
    const { acme, adminPath: path } = await newJob();
    const page = await client.get(path);
    expect([valueIn(page, '[name=usual]'), valueIn(page, '[accesskey="1"]')]).to.deep.equal([reason, reason]);
    expect(textsOf(page, 'fieldset label').length).to.be.at.most(5);
    expect(has(page, '[name=usual]:checked')).to.equal(false);
    // A refused form keeps what was chosen.
    const wrong = { usual: reason, version: 'x', reason: '' };
    expect(valueIn(await client.submit(page, `${path}/deny`, wrong), '[name=usual]:checked')).to.equal(reason);
    const typed = { usual: reason, reason: 'E o salário.' };
    expect((await client.submit(page, `${path}/deny`, typed)).status).to.equal(303);
    const [entry] = await entriesOf(acme, 'job.denied');
    expect(entry?.details).to.include({ reason: `${reason} E o salário.` });
  });

  it("a job links to its company, the company's other jobs and its denials with their reasons", async () => {
    const { jobs, list } = await waiting('A');
    const { acme, writer, adminPath: path } = jobs[0] ?? raise();
    const id: number = (await writer.create({ ...minimalJob, title: 'Outra' })).body.data.id;
    await denyJob(actionContext(), {
      companyId: acme.id,
      environment: 'production',
      jobId: BigInt(id),
      reason: 'Repetida.',
    });
    const company = `/admin/companies/${acme.id}`;
    const page = await client.get(path);
    for (const at of [page, list]) expect(has(at, `main a[href="${company}"]`)).to.equal(true);
    const links = [...page.document.querySelectorAll('main p a')].map((a) => [a.textContent, a.getAttribute('href')]);
    const others = `/admin/jobs?companyId=${acme.id}&environment=production`;
    expect(links).to.deep.include(['1 pending, 1 denied', others]);
    const denials = await client.get(linkIn(page, 'a[href*="job.denied"]'));
    expect(textsOf(denials, 'tbody tr')).to.have.length(1);
    expect(textOf(denials, 'tbody')).to.include('Repetida.');
  });

  it('several jobs can be selected in the list and approved; each gets its own result', async () => {
    const { own, jobs, list, queue } = await waiting('A', 'B', 'C', 'D', 'E');
    const values = [...list.document.querySelectorAll<HTMLInputElement>('[name=jobs][form=selected]')].map(
      ({ value }) => value,
    );
    const [, changed, denied, removed] = jobs.map(({ ref }) => ref);
    await jobs[1]?.writer.patch(Number(changed?.jobId), { salary_negotiable: true });
    await denyJob(actionContext(), { ...(denied ?? raise()), reason: 'Repetida.' });
    await removeJob(actionContext(), removed ?? raise());
    const send = (chosen: string[]) => {
      const fields = [['_csrf', tokenIn(list)], ['do', 'approve'], ...chosen.map((value) => ['jobs', value])];
      return client.postRaw(queue, new URLSearchParams(fields).toString());
    };
    const answer = await send(values.slice(0, 4));
    expect(answer.headers.location).to.equal(`/admin/review?text=${own.replace(' ', '+')}`);
    const page = await client.follow(answer);
    expect(page.document.querySelector('.notice p')?.textContent?.split('\n')).to.deep.equal([
      `Approved and published: ${own} A.`,
      `${own} B: The job has changed since it was read; read it again.`,
      `${own} C: The job is denied, not pending.`,
      `${removed?.jobId}: There is no job ${removed?.jobId}.`,
    ]);
    expect(await Promise.all(jobs.toSpliced(3, 1).map(({ statusOf }) => statusOf()))).to.deep.equal([
      ...['active', 'pending', 'denied', 'pending'],
    ]);
    expect(textsOf(page, 'tbody th')).to.deep.equal([`${own} B`, `${own} E`]);
    const answers = await client.submit(page, '/review');
    expect(textOf(await client.follow(answers), '.notice')).to.equal(`Waits for review again: ${own} A.`);
    expect(await jobs[0]?.statusOf()).to.equal('pending');
    for (const nothing of [[], [''], ['x', '1', '1/2', '0/0/x', `1/1/${'x'.repeat(5000)}`]])
      expect(textOf(await client.follow(await send(nothing)), '.notice')).to.equal('No job was selected.');
  });

  it('a link selects all jobs of the page; they are denied with one reason, and one that changed meanwhile is named and left alone', async () => {
    const { own, jobs, queue, list } = await waiting('A', 'B', 'C');
    expect(has(list, '[name=jobs]:checked')).to.equal(false);
    const all = await client.get(linkIn(list, 'a[href*="select=all"]'));
    expect(textsOf(all, 'tbody th')).to.deep.equal(['A', 'B', 'C'].map((name) => `${own} ${name}`));
    const values = [...all.document.querySelectorAll<HTMLInputElement>('[name=jobs]:checked')].map(
      ({ value }) => value,
    );
    expect(values).to.have.length(3);
    await jobs[1]?.writer.patch(jobs[1].id, { salary_negotiable: true });
    const deny = (page: Page, reason: string) => {
      const fields = [
        ['_csrf', tokenIn(page)],
        ['do', 'deny'],
        ['reason', reason],
        ...values.map((job) => ['jobs', job]),
      ];
      return client.postRaw(queue, new URLSearchParams(fields).toString());
    };
    const blank = await deny(all, ' ');
    expect([blank.status, textOf(blank, '#reason-error')]).to.deep.equal([422, 'Reason must not be blank.']);
    const kept = [...blank.document.querySelectorAll('[name=jobs]:checked')].map((box) => box.getAttribute('value'));
    expect(kept).to.deep.equal([values[0], values[2]]);
    const page = await client.follow(await deny(blank, 'Falta o salário.'));
    expect(page.document.querySelector('.notice p')?.textContent?.split('\n')).to.deep.equal([
      `Denied: ${own} A. The company sees the reason.`,
      `${own} B: The job has changed since it was read; read it again.`,
      `Denied: ${own} C. The company sees the reason.`,
    ]);
    for (const { acme } of [jobs[0], jobs[2]].map((job) => job ?? raise()))
      expect((await entriesOf(acme, 'job.denied')).map(({ details }) => details)).to.have.length(1);
    expect(await entriesOf(jobs[1]?.acme ?? raise(), 'job.denied')).to.deep.equal([]);
    expect(textsOf(await client.get(queue), 'tbody th')).to.deep.equal([`${own} B`]);
  });

  it('sixty reviews take 61 keys, and a mistake among them one', async () => {
    const own = `Fila ${randomUUID().slice(0, 8)}`;
    const { writer } = await newJob('production', { title: `${own} 0` });
    for (let n = 1; n < 60; n++) await writer.create({ ...minimalJob, title: `${own} ${n}` });
    let keys = 0;
    const press = async (page: Page, key: string): Promise<Page> => {
      keys += 1;
      const pressed = page.document.querySelector(`[accesskey=${key}]`) ?? raise();
      const form = pressed.closest('form');
      if (!form) return client.get(pressed.getAttribute('href') ?? raise());
      return client.follow(await client.submit(page, form.getAttribute('action') ?? raise()));
    };
    let page = await press(await client.get(`/review?text=${own.replace(' ', '+')}`), 'n');
    for (let n = 0; n < 60; n++) {
      if (n !== 30) page = await press(page, 'a');
      else {
        const next = await press(page, 'a');
        page = await press(next, 'u');
        expect(textOf(page, '.notice')).to.equal(`Waits for review again: ${own} 30.`);
        expect(textOf(page, '#review')).to.equal('Review: 31 of 60');
        page = await press(page, 'a');
      }
    }
    expect(textOf(page, '.notice p')).to.equal(`Approved and published: ${own} 59. It was the last one.`);
    // The mistake and its undoing.
    expect(keys).to.equal(61 + 2);
    expect(textsOf(page, 'tbody th')).to.deep.equal([]);
  });

  it("an administrator undoes their own decision on the job's page, while nobody has changed the job", async () => {
    const { acme, writer, id, statusOf, adminPath: path } = await newJob();
    const usage = () => db().postingUsage.findMany({ where: { companyId: acme.id } });
    const used = await usage();
    await client.submit(await client.get(path), `${path}/approve`);
    const other = await asAdministrator();
    expect(has(await other.get(path), 'form[action$="/undo"]')).to.equal(false);
    const page = await client.get(path);
    expect(textOf(page, '[aria-current]')).to.equal('Jobs');
    const undone = await client.follow(await client.submit(page, `${path}/undo`));
    expect(textOf(undone, '.notice')).to.equal('Waits for review again: Eletricista.');
    expect([await statusOf(), textOf(undone, '[aria-current]')]).to.deep.equal(['pending', 'Review']);
    expect(textsOf(undone, 'tbody td:nth-child(2)')).to.deep.equal([
      'Job created',
      'Job approved',
      'Job review undone',
    ]);
    const actions = (await auditOf(acme.id)).map(({ action }) => action);
    expect(actions.slice(-2)).to.deep.equal(['job.approved', 'job.review_undone']);
    // Sent again, it is undone already.
    expect((await client.submit(page, `${path}/undo`)).status).to.equal(303);
    await client.submit(undone, `${path}/deny`, { reason: 'Engano.' });
    const denied = await client.get(path);
    await writer.patch(id, { title: 'Pintor' });
    await client.submit(await client.get(path), `${path}/approve`);
    const late = await client.submit(denied, `${path}/undo`);
    expect([late.status, textOf(late, '[role=alert]')]).to.deep.equal([
      422,
      'The job has changed since it was read; read it again.',
    ]);
    expect([await statusOf(), await usage()]).to.deep.equal(['active', used]);
    expect((await auditOf(acme.id)).filter(({ action }) => action === 'job.review_undone')).to.have.length(1);
  });

  it("an administrator sends another one's denied job to review again", async () => {
    const { acme, ref, statusOf, adminPath: path } = await newJob();
    await denyJob(actionContext(), { ...ref, reason: 'Engano.' });
    const done = await client.follow(await client.submit(await client.get(path), `${path}/resubmit`));
    expect(textOf(done, '.notice')).to.equal('Waits for review again: Eletricista.');
    expect(textOf(done, 'tbody tr:last-child')).to.include('Job sent to review again');
    expect([await statusOf(), (await lastAudit(acme.id)).action]).to.deep.equal(['pending', 'job.resubmitted']);
  });

  it('the second of two reviewers keeps the typed reason and goes on with the next job', async () => {
    const { jobs, list } = await waiting('A', 'B');
    const page = await client.get(linkIn(list, '[accesskey=n]'));
    await approveJob(actionContext(), jobs[0]?.ref ?? raise());
    const path = jobs[0]?.adminPath;
    const late = await client.submit(page, `${path}/deny`, { reason: 'Falta o <salário>.' });
    expect([late.status, textOf(late, '[role=alert]')]).to.deep.equal([422, 'The job is active, not pending.']);
    expect(textOf(late, '.review [data-copy]')).to.equal('Falta o <salário>.');
    expect(has(late, 'form:is([action*="/approve"], [action*="/deny"])')).to.equal(false);
    expect(seen(await client.get(linkIn(late, '.review [accesskey=s]'))).slice(0, 2)).to.deep.equal(['B', '2 2']);
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

  it('a half-filled denial keeps its text and its position in the pass in another language, and after its session has ended', async () => {
    const { adminPath: path, statusOf, acme } = await newJob();
    await denyJob(actionContext(), { ...(await newJob()).ref, reason: 'Falta a área (m²).' });
    const typed = { reason: 'Falta o <salário>.', usual: 'Falta a área (m²).' };
    const page = await client.get(`${path}?seen=7&text=%C3%A9+100%25&sort=newest`);
    const email = textOf(page, '.person a').replace(/^.*: /, '');
    const kept = (shown: Page) => [
      textOf(shown, '#review').replace(/\D+(\d+).*/, '$1'),
      shown.document.querySelector('textarea')?.value,
      valueIn(shown, '[name=usual]:checked'),
      shown.document.querySelector('form[action*="/deny"]')?.getAttribute('action')?.split('?')[1],
    ];
    const expected = ['8', typed.reason, typed.usual, 'text=%C3%A9+100%25&sort=newest&seen=7'];
    const visitor = PageClient.copyOf(client);
    const portuguese = await visitor.submit(page, `${path}/deny`, { ...typed, language: 'pt' });
    expect([portuguese.status, ...kept(portuguese)]).to.deep.equal([200, ...expected]);
    visitor.cookies.set('vaga_admin_session', 's%3Aended.x');
    const asked = await visitor.submit(portuguese, `${path}/deny`, typed);
    const english = await visitor.submit(asked, `${path}/deny`, { language: 'en' });
    const back = await visitor.submit(english, `${path}/deny`, { email, password });
    expect([back.status, ...kept(back)]).to.deep.equal([403, ...expected]);
    expect(await statusOf()).to.equal('pending');
    expect((await visitor.submit(back, `${path}/deny`, typed)).status).to.equal(303);
    const [entry] = await entriesOf(acme, 'job.denied');
    expect(entry?.details).to.include({ reason: `${typed.usual} ${typed.reason}` });
    visitor.cookies.set('vaga_admin_session', 's%3Aended.x');
    const nul = { email, password, typed: 'reason=%00' };
    const again = await visitor.submit(back, `${path}/deny`, typed);
    expect((await visitor.submit(again, `${path}/deny`, nul)).status).to.equal(400);
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
