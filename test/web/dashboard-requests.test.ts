import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { dayMs, minuteText } from '../../src/domain/dates.ts';
import { clock, db, later, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { asAdministrator, asPerson, has, linkIn, type Page, textOf, textsOf, valueIn } from '../helper/page-client.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const rows = 'section:not(figure section) tbody tr';

/** Protocol, operation and status of each row. */
const linesOf = ({ document }: Page): string[] =>
  [...document.querySelectorAll(rows)].map(({ children }) =>
    [2, 0, 3].map((column) => children[column]?.textContent).join(' '),
  );

/** The names and values of a request's page. */
const factsIn = ({ document }: Page) =>
  new Map([...document.querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]));

/** A company with logged requests over both protocols and in both environments. */
async function busyCompany() {
  const acme = await newCompany();
  const { server, settle } = await startWholeApp();
  const asWriter = await acme.writer('sandbox', server);
  const requestId = (await asWriter.create(minimalJob)).headers['x-request-id'];
  await asWriter.get('/jobs/1000000');
  const { credentialId, secret } = await acme.issue('sandbox', 'read');
  const asAgent = new McpClient(server, 'sandbox', secret);
  await asAgent.call('get_job', { id: 1_000_000 });
  await asAgent.request('tools/list');
  await (await acme.reader('production', server)).get('/account');
  await settle();
  const client = await asPerson(acme, 'sub');
  const get = (query = '') => client.get(`/requests?environment=sandbox&${query}`);
  return { acme, client, get, requestId, credentialId };
}

/** Logs a request that calls an operation of that name. */
const logAt = ({ id }: TestCompany, at: Date, operation: string, status = 200) =>
  db().loggedRequest.createMany({
    data: {
      ...{ companyId: id, environment: 'production', protocol: 'rest', credentialId: 1, latencyMs: 1 },
      ...{ at, operation, status, requestId: randomUUID() },
    },
  });

describe('the requests page', () => {
  let busy: Awaited<ReturnType<typeof busyCompany>>;
  before(async () => {
    busy = await busyCompany();
  });

  it('lists one environment, newest first, with time, protocol, operation, status and reason, credential and latency', async () => {
    const { client, get, requestId } = busy;
    const page = await get();
    expect(linesOf(page)).to.deep.equal([
      'MCP No operation 200',
      'MCP getJob 404 No such job',
      'REST getJob 404 No such job',
      'REST createJob 201',
    ]);
    const [, time, , , latency, credential] = textsOf(page, `${rows}:last-child > *`);
    expect(time).to.match(/^\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d \((now|\d+ \w+ ago)\)$/);
    expect(latency).to.match(/^\d+ ms$/);
    expect(credential).to.equal('test');
    expect(has(page, `a[href="/dashboard/requests/sandbox/${requestId}"]`)).to.equal(true);
    expect(linesOf(await client.get('/requests'))).to.deep.equal(['REST getAccount 200']);
  });

  it('a whole ID that the chosen environment does not have is looked up in the other one, for a request and for a job', async () => {
    const { acme, client, requestId } = busy;
    const found = await client.get(`/requests?text=${requestId}`);
    expect(textOf(found, 'main')).to.include('Found in sandbox: createJob');
    expect(textOf(await client.get(linkIn(found, 'main p a[href*="/requests/sandbox/"]')))).to.include(requestId);
    const { id } = await db().job.findFirstOrThrow({ where: { companyId: acme.id }, select: { id: true } });
    const job = await client.get(`/jobs?text=${id}`);
    expect(textOf(job, 'main')).to.include(`Found in sandbox: ${minimalJob.title}`);
    expect(linkIn(job, `main a[href="/dashboard/jobs/sandbox/${id}"]`)).to.not.equal('');
    for (const path of [
      `/jobs?text=${id}&environment=sandbox`,
      `/jobs?text=${minimalJob.title}`,
      `/requests?text=${randomUUID()}`,
    ])
      expect(textOf(await client.get(path), 'main'), path).to.not.include('Found in');
    const other = await asPerson(await newCompany());
    for (const path of [`/jobs?text=${id}`, `/requests?text=${requestId}`])
      expect(textOf(await other.get(path), 'main'), path).to.not.include('Found in');
  });

  it('filters by status or class, reason, operation, credential, protocol and id, orders, and ignores unknown values', async () => {
    const { get, credentialId, requestId } = busy;
    const all = linesOf(await get());
    const [tools = '', byTool = '', byRest = '', create = ''] = all;
    for (const [query, ...lines] of [
      ['status=404', byTool, byRest],
      ['status=2XX', tools, create],
      ['reason=job', byTool, byRest],
      ['reason=quota'],
      ['reason=nothing', ...all],
      ['operation=createJob', create],
      [`credentialId=${credentialId}`, tools, byTool],
      ['protocol=rest', byRest, create],
      ['protocol=rest&status=4xx&operation=getJob', byRest],
      [`text=${requestId}`, create],
      ['sort=oldest', ...all.toReversed()],
      ['operation=dropTable&protocol=ftp&credentialId=999999999&status=', ...all],
      ['status=201-404', byTool, byRest, create],
    ] as const)
      expect(linesOf(await get(query)), query).to.deep.equal(lines);
    for (const wrong of ['40', '4xx-2xx', '404-403'])
      expect(textOf(await get(`status=${wrong}`)), wrong).to.include('must be a status such as 404');
    const page = await get(`credentialId=${credentialId}&operation=getJob`);
    const chosen = ['environment', 'credentialId', 'operation'].map((id) => valueIn(page, `#${id}`));
    expect(chosen).to.deep.equal(['sandbox', String(credentialId), 'getJob']);
    expect(has(await get('text=nothing'), rows)).to.equal(false);
  });

  it('has a page for each request: its job, the answered message if it is in the contract, the refused fields, its id and trace', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    const asWriter = await acme.writer('sandbox', server);
    const asAgent = new McpClient(server, 'sandbox', await acme.secret('sandbox', 'write'));
    const key = freshKey();
    const { id } = (await asWriter.create(minimalJob, key)).body.data;
    await asWriter.create({ ...minimalJob, title: 'Outra' }, key);
    await asAgent.call('create_job', { idempotency_key: key, job: { ...minimalJob, title: 'Outra' } });
    await asWriter.create({ ...minimalJob, district_id: 999_999 });
    await asAgent.call('get_job', { id: 1_000_000 });
    await asWriter.get('/vaga_test_secret');
    await asWriter.send('PUT', '/jobs', minimalJob);
    await asAgent.request('tools/call', { name: 'vaga_test_secret', arguments: {} });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const odd = { ...minimalJob, title: '', 'strange\0\ud800<b>': 1, ['x'.repeat(5000)]: 1 };
    const trace = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const { headers } = await asWriter.send('POST', '/jobs', odd, trace);
    await settle();
    const client = await asPerson(acme);
    const list = await client.get('/requests?environment=sandbox&sort=oldest');
    const seen: unknown[] = [];
    const wrong: unknown[] = [];
    for (const link of list.document.querySelectorAll('tbody th a')) {
      const page = await client.get(link.getAttribute('href') ?? '');
      const facts = factsIn(page);
      const refused = facts
        .get('Refused fields')
        ?.trim()
        .split(/ (?!names|\d)/)
        .sort()
        .join(' ');
      seen.push([facts.get('Job'), facts.get('Answer'), refused]);
      wrong.push(facts.get('What is wrong'));
      if (seen.length === 9)
        expect(['Status', 'Request ID', 'Trace ID'].map((name) => facts.get(name))).to.deep.equal([
          ...['422 Invalid fields', headers['x-request-id'], traceId],
        ]);
      if (seen.length > 1) continue;
      const back = [...page.document.querySelectorAll('main a')].find((a) => a.textContent === 'Back to the requests');
      expect(back?.getAttribute('href')).to.equal('/dashboard/requests?environment=sandbox');
      expect(linkIn(page, 'a[href^="/docs#"]')).to.equal('/docs#tag/jobs/createJob');
      expect(linkIn(page, 'a[href^="/dashboard/jobs/"]')).to.equal(`/dashboard/jobs/sandbox/${id}`);
      expect(textsOf(page, 'code[data-copy]')).to.have.length(1);
    }
    const invalid = 'Some fields are not valid; details lists them.';
    const different = (name: string) =>
      `This ${name} created a job from different JSON (job_id): read that job and update it; use another key only for another job.`;
    expect(seen).to.deep.equal([
      [String(id), undefined, undefined],
      [String(id), different('Idempotency-Key'), 'title'],
      [String(id), different('idempotency_key'), 'title'],
      [undefined, invalid, 'district_id'],
      ['1000000', 'There is no such job.', undefined],
      [undefined, 'There is nothing at this path.', undefined],
      [undefined, 'This path does not have that method.', undefined],
      [undefined, undefined, undefined],
      [undefined, invalid, 'Idempotency-Key title unknown names: 2'],
    ]);
    expect(wrong.filter((text) => text !== undefined)).to.deep.equal([
      'district_id must be the id of a region',
      'title must have at least 1 character\nIdempotency-Key is required',
    ]);
  });

  it('shows nothing of another company, not even by its credential, and nothing after seven days', async () => {
    const { acme, credentialId, requestId } = busy;
    const stranger = await asPerson(await newCompany());
    const page = await stranger.get(`/requests?environment=sandbox&credentialId=${credentialId}`);
    expect(linesOf(page)).to.deep.equal([]);
    expect(textOf(page, 'main'), 'what to do').to.contain('Issue a credential');
    expect(page.document.querySelectorAll('#credentialId option')).to.have.length(1);
    for (const path of [`/requests/sandbox/${requestId}`, '/requests/sandbox/1', `/requests/nowhere/${requestId}`])
      expect((await stranger.get(path)).status, path).to.equal(404);
    await later(7 * 86_400_000 + 60_000, async () => {
      const own = await (await asPerson(acme)).get('/requests?environment=sandbox');
      expect([own.status, linesOf(own)]).to.deep.equal([200, []]);
    });
  });

  it('filters by minutes of the service, both inclusive, and shows the time also on phones', async () => {
    const acme = await newCompany();
    const at = new Date(clock.now().getTime() - 3_600_000);
    at.setUTCSeconds(0, 0);
    for (const [seconds, name] of [
      [-1, 'before'],
      [0, 'first'],
      [59, 'last'],
      [60, 'after'],
    ] as const)
      await logAt(acme, new Date(at.getTime() + seconds * 1000), name);
    const minute = minuteText('Europe/Lisbon', at);
    const client = await asPerson(acme);
    const found = async (query: string) => {
      const page = await client.get(`/requests?${new URLSearchParams(query)}&sort=oldest`);
      return textsOf(page, `${rows} th`).join(' ');
    };
    expect(await found(`from=${minute}&to=${minute}`)).to.equal('first last');
    expect(await found(`from=${minute}`)).to.equal('first last after');
    expect(await found(`to=${minute.replace('T', ' ')}`)).to.equal('before first last');
    const utc = `${at.toISOString().slice(0, 16)}Z`;
    expect(await found(`from=${utc}&to=${utc}`)).to.equal('first last');
    const page = await client.get(`/requests?from=${minute}&to=${utc}`);
    const fields = ['from', 'to'].map((name) => page.document.querySelector(`#${name}`));
    expect(fields.map((field) => field?.getAttribute('type'))).to.deep.equal(['datetime-local', 'text']);
    expect(fields.map((field) => field?.getAttribute('value'))).to.deep.equal([minute, utc]);
    expect(textOf(page, '#from-hint')).to.equal('Lisbon time.');
    expect(has(page, `${rows} td time > .exact`)).to.equal(true);
    for (const [query, name, message] of [
      ['from=soon', 'from', 'YYYY-MM-DDTHH:MM'],
      ['from=2026-02-30T10:42', 'from', 'YYYY-MM-DDTHH:MM'],
      ['to=9999-12-31T10:42', 'to', 'YYYY-MM-DDTHH:MM'],
      [`from=${minute}&to=2001-01-01T00:00`, 'to', 'before the beginning'],
    ] as const) {
      const refused = await client.get(`/requests?${query}`);
      expect([refused.status, textOf(refused, `#${name}-error`)].join(' '), query)
        .to.match(/^422 /)
        .and.contain(message);
      expect(has(refused, `#${name}[value="${new URLSearchParams(query).get(name)}"]`), query).to.equal(true);
    }
  });

  it('finds both hours that the clocks show twice, leads to each, and refuses one that they skip', async () => {
    const acme = await newCompany();
    const [skipped, repeated] = [new Date('2027-03-28T01:30:00Z'), new Date('2027-10-31T00:30:00Z')];
    const hour = 3_600_000;
    await later(repeated.getTime() + 2 * hour - clock.now().getTime(), async () => {
      await logAt(acme, repeated, 'summer');
      await logAt(acme, new Date(repeated.getTime() + hour), 'winter');
      const client = await asPerson(acme);
      const found = async (query: string) =>
        textsOf(await client.get(`/requests?${query}&sort=oldest`), `${rows} th`).join(' ');
      expect(await found('from=2027-10-31T01:30&to=2027-10-31T01:30')).to.equal('summer winter');
      expect(await found('from=2027-10-31T00:30Z&to=2027-10-31T00:30Z')).to.equal('summer');
      expect(await found('from=2027-10-31T01:30%2B00:00&to=2027-10-31T01:30%2B00:00')).to.equal('winter');
    });
    await later(skipped.getTime() + 2 * hour - clock.now().getTime(), async () => {
      const page = await (await asPerson(acme, 'sub')).get('/requests?from=2027-03-28T01:30');
      expect([page.status, textOf(page, '#from-error')]).to.deep.equal([
        422,
        'From must be a time that the clocks show; they skip this one.',
      ]);
    });
  });

  it('leads from each bar and name of its charts, and from their tables, to exactly what these count', async () => {
    const { acme, get } = await busyCompany();
    for (const [status, name] of [
      [499, 'unanswered'],
      [498, 'refused'],
      [500, 'failed'],
      [302, 'moved'],
    ] as const)
      await logAt(acme, new Date(clock.now().getTime() - 26 * 3_600_000), name, status);
    const client = await asPerson(acme);
    let followed = 0;
    for (const page of [await client.get('/'), await client.get('/requests'), await get()])
      for (const figure of page.document.querySelectorAll('figure:has(svg[role=group])'))
        for (const link of figure.querySelectorAll('svg a, td a')) {
          const text = link.querySelector('title')?.textContent ?? link.textContent ?? '';
          const count = Number(/^(?:.*?: )?(\d+)(?: [A-Z]|$)/.exec(text)?.[1]);
          const address = link.getAttribute('href') ?? '';
          expect(linesOf(await client.get(address)), `${text} ${address}`).to.have.length(count);
          followed += 1;
        }
    expect(followed).to.be.at.least(12);
    const legend = [...(await client.get('/requests')).document.querySelectorAll('figure .hstack a')];
    const counts: number[] = [];
    for (const link of legend) counts.push(linesOf(await client.get(link.getAttribute('href') ?? '')).length);
    expect(counts).to.deep.equal([2, 1, 2]);
  });

  it('are ordered by time, whichever process wrote them first, and paged correctly even within one millisecond', async () => {
    const acme = await newCompany();
    const [early, late] = [60_000, 30_000].map((ago) => new Date(clock.now().getTime() - ago));
    const entry = { companyId: acme.id, environment: 'sandbox', protocol: 'rest', status: 200 } as const;
    const add = (at = new Date(), count = 0) => {
      const own = () => ({ ...entry, at, requestId: randomUUID(), credentialId: 1, latencyMs: 1 });
      return db().loggedRequest.createMany({ data: Array.from({ length: count }, own) });
    };
    await add(late, 70);
    await add(early, 70);
    const client = await asPerson(acme);
    for (const [sort, first] of [
      ['newest', late],
      ['oldest', early],
    ] as const) {
      const times: (string | null)[] = [];
      const links = new Set<string | null>();
      for (let at = `/requests?environment=sandbox&status=200&sort=${sort}`; at; ) {
        const page = await client.get(at);
        expect(valueIn(page, '#status')).to.equal('200');
        times.push(...[...page.document.querySelectorAll(`${rows} time`)].map((time) => time.getAttribute('datetime')));
        for (const link of page.document.querySelectorAll(`${rows} th a`)) links.add(link.getAttribute('href'));
        at = linkIn(page, 'a[rel=next]');
      }
      expect([times.length, links.size], sort).to.deep.equal([140, 140]);
      expect(times.indexOf((first === late ? early : late)?.toISOString() ?? ''), sort).to.equal(70);
    }
  });

  it('continue at the oldest request if those of the page before are no longer shown', async () => {
    const acme = await newCompany();
    const hour = 3_600_000;
    const first = clock.now().getTime() - 7 * dayMs + hour;
    for (let n = 0; n < 60; n++) await logAt(acme, new Date(first + (n < 50 ? 0 : 2 * hour)), `n${n}`);
    const client = await asPerson(acme);
    const next = linkIn(await client.get('/requests?sort=oldest'), 'a[rel=next]');
    await later(2 * hour, async () => expect(linesOf(await client.get(next))).to.have.length(10));
  });
});

describe("the administration's requests", () => {
  it('lists refused requests of all companies, by reason, company, minute and id, or all of one company, and links to their pages', async () => {
    const { acme, requestId } = await busyCompany();
    const other = await busyCompany();
    const administrator = await asAdministrator();
    const found = async (query: string) => {
      const page = await administrator.get(`/requests?${query}`);
      expect(page.status, query).to.equal(200);
      const isOfAll = !/^(companyId|text)=/.test(query);
      expect(textOf(page, 'main').includes('Showing refused requests.'), query).to.equal(isOfAll);
      return [...page.document.querySelectorAll('tbody th a')].map((link) => link.getAttribute('href') ?? '');
    };
    const base = `/admin/requests/${acme.id}`;
    const company = `companyId=${acme.id}`;
    expect((await found('reason=job')).length).to.be.at.least(4);
    expect(await found('status=2xx'), 'only refused ones').to.deep.equal([]);
    for (const [query, count] of [
      [company, 5],
      [`${company}&environment=production`, 1],
      [`${company}&reason=job`, 2],
      [`${company}&reason=quota`, 0],
      [`${company}&operation=getJob`, 2],
      [`${company}&protocol=mcp`, 2],
      [`${company}&from=2001-01-01T10:42`, 5],
      [`${company}&to=2001-01-01T10:42`, 0],
      [`text=${requestId}`, 1],
    ] as const) {
      const links = await found(query);
      expect(links, query).to.have.length(count);
      for (const link of links) expect(link.startsWith(base), link).to.equal(true);
    }
    const page = await administrator.get(`${base}/sandbox/${requestId}`);
    const facts = factsIn(page);
    expect([facts.get('Operation'), facts.get('Request ID')]).to.deep.equal(['createJob', requestId]);
    const { name } = await db().company.findUniqueOrThrow({ where: { id: acme.id } });
    const names = ['Company', 'Environment', 'Method and path'];
    expect(names.map((fact) => facts.get(fact))).to.deep.equal([name, 'Sandbox', 'POST /sandbox/v1/jobs']);
    expect(facts.get('To send it again')).to.match(
      /^curl -i -X POST 'http:.*[/]sandbox[/]v1[/]jobs' -H "Authorization: Bearer \$TOKEN" -H "Idempotency-Key: \$KEY" -H .* -d @body.json$/,
    );
    const like = linkIn(page, 'main article a[href^="/admin/requests?"]');
    expect(Object.fromEntries(new URLSearchParams(like.split('?')[1]))).to.deep.equal({
      ...{ companyId: String(acme.id), environment: 'sandbox', operation: 'createJob', status: '201' },
    });
    expect(
      [...(await administrator.get(like)).document.querySelectorAll('tbody th a')].map((link) =>
        link.getAttribute('href'),
      ),
    ).to.include(`${base}/sandbox/${requestId}`);
    const [asked = ''] = await found(`${company}&protocol=mcp&operation=getJob`);
    expect(factsIn(await administrator.get(asked)).get('To send the same over REST')).to.match(
      /^curl -i -X GET 'http:.*[/]sandbox[/]v1[/]jobs[/]1000000' -H "Authorization: Bearer \$TOKEN"$/,
    );
    const { status } = await administrator.get(linkIn(page, 'a[href^="/admin/companies/"]'));
    expect(status).to.equal(200);
    for (const path of [
      `/requests/${other.acme.id}/sandbox/${requestId}`,
      `/requests/${acme.id}/production/${requestId}`,
    ])
      expect((await administrator.get(path)).status, path).to.equal(404);
    const shown = await administrator.get(`/companies/${acme.id}`);
    const links = [...shown.document.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
    const lists = [`/admin/requests?${company}&environment=sandbox`, `/admin/audit?companyId=${acme.id}`];
    expect(links).to.include.members(lists);
    expect(has(await administrator.get('/'), 'a[href="/admin/requests?reason=job"]')).to.equal(true);
  });

  it('lead from a call, such as "Padaria X, create failed at 10:42", to the request with four clicks', async () => {
    const word = `Padaria${process.pid}`;
    const bakery = await newCompany({ name: `${word} Conceição` });
    const other = await newCompany({ name: `${word} do Sol` });
    const { server, settle } = await startWholeApp();
    const from = minuteText('Europe/Lisbon', clock.now());
    for (const company of [bakery, other])
      for (const title of ['', 'Padeiro'])
        await (await company.writer('production', server)).create({ ...minimalJob, title });
    await settle();
    const client = await asAdministrator();
    const filter = (page: Page, companyId: string): Promise<Page> => {
      const typed = { companyId, from, to: minuteText('Europe/Lisbon', clock.now()) };
      for (const name of Object.keys(typed)) expect(has(page, `search #${name}`), name).to.equal(true);
      return client.get(`/requests?${new URLSearchParams(typed)}`);
    };
    const list = await client.get(linkIn(await client.get('/'), 'nav a[href="/admin/requests"]'));
    const asked = await filter(list, word);
    const both = `${word} Conceição .${bakery.id}., ${word} do Sol .${other.id}.`;
    expect(textOf(asked, '#companyId-error')).to.match(new RegExp(`^Company must be one of 2 companies: ${both}[.]$`));
    const found = await filter(asked, `${word} CONCEICAO`);
    expect([asked.status, linesOf(found).length]).to.deep.equal([422, 2]);
    const page = await client.get(linkIn(found, 'tbody tr:has([data-variant=warning]) th a'));
    expect(factsIn(page).get('Status')).to.equal('422 Invalid fields');
  });

  it('find a company by its ID, or by the whole of its name, also if other names contain it, and none is refused, as jobs and the audit trail do', async () => {
    const name = `Oficina${process.pid}`;
    const [exact, longer] = [await newCompany({ name }), await newCompany({ name: `${name} do Porto` })];
    const { server, settle } = await startWholeApp();
    for (const company of [exact, longer]) {
      await logAt(company, clock.now(), `of${company.id}`);
      await (await company.writer('production', server)).create({ ...minimalJob, title: `of${company.id}` });
    }
    await settle();
    const client = await asAdministrator();
    // A time also says how long ago it was, which may differ between two requests.
    const cellsIn = async (path: string, query: Record<string, string>) =>
      textsOf(await client.get(`${path}?${new URLSearchParams(query)}`), 'tbody tr > :not(:has(time))');
    for (const path of ['/requests', '/jobs', '/audit']) {
      const own = await cellsIn(path, { companyId: String(exact.id) });
      expect(own.join(), path)
        .to.include(path === '/audit' ? name : `of${exact.id}`)
        .and.not.include('Porto');
      for (const companyId of [name.toUpperCase(), name])
        expect(await cellsIn(path, { companyId }), `${path} ${companyId}`).to.deep.equal(own);
      const unknown = await client.get(`${path}?companyId=Nenhuma${process.pid}`);
      const message = textOf(unknown, '#companyId-error');
      expect(message, path).to.equal('Company must be a company: no name has these words.');
    }
  });
});
