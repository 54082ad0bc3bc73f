import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { suspendCompany, withdrawApproval } from '../../src/operations/companies/people/change-company.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { searchQueue } from '../../src/operations/jobs/people/search-jobs.ts';
import { withdrawCompanyJob } from '../../src/operations/jobs/people/withdraw-company-job.ts';
import { unseenMs } from '../../src/web/form.ts';
import { isolated } from '../../src/web/texts/isolated.ts';
import { actionContext, clock, db, later, newJob, startApp, type TestCompany } from '../helper/fixtures.ts';
import { afterTheGate } from '../helper/gated-database.ts';
import { insertEvents } from '../helper/insert-events.ts';
import {
  asAdministrator,
  asPerson,
  has,
  linkIn,
  newAdministrator,
  type Page,
  PageClient,
  password,
  textOf,
  textsOf,
  tokenIn,
  valueIn,
} from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

function raise(): never {
  throw new Error('there is no such job');
}

const stale = 'It has changed since it was read; read it again.';

const entriesOf = ({ id }: TestCompany, action: string) =>
  db().auditEntry.findMany({ where: { companyId: id, action } });

describe('the review queue', () => {
  let client: PageClient;
  before(async () => {
    client = await asAdministrator();
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

  it('a job that is opened from elsewhere has its place among all that wait', async () => {
    const { jobs, queue } = await waiting('A', 'B', 'C');
    const [, second] = jobs;
    const page = await client.get(`${second?.adminPath}${queue.replace('/review', '')}`);
    expect(textOf(page, '#review')).to.equal('Review: 2 of 3');
    const [place, total] = textOf(await client.get(second?.adminPath ?? ''), '#review').match(/\d+/g) ?? [];
    expect(Number(total)).to.be.at.least(Number(place) + 1);
    expect(Number(place)).to.be.at.least(2);
  });

  it('is filtered by when jobs were created; a bar of the front page opens the jobs that it counts', async () => {
    const { own, jobs } = await waiting('A');
    const { id } = jobs[0] ?? raise();
    await db().$executeRaw`UPDATE jobs SET created_at = now() - interval '2 days' WHERE id = ${BigInt(id)}`;
    const bars = [...(await client.get('')).document.querySelectorAll('a[href*="/review?"]')];
    const links = bars.map((bar) => bar.getAttribute('href') ?? '');
    expect(links).to.have.length(4);
    const isIn = async (link: string) =>
      textOf(await client.get(`${link}&text=${encodeURIComponent(own)}`)).includes(`${own} A`);
    const found: boolean[] = [];
    for (const link of links) found.push(await isIn(link));
    expect(found).to.deep.equal([false, true, false, false]);
  });

  it('a pass keeps every field of the filter, also in the history of a job, in an undo and for a selection', async () => {
    const { own, jobs } = await waiting('A', 'B', 'C');
    const ids = jobs.slice(1).map(({ id }) => BigInt(id));
    await db().$executeRaw`UPDATE jobs SET created_at = now() - interval '2 days' WHERE id = ANY (${ids}::bigint[])`;
    const minute = (days: number) => new Date(clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 16);
    const filter = { text: own, sort: 'newest', from: minute(3), to: minute(1) };
    expect(Object.keys(searchQueue.input.shape)).to.have.members([...Object.keys(filter), 'page']);
    const filterOf = (link: string) =>
      Object.fromEntries([...new URLSearchParams(link.split('?')[1])].filter(([name]) => name in filter));
    const [, b, c] = jobs;
    const event = { ...(c?.ref ?? raise()), kind: 'updated', actor: 'operator', status: 'pending' } as const;
    await insertEvents(times(51, () => ({ ...event, createdAt: clock.now() })));
    const list = await client.get(`/review?${new URLSearchParams(filter)}`);
    const first = await client.get(linkIn(list, 'tbody th a'));
    expect(seen(first).slice(0, 2)).to.deep.equal(['C', '1 2']);
    const older = await client.get(linkIn(first, '.pager a'));
    expect(seen(older).slice(0, 2)).to.deep.equal(['C', '1 2']);
    const second = await client.follow(await client.submit(older, `${c?.adminPath}/approve`));
    expect(seen(second)).to.deep.equal(['B', '2 2', 'Approved C']);
    const decided = await client.get(`${c?.adminPath}?${new URLSearchParams(filter)}`);
    const undone = await client.submit(decided, `${c?.adminPath}/undo`);
    const selected = selectableIn(list).slice(1);
    const queue = `/review?${new URLSearchParams(filter)}`;
    const denied = await decideAll(list, queue, selected, { do: 'deny', reason: 'Repetida.' });
    expect(await Promise.all([b, c].map((job) => job?.statusOf()))).to.deep.equal(['denied', 'pending']);
    for (const link of [linkIn(second, '[accesskey=s]'), linkIn(second, '[accesskey=q]')].concat(
      [undone, denied].map(({ headers }) => headers.location ?? ''),
    ))
      expect(filterOf(link), link).to.deep.equal(filter);
  });

  it('a filter can be cleared', async () => {
    const { queue, list } = await waiting('A');
    expect(has(await client.get('/review'), '.filter a')).to.equal(false);
    expect(queue).to.contain('?');
    expect(linkIn(list, '.filter a')).to.equal('/admin/review');
  });

  it('says of a job in the queue and on its page that its company is suspended, and why, or not approved any more', async () => {
    const { jobs, queue } = await waiting('A', 'B', 'C');
    const [first, second, third] = jobs.map(({ ref, adminPath }) => ({ ref, adminPath }));
    const reason = 'Anúncios falsos.';
    await suspendCompany(actionContext(), { ...(first?.ref ?? raise()), reason });
    await withdrawApproval(actionContext(), second?.ref ?? raise());
    const list = await client.get(queue);
    expect([1, 2, 3].map((row) => textOf(list, `tr:nth-child(${row}) [data-head=Company]`))).to.deep.equal([
      `Oficina Exemplo (${first?.ref.companyId}) Closed: Company suspended Reason: ${reason}`,
      `Oficina Exemplo (${second?.ref.companyId}) Closed: Not approved`,
      `Oficina Exemplo (${third?.ref.companyId})`,
    ]);
    const publishes = 'An approval publishes the job all the same.';
    expect(textOf(await client.get(first?.adminPath ?? ''), '#closed')).to.equal(
      `Closed: Company suspended Reason: ${reason}${publishes}`,
    );
    expect(textOf(await client.get(second?.adminPath ?? ''), '#closed')).to.equal(`Closed: Not approved${publishes}`);
    expect(has(await client.get(third?.adminPath ?? ''), '#closed')).to.equal(false);
    expect(textOf(await client.get(`/companies/${first?.ref.companyId}`), '.facts')).to.include(`: ${reason}`);
  });

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
    // A browser shows the second answer only.
    const shown = await client.follow(answers[1] ?? raise());
    expect(textOf(shown, '.notice')).to.match(/^Approved and published: /);
    expect(has(shown, '[role=alert]')).to.equal(false);
    expect(await statusOf()).to.equal('active');
    const entries = await entriesOf(acme, 'job.approved');
    expect(entries.map(({ actor }) => actor.replace(/\d+/, 'n'))).to.deep.equal(['administrator:n']);
    const late = await other.submit(theirs, `${path}/approve`);
    expect([late.status, textOf(late, '[role=alert]')]).to.deep.equal([422, 'The job is active, not pending.']);
    const changed = await client.submit(page, `${path}/deny`, { reason: 'Engano.' });
    expect([changed.status, await statusOf()]).to.deep.equal([422, 'active']);
  });

  it('a decision within 700 ms of its page is shown again and not done; later it is done; so it is in the list', async () => {
    const { jobs, list, queue } = await waiting('A', 'B');
    const [first, second] = [jobs[0] ?? raise(), jobs[1] ?? raise()];
    const page = await client.get(linkIn(list, '[accesskey=n]'));
    const made = Number(valueIn(page, '[name=shownAt]'));
    for (const [verb, shownAt] of [
      ['approve', String(made + 60_000)],
      ['deny', String(clock.now().getTime() + 60_000)],
      ['approve', 'x'],
    ] as const) {
      const typed = { reason: 'Falta o salário.', shownAt };
      const refused = await client.submit(page, `${first.adminPath}/${verb}`, typed);
      expect([refused.status, textOf(refused, 'h1').at(-1)]).to.deep.equal([422, 'A']);
      expect(textOf(refused, '[role=alert]')).to.contain('Nothing was decided');
      expect([valueIn(refused, '#reason'), await first.statusOf()]).to.deep.equal(['Falta o salário.', 'pending']);
    }
    const shownAt = String(clock.now().getTime() + 60_000);
    const unseen = await decideAll(list, queue, selectableIn(list), { do: 'approve', shownAt });
    expect([unseen.status, selectableIn(unseen, ':checked').length]).to.deep.equal([422, 2]);
    const done = await client.submit(page, `${first.adminPath}/approve`);
    expect([done.status, await first.statusOf(), await second.statusOf()]).to.deep.equal([303, 'active', 'pending']);
  });

  it('the 700 ms begin when the page is made and end when the decision arrives, however long the database takes for either', async () => {
    const { jobs, queue } = await waiting('A');
    let readAt = 0;
    const slow = afterTheGate(async (own) => {
      clock.aheadMs += 10_000;
      readAt = clock.now().getTime();
      return own();
    });
    const reader = PageClient.copyOf(client, await startApp({}, { db: slow }));
    const { adminPath, statusOf } = jobs[0] ?? raise();
    const shownAt = async (path: string) => Number(valueIn(await reader.get(path), '[name=shownAt]'));
    for (const path of [queue, adminPath]) expect(await shownAt(path), path).to.be.at.least(readAt);
    const page = await client.get(adminPath);
    const typed = { shownAt: String(clock.now().getTime() + 5000) };
    const answer = await reader.submit(page, `${adminPath}/approve`, typed);
    expect([answer.status, await statusOf()]).to.deep.equal([422, 'pending']);
  });

  it('links to the decisions of its reader, each to its job, where it is undone', async () => {
    const { jobs, list } = await waiting('A', 'B');
    let page = await client.get(linkIn(list, '[accesskey=n]'));
    for (const { adminPath } of jobs) page = await client.follow(await client.submit(page, `${adminPath}/approve`));
    const own = 'main > p a[href^="/admin/audit?actor="]';
    // The last of these pages is the queue, and has no more jobs.
    expect(linkIn(page, own)).to.equal(linkIn(await client.get(jobs[0]?.adminPath ?? raise()), own));
    const decisions = await client.get(linkIn(page, own));
    const { document } = await client.get(jobs[0]?.adminPath ?? raise());
    const [, decided] = document.querySelectorAll('tbody tr');
    const email = decodeURIComponent(linkIn(page, own).replace(/.*=/, ''));
    expect(decided?.lastElementChild?.textContent, 'the history names the administrator').to.equal(email);
    const links = [...decisions.document.querySelectorAll('tbody a.in-text')].map((a) => a.getAttribute('href'));
    for (const { adminPath, statusOf } of jobs) {
      expect(links).to.include(`/admin${adminPath}`);
      await client.submit(await client.get(adminPath), `${adminPath}/undo`);
      expect(await statusOf()).to.equal('pending');
    }
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
    const typed = { usual: reason, reason: 'E o salário: \r\n\r\n entre 900 e 1200. ' };
    expect((await client.submit(page, `${path}/deny`, typed)).status).to.equal(303);
    const [entry] = await entriesOf(acme, 'job.denied');
    expect(entry?.details).to.include({ reason: `${reason} E o salário: entre 900 e 1200.` });
  });

  it('a job has one red button at most; what removes it is in a menu', async () => {
    const page = await client.get((await newJob()).adminPath);
    expect(textsOf(page, '.actions > .danger:not(details *)')).to.deep.equal(['Withdraw']);
    expect(linkIn(page, 'details .actions .danger')).to.match(/\/remove$/);
  });

  it('a job shows reviewers where its links lead, as browsers read the addresses, and its title without turning the page around it', async () => {
    const shown =
      '<a href="https://evil.example/?a=1&amp;b=2">https://good.example/</a> <a href="https://аpple.com/">apple.com</a>';
    const title = '\u202eabc';
    const { acme, path, adminPath } = await newJob('production', { title, body: `<p>${shown} ${shown}</p>` });
    const [page, own] = [await client.get(adminPath), await (await asPerson(acme)).get(path)];
    const addresses = ['https://evil.example/?a=1&b=2', 'https://xn--pple-43d.com/'].join(' ');
    expect(textsOf(page, 'main > .facts dd')).to.deep.equal([addresses]);
    expect(has(own, 'main > .facts'), 'is for reviewers').to.equal(false);
    for (const at of [page, own]) expect(textOf(at, 'h1')).to.equal(isolated(title));
    expect(has(await client.get((await newJob()).adminPath), 'main > .facts'), 'no links').to.equal(false);
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

  const selectableIn = ({ document }: Page, state = ''): string[] =>
    [...document.querySelectorAll<HTMLInputElement>(`[name=jobs][form=selected]${state}`)].map(({ value }) => value);

  /** Sends the form of a list for these jobs. */
  function decideAll(page: Page, queue: string, jobs: readonly string[], typed: Record<string, string>) {
    const fields = [...Object.entries({ _csrf: tokenIn(page), ...typed }), ...jobs.map((job) => ['jobs', job])];
    return client.postRaw(queue, new URLSearchParams(fields).toString());
  }

  it('an approval with a typed reason is refused, and keeps the reason and the selection', async () => {
    const { jobs, list, queue } = await waiting('A');
    const typed = { do: 'approve', reason: 'Repetida.' };
    const page = await decideAll(list, queue, selectableIn(list), typed);
    expect(textOf(page)).to.include('An approval has no reason.');
    expect([page.status, valueIn(page, '[name=reason]'), selectableIn(page, ':checked')]).to.deep.equal([
      ...[422, 'Repetida.', selectableIn(list)],
    ]);
    expect(await jobs[0]?.statusOf()).to.equal('pending');
    expect((await decideAll(page, queue, selectableIn(page), { ...typed, reason: ' ' })).status).to.equal(303);
  });

  it('a denial of a job that was deleted meanwhile keeps the chosen and the typed reason', async () => {
    const { ref, adminPath } = await newJob();
    const page = await client.get(adminPath);
    await removeJob(actionContext(), ref);
    const gone = await client.submit(page, `${adminPath}/deny`, { usual: 'Repetida.', reason: 'Falta a morada.' });
    expect([gone.status, ...textsOf(gone, 'pre')]).to.deep.equal([404, 'Repetida. Falta a morada.']);
    expect(textOf(gone, '[role=alert]')).to.include('Job permanently removed by Operator');
  });

  it('several jobs can be selected in the list and approved; each gets its own result', async () => {
    const { own, jobs, list, queue } = await waiting('A', 'B', 'C', 'D', 'E');
    const values = selectableIn(list);
    const [, changed, denied, removed] = jobs.map(({ ref }) => ref);
    await jobs[1]?.writer.patch(Number(changed?.jobId), { salary_negotiable: true });
    await denyJob(actionContext(), { ...(denied ?? raise()), reason: 'Repetida.' });
    await removeJob(actionContext(), removed ?? raise());
    const send = (chosen: string[]) => decideAll(list, queue, chosen, { do: 'approve' });
    const answer = await send(values.slice(0, 4));
    expect(answer.headers.location).to.equal(`/admin/review?text=${own.replace(' ', '+')}`);
    const page = await client.follow(answer);
    const answered = page.document
      .querySelector('.notice p')
      ?.textContent?.replace(/\d+ \w+ \d+, \d\d:\d\d/, 'DAY, TIME');
    expect(answered?.split('\n')).to.deep.equal([
      `Approved and published: ${own} A.`,
      `${own} B: ${stale}`,
      `${own} C: The job is denied, not pending. Job denied: Operator, DAY, TIME.`,
      `${removed?.jobId}: There is no job ${removed?.jobId}.`,
    ]);
    expect(await Promise.all(jobs.toSpliced(3, 1).map(({ statusOf }) => statusOf()))).to.deep.equal([
      ...['active', 'pending', 'denied', 'pending'],
    ]);
    expect(textsOf(page, 'tbody th')).to.deep.equal([`${own} B`, `${own} E`]);
    const answers = await client.submit(page, '/review');
    expect(textOf(await client.follow(answers), '.notice')).to.equal(`Waits for review again: ${own} A.`);
    expect(await jobs[0]?.statusOf()).to.equal('pending');
    for (const nothing of [[], [''], ['x', '1', '1/2', '0/0/x', `1/1/${'x'.repeat(5000)}`]]) {
      const answer = await send(nothing);
      expect([answer.status, textOf(answer, '[role=alert]')]).to.deep.equal([422, 'No job was selected.']);
    }
  });

  it('a denial that decides nothing keeps its reason, because nothing was selected or somebody else was first, also of the last job', async () => {
    const { jobs, queue, list } = await waiting('A', 'B');
    const [one, two] = selectableIn(list);
    const deny = (values: (string | undefined)[]) =>
      decideAll(
        list,
        queue,
        values.filter((value) => value !== undefined),
        { do: 'deny', reason: 'Falta o salário.' },
      );
    const none = await deny([]);
    expect([none.status, valueIn(none, '#selected #reason')]).to.deep.equal([422, 'Falta o salário.']);
    for (const [at, value] of [one, two].entries()) {
      const { ref } = jobs[at] ?? expect.fail();
      await approveJob(actionContext(), ref);
      const late = await deny([value]);
      expect([late.status, valueIn(late, '#selected #reason')]).to.deep.equal([422, 'Falta o salário.']);
      expect(textOf(late, '[role=alert]')).to.match(/not pending/);
      expect(await jobs[at]?.statusOf()).to.equal('active');
    }
  });

  it('a link selects all jobs of the page; they are denied with one reason, and one that changed meanwhile is named and left alone', async () => {
    const { own, jobs, queue, list } = await waiting('A', 'B', 'C');
    expect(has(list, '[name=jobs]:checked')).to.equal(false);
    const chosen = selectableIn(list).slice(1);
    const switched = await decideAll(list, queue, chosen, { reason: 'Repetida.', language: 'en' });
    expect([valueIn(switched, '#selected #reason'), selectableIn(switched, ':checked')]).to.deep.equal([
      ...['Repetida.', chosen],
    ]);
    expect(has(list, '#selected [name=language]')).to.equal(true);
    const all = await client.get(linkIn(list, 'a[href*="select=all"]'));
    expect(textsOf(all, 'tbody th')).to.deep.equal(['A', 'B', 'C'].map((name) => `${own} ${name}`));
    const values = selectableIn(all, ':checked');
    expect(values).to.have.length(3);
    await jobs[1]?.writer.patch(jobs[1].id, { salary_negotiable: true });
    const deny = (page: Page, reason: string) => decideAll(page, queue, values, { do: 'deny', reason });
    const blank = await deny(all, ' ');
    expect([blank.status, textOf(blank, '#reason-error')]).to.deep.equal([422, 'Reason must not be blank.']);
    expect(selectableIn(blank, ':checked')).to.deep.equal([values[0], values[2]]);
    // Sent again, it denies nothing twice.
    for (const _ of ['once', 'again']) {
      const page = await deny(blank, 'Falta o salário.');
      expect([page.status, valueIn(page, '#selected #reason')]).to.deep.equal([422, 'Falta o salário.']);
      expect(textsOf(page, 'tbody th')).to.deep.equal([`${own} B`]);
      expect(selectableIn(page, ':checked'), 'the changed job must be read first').to.deep.equal([]);
      expect(textOf(page, '[role=alert]')).to.equal(`${own} B: ${stale}`);
      expect(page.document.querySelector('.notice p')?.textContent?.split('\n')).to.deep.equal([
        `Denied: ${own} A. The company sees the reason.`,
        `Denied: ${own} C. The company sees the reason.`,
      ]);
      expect(has(await client.get(queue), '.notice'), 'the notice is shown once').to.equal(false);
    }
    for (const { acme } of [jobs[0], jobs[2]].map((job) => job ?? raise()))
      expect((await entriesOf(acme, 'job.denied')).map(({ details }) => details)).to.have.length(1);
    expect(await entriesOf(jobs[1]?.acme ?? raise(), 'job.denied')).to.deep.equal([]);
    const last = await decideAll(all, queue, selectableIn(await client.get(queue)), {
      do: 'deny',
      reason: 'Repetida.',
    });
    expect(textOf(await client.follow(last), '.notice')).to.include(`Denied: ${own} B`);
  });

  it('a partly refused denial can be undone from the page that keeps its reason', async () => {
    const { own, jobs, queue, list } = await waiting('A', 'B');
    await jobs[1]?.writer.patch(jobs[1].id, { salary_negotiable: true });
    const page = await decideAll(list, queue, selectableIn(list), { do: 'deny', reason: 'Repetida.' });
    const undone = await client.follow(await client.submit(page, '/review', { do: 'undo' }));
    expect(textOf(undone, '.notice')).to.equal(`Waits for review again: ${own} A.`);
    expect(await Promise.all(jobs.map(({ statusOf }) => statusOf()))).to.deep.equal(['pending', 'pending']);
  });

  it('six reviews take seven keys, and a mistake among them two', async () => {
    const own = `Fila ${randomUUID().slice(0, 8)}`;
    const { writer } = await newJob('production', { title: `${own} 0` });
    for (let n = 1; n < 6; n++) await writer.create({ ...minimalJob, title: `${own} ${n}` });
    let keys = 0;
    const press = async (page: Page, key: string): Promise<Page> => {
      keys += 1;
      const pressed = page.document.querySelector(`[accesskey=${key}]`) ?? raise();
      const form = pressed.closest('form');
      if (!form) return client.get(pressed.getAttribute('href') ?? raise());
      return client.follow(await client.submit(page, form.getAttribute('action') ?? raise()));
    };
    let page = await press(await client.get(`/review?text=${own.replace(' ', '+')}`), 'n');
    for (let n = 0; n < 6; n++) {
      if (n !== 3) page = await press(page, 'a');
      else {
        const next = await press(page, 'a');
        page = await press(next, 'u');
        expect(textOf(page, '.notice')).to.equal(`Waits for review again: ${own} 3.`);
        expect(textOf(page, '#review')).to.equal('Review: 4 of 6');
        page = await press(page, 'a');
      }
    }
    expect(textOf(page, '.notice p')).to.equal(`Approved and published: ${own} 5. It was the last one.`);
    expect(keys).to.equal(7 + 2);
    expect(textsOf(page, 'tbody th')).to.deep.equal([]);
  });

  it("an administrator undoes their own decision on the job's page, while nobody has changed the job", async () => {
    const { acme, writer, id, statusOf, adminPath: path } = await newJob();
    await client.submit(await client.get(path), `${path}/approve`);
    expect(has(await (await asAdministrator()).get(path), 'form[action$="/undo"]')).to.equal(false);
    const page = await client.get(path);
    expect(textOf(page, '[aria-current]')).to.equal('Jobs');
    // Sent again, it is undone already.
    const undone = await client.follow(await client.submit(page, `${path}/undo`));
    expect((await client.submit(page, `${path}/undo`)).status).to.equal(303);
    expect(textOf(undone, '.notice')).to.equal('Waits for review again: Eletricista.');
    expect([await statusOf(), textOf(undone, '[aria-current]')]).to.deep.equal(['pending', 'Review']);
    const events = ['Job created', 'Job approved', 'Job review undone'];
    expect(textsOf(undone, 'tbody td:nth-child(2)')).to.deep.equal(events);
    await client.submit(undone, `${path}/deny`, { reason: 'Engano.' });
    const denied = await client.get(path);
    await writer.patch(id, { title: 'Pintor' });
    await client.submit(await client.get(path), `${path}/approve`);
    const late = await client.submit(denied, `${path}/undo`);
    expect([late.status, textOf(late, '[role=alert]')]).to.deep.equal([422, stale]);
    expect(await entriesOf(acme, 'job.review_undone')).to.have.length(1);
  });

  it('the second of two reviewers keeps the typed reason and goes on with the next job; a changed job is read again first', async () => {
    const { jobs, list } = await waiting('A', 'B');
    const page = await client.get(linkIn(list, '[accesskey=n]'));
    const { ref, writer, id, adminPath: path } = jobs[0] ?? raise();
    const deny = () => client.submit(page, `${path}/deny`, { reason: 'Falta o <salário>.' });
    await writer.patch(id, { salary_negotiable: true });
    const refused = await deny();
    expect([refused.status, textOf(refused, '[role=alert]')]).to.deep.equal([422, stale]);
    expect(valueIn(refused, '#reason')).to.equal('Falta o <salário>.');
    for (const version of ['', 'x', '99999999999'])
      expect((await client.submit(page, `${path}/approve`, { version })).status, version).to.equal(422);
    await approveJob(actionContext(), ref);
    const late = await deny();
    expect([late.status, textOf(late, '[role=alert]')]).to.deep.equal([422, 'The job is active, not pending.']);
    expect(textOf(late, '.review [data-copy]')).to.equal('Falta o <salário>.');
    expect(textOf(late, '#decided')).to.match(/^Job approved: Operator.*, \d+ \w+ \d+, \d\d:\d\d \(/);
    const opened = await client.get(`${path}?seen=1`);
    for (const decided of [late, opened]) expect(has(decided, '.review [accesskey=s]')).to.equal(true);
    expect(has(late, 'form:is([action*="/approve"], [action*="/deny"])')).to.equal(false);
    expect(seen(await client.get(linkIn(late, '.review [accesskey=s]'))).slice(0, 2)).to.deep.equal(['B', '2 2']);
  });

  it('two reviewers go through sixty jobs at the same time, and no decision is refused', async () => {
    const own = `Fila ${randomUUID().slice(0, 8)}`;
    const { acme, id } = await newJob('production', { title: own });
    await db().$executeRaw`
      INSERT INTO jobs (company_id, environment, status, created_at, updated_at, title, body, contact_instructions, application_method)
      SELECT company_id, environment, status, created_at + n * interval '1 ms', updated_at, title || ' ' || n, body,
             contact_instructions, application_method
        FROM jobs, generate_series(1, 59) AS n WHERE company_id = ${acme.id} AND id = ${BigInt(id)}`;
    const queue = `/review?text=${encodeURIComponent(own)}`;
    const reviewers = [client, await asAdministrator()];
    const emails: string[] = [];
    const pages: Page[] = [];
    for (const reviewer of reviewers) {
      const list = await reviewer.get(queue);
      emails.push(textOf(list, '.person a').replace(/^.*: /, ''));
      pages.push(await reviewer.get(linkIn(list, '[accesskey=n]')));
    }
    /** The page after a redirect, or after several to a job that nobody has open. */
    const arrive = async (reviewer: PageClient, answer: Page): Promise<Page> =>
      answer.status === 303 ? arrive(reviewer, await reviewer.follow(answer)) : answer;
    const pathOf = (page: Page, selector: string) =>
      page.document.querySelector(selector)?.getAttribute('action') ?? '';
    const refused: string[] = [];
    const counts = [0, 0];
    /** Approves, denies or skips; in the queue begins again with what nobody else has open. Undefined if nothing is left. */
    const step = async (at: 0 | 1, n: number): Promise<Page | undefined> => {
      const [reviewer, page] = [reviewers[at] ?? raise(), pages[at] ?? raise()];
      const first = linkIn(page, '[accesskey=n]');
      if (!has(page, '#review')) return first === '' ? undefined : arrive(reviewer, await reviewer.get(first));
      if (n % 7 === 3 + at) return arrive(reviewer, await reviewer.get(linkIn(page, '[accesskey=s]')));
      const isDenial = n % 5 === at;
      const path = pathOf(page, isDenial ? '#deny' : 'form[action*="/approve"]');
      const typed = { shownAt: valueIn(page, '[name=shownAt]') ?? '', ...(isDenial && { reason: 'Falta o salário.' }) };
      const answer = await reviewer.submit(page, path, typed);
      if (answer.status !== 303) refused.push(`${path}: ${textOf(answer, '[role=alert]')}`);
      counts[at] = (counts[at] ?? 0) + 1;
      return arrive(reviewer, answer);
    };
    for (let n = 0; pages.length > 0 && n < 200; n++) {
      // In turn, and now and then at once, after a look at their pages.
      clock.aheadMs += unseenMs;
      const both = [() => step(0, n), () => step(1, n)];
      const shown = n % 4 === 0 ? await Promise.all(both.map((go) => go())) : [await both[0]?.(), await both[1]?.()];
      if (shown.every((page) => page === undefined)) break;
      for (const [at, page] of shown.entries()) if (page) pages[at] = page;
    }
    expect(refused).to.deep.equal([]);
    expect(await db().job.count({ where: { companyId: acme.id, status: 'pending' } })).to.equal(0);
    expect(counts.reduce((sum, count) => sum + count)).to.equal(60);
    expect(Math.min(...counts)).to.be.at.least(20);
    expect(emails[0]).to.not.equal(emails[1]);
  });

  it('a job that another reviewer decides about while it is being opened is not shown as waiting: the next one is', async () => {
    const { jobs, queue, list } = await waiting('A', 'B', 'C');
    const email = await newAdministrator();
    let isBetween = false;
    const slow = afterTheGate(async (query, text) => {
      if (isBetween && text.includes('INSERT INTO service_state')) {
        isBetween = false;
        const first = await client.get(linkIn(list, '[accesskey=n]'));
        const approved = await client.submit(first, `${jobs[0]?.adminPath.replace(/\?.*/, '')}/approve`);
        expect(seen(await client.follow(approved))[0]).to.equal('B');
      }
      return query();
    });
    const other = await PageClient.signedIn('administrator', email, await startApp({}, { db: slow }));
    const link = linkIn(await other.get(queue), '[accesskey=n]');
    isBetween = true;
    const answer = await other.get(link);
    expect([isBetween, answer.status]).to.deep.equal([false, 303]);
    expect(seen(await other.follow(answer)).slice(0, 2)).to.deep.equal(['C', '1 1']);
  });

  it('a job that another reviewer has open comes last and says so; five minutes later it is back in its place', async () => {
    const { own, jobs, queue, list } = await waiting('A', 'B', 'C');
    const other = await asAdministrator();
    const email = textOf(list, '.person a').replace(/^.*: /, '');
    await client.get(linkIn(list, '[accesskey=n]'));
    const names = (page: Page) =>
      textsOf(page, 'tbody th').map((text) => text.replace(`${own} `, '').replace(/: \d.*/, ''));
    const theirs = await other.get(queue);
    expect(names(theirs)).to.deep.equal(['B', 'C', `A Opened by ${email}`]);
    const all = await other.get(linkIn(theirs, 'a[href*="select=all"]'));
    expect(textsOf(all, 'tbody th:has(:checked)').map((text) => text.replace(`${own} `, ''))).to.deep.equal(['B', 'C']);
    expect(names(await other.get(`${queue}&sort=newest`))).to.deep.equal(['C', 'B', `A Opened by ${email}`]);
    expect(names(await client.get(queue))).to.deep.equal(['A', 'B', 'C']);
    const [first, second] = [jobs[0] ?? raise(), jobs[1] ?? raise()];
    // A job that is opened from elsewhere is shown, and stays with the first.
    expect(textOf(await other.get(first.adminPath), 'main')).to.include(`Opened by ${email}: `);
    expect(textOf(await client.get(first.adminPath), 'main')).to.not.include('Opened by');
    await later(5 * 60_000, async () => {
      expect(names(await other.get(queue))).to.deep.equal(['A', 'B', 'C']);
      const page = await other.get(`${first.adminPath}${queue.replace('/review', '')}`);
      // The link to the next job is older than the moment in which somebody else opens that.
      await client.get(second.adminPath);
      const ledOn = async () => {
        const led = await other.get(linkIn(page, '[accesskey=s]'));
        expect(led.status).to.equal(303);
        expect(seen(await other.follow(led)).slice(0, 2)).to.deep.equal(['C', '2 2']);
      };
      await ledOn();
      await approveJob(actionContext(), second.ref);
      await ledOn();
    });
  });

  it('the last page of a pass leads to the queue, also if only what others have open is left', async () => {
    const { queue, jobs, list } = await waiting('A', 'B');
    const other = await asAdministrator();
    const page = await client.get(linkIn(list, '[accesskey=n]'));
    const theirs = await other.get(linkIn(await other.get(queue), '[accesskey=n]'));
    expect(seen(theirs).slice(0, 2)).to.deep.equal(['B', '1 1']);
    const done = await client.submit(page, `${jobs[0]?.adminPath}/approve`);
    const end = await client.follow(done);
    expect(textOf(end, '.notice p')).to.match(/ A\. It was the last one\.$/);
    expect([textsOf(end, 'tbody th').length, has(end, '[accesskey=n]')]).to.deep.equal([1, false]);
  });

  it('a refused undo is on the page of its job, which leads on in the pass', async () => {
    const { jobs, list } = await waiting('A', 'B', 'C');
    const page = await client.get(linkIn(list, '[accesskey=n]'));
    const first = jobs[0] ?? raise();
    const next = await client.follow(await client.submit(page, `${first.adminPath}/approve`));
    await withdrawCompanyJob(actionContext(), first.ref);
    const refused = await client.submit(next, `${first.adminPath}/undo`);
    expect([refused.status, has(refused, '[role=alert]')]).to.deep.equal([422, true]);
    expect(seen(await client.get(linkIn(refused, '.review [accesskey=s]'))).slice(0, 1)).to.deep.equal(['B']);
  });

  // every-route.sampled.test.ts tests what every form keeps.
  it('a half-filled denial keeps its usual reason and its position in the pass in another language, and after its session has ended', async () => {
    const { adminPath: path, acme } = await newJob();
    await denyJob(actionContext(), { ...(await newJob()).ref, reason: 'Falta a área (m²).' });
    const typed = { reason: 'Falta o <salário>.', usual: 'Falta a área (m²).' };
    const page = await client.get(`${path}?seen=7&text=%C3%A9+100%25&sort=newest`);
    const email = textOf(page, '.person a').replace(/^.*: /, '');
    const expectKept = (shown: Page, status: number) => {
      expect([shown.status, textOf(shown, '#review').replace(/\D+(\d+).*/, '$1')]).to.deep.equal([status, '8']);
      expect([valueIn(shown, '#reason'), valueIn(shown, '[name=usual]:checked')]).to.deep.equal(Object.values(typed));
      const action = shown.document.querySelector('form[action*="/deny"]')?.getAttribute('action');
      expect(action?.split('?')[1]).to.equal('text=%C3%A9+100%25&sort=newest&seen=7');
    };
    const visitor = PageClient.copyOf(client);
    const portuguese = await visitor.submit(page, `${path}/deny`, { ...typed, language: 'pt' });
    expectKept(portuguese, 200);
    visitor.cookies.set('vaga_admin_session', 's%3Aended.x');
    const asked = await visitor.submit(portuguese, `${path}/deny`, typed);
    const english = await visitor.submit(asked, `${path}/deny`, { language: 'en' });
    const back = await visitor.submit(english, `${path}/deny`, { email, password });
    expectKept(back, 403);
    expect((await visitor.submit(back, `${path}/deny`, typed)).status).to.equal(303);
    const [entry] = await entriesOf(acme, 'job.denied');
    expect(entry?.details).to.include({ reason: `${typed.usual} ${typed.reason}` });
    visitor.cookies.set('vaga_admin_session', 's%3Aended.x');
    const again = await visitor.submit(back, `${path}/deny`, typed);
    const nul = { email, password, typed: 'reason=%00' };
    expect((await visitor.submit(again, `${path}/deny`, nul)).status).to.equal(400);
  });
});
