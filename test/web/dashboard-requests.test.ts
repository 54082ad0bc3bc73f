import { expect } from 'chai';
import { later, newCompany, startWholeApp } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { asPerson, has, linkIn, type Page, textOf, textsOf, valueIn } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const rows = 'section:not(figure section) tbody tr';

/** Protocol, operation and status of each row. */
const linesOf = ({ document }: Page): string[] =>
  [...document.querySelectorAll(rows)].map(({ children }) =>
    [2, 1, 3].map((column) => children[column]?.textContent).join(' '),
  );

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

describe('the requests page', () => {
  it('lists one environment, newest first, with time, protocol, operation, status and reason, credential and latency', async () => {
    const { client, get, requestId } = await busyCompany();
    const page = await get();
    expect(linesOf(page)).to.deep.equal([
      'MCP No operation 200',
      'MCP getJob 404 No such job',
      'REST getJob 404 No such job',
      'REST createJob 201',
    ]);
    const [time, , , , latency, credential] = textsOf(page, `${rows}:last-child > *`);
    expect(time).to.match(/^\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d$/);
    expect(latency).to.match(/^\d+ ms$/);
    expect(credential).to.equal('test');
    expect(has(page, `a[href="/dashboard/requests/sandbox/${requestId}"]`)).to.equal(true);
    expect(linesOf(await client.get('/requests'))).to.deep.equal(['REST getAccount 200']);
  });

  it('filters by status or class, operation, credential, protocol and id, orders, and ignores unknown values', async () => {
    const { get, credentialId, requestId } = await busyCompany();
    const all = linesOf(await get());
    const [tools = '', byTool = '', byRest = '', create = ''] = all;
    for (const [query, ...lines] of [
      ['status=404', byTool, byRest],
      ['status=2XX', tools, create],
      ['operation=createJob', create],
      [`credentialId=${credentialId}`, tools, byTool],
      ['protocol=rest', byRest, create],
      ['protocol=rest&status=4xx&operation=getJob', byRest],
      [`text=${requestId}`, create],
      ['sort=oldest', ...all.toReversed()],
      ['operation=dropTable&protocol=ftp&credentialId=999999999&status=', ...all],
    ] as const)
      expect(linesOf(await get(query)), query).to.deep.equal(lines);
    const page = await get(`credentialId=${credentialId}&operation=getJob`);
    const chosen = ['environment', 'credentialId', 'operation'].map((id) => valueIn(page, `#${id}`));
    expect(chosen).to.deep.equal(['sandbox', String(credentialId), 'getJob']);
    expect(has(await get('text=nothing'), rows)).to.equal(false);
  });

  it('opens a request with its reason, the fields of a 422, its id and its trace, and none of another company', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const body = { ...minimalJob, title: '', 'strange\0\ud800<b>': 1, ['x'.repeat(5000)]: 1 };
    const trace = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const { headers } = await (await acme.writer('sandbox', server)).send('POST', '/jobs', body, trace);
    await settle();
    const id = headers['x-request-id'];
    const page = await (await asPerson(acme, 'sub')).get(`/requests/sandbox/${id}`);
    const facts = new Map(
      [...page.document.querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
    expect(facts.get('Status')).to.equal('422 Invalid fields');
    const [unknown, ...names] =
      facts
        .get('Refused fields')
        ?.split(/ (?!names|\d)/)
        .toReversed() ?? [];
    expect([unknown, ...names.sort()]).to.deep.equal(['unknown names: 2', 'Idempotency-Key', 'title']);
    expect([facts.get('Request ID'), facts.get('Trace ID')]).to.deep.equal([id, traceId]);
    const stranger = await asPerson(await newCompany());
    for (const path of [`/requests/sandbox/${id}`, '/requests/sandbox/1', `/requests/nowhere/${id}`])
      expect((await stranger.get(path)).status, path).to.equal(404);
  });

  it('shows nothing of another company, not even by its credential, and nothing after seven days', async () => {
    const { acme, credentialId } = await busyCompany();
    const stranger = await asPerson(await newCompany());
    const page = await stranger.get(`/requests?environment=sandbox&credentialId=${credentialId}`);
    expect(linesOf(page)).to.deep.equal([]);
    expect(textOf(page, 'main'), 'what to do').to.contain('Issue a credential');
    expect(page.document.querySelectorAll('#credentialId option')).to.have.length(1);
    await later(7 * 86_400_000 + 60_000, async () => {
      const own = await (await asPerson(acme)).get('/requests?environment=sandbox');
      expect([own.status, linesOf(own)]).to.deep.equal([200, []]);
    });
  });

  it('leads to older requests and keeps the filter', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    const asReader = await acme.reader('sandbox', server);
    await asReader.get('/jobs/1');
    for (let n = 0; n < 50; n++) await asReader.get('/jobs/1000000');
    await asReader.get('/account');
    await settle();
    const client = await asPerson(acme, 'sub');
    const first = await client.get('/requests?environment=sandbox&status=404');
    expect(linesOf(first)).to.have.length(50);
    const older = await client.get(linkIn(first, 'a[rel=next]'));
    expect(linesOf(older)).to.deep.equal(['REST getJob 404 No such job']);
    expect([linkIn(older, 'a[rel=next]'), valueIn(older, '#status')]).to.deep.equal(['', '404']);
  });
});
