import { expect } from 'chai';
import { clock, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { newUser, type Page, PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const signedIn = async (company: TestCompany) => PageClient.signedIn('company', await newUser(company, 'sub'));

/** Protocol, operation and status of each row. */
const linesOf = ({ document }: Page): string[] =>
  [...document.querySelectorAll('section:not(figure section) tbody tr')].map(({ children }) =>
    [2, 1, 3].map((column) => children[column]?.textContent).join(' '),
  );

/** A company with logged requests over both protocols and in both environments. */
async function busyCompany() {
  const acme = await newCompany();
  const { server, settle } = await startWholeApp();
  const asWriter = await acme.writer('sandbox', server);
  const created = await asWriter.create(minimalJob);
  await asWriter.get('/jobs/1000000');
  const { credentialId, secret } = await acme.issue('sandbox', 'read');
  const asAgent = new McpClient(server, 'sandbox', secret);
  await asAgent.call('get_job', { id: 1_000_000 });
  await asAgent.request('tools/list');
  await (await acme.reader('production', server)).get('/account');
  await settle();
  return { acme, created, credentialId };
}

describe('the requests page', () => {
  it('lists one environment, newest first, with time, protocol, operation, status and reason, credential and latency', async () => {
    const { acme, created } = await busyCompany();
    const client = await signedIn(acme);
    const page = await client.get('/requests?environment=sandbox');
    expect(page.status).to.equal(200);
    expect(linesOf(page)).to.deep.equal([
      'MCP No operation 200',
      'MCP getJob 404 No such job',
      'REST getJob 404 No such job',
      'REST createJob 201',
    ]);
    const last = [...page.document.querySelectorAll('section:not(figure section) tbody tr:last-child > *')].map(
      (cell) => cell.textContent,
    );
    expect(last[0]).to.match(/^\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d$/);
    expect(last[4]).to.match(/^\d+ ms$/);
    expect(last[5]).to.equal('test');
    const requestId = created.headers['x-request-id'];
    expect(page.document.querySelector(`a[href="/dashboard/requests/sandbox/${requestId}"]`)).not.to.equal(null);
    expect(linesOf(await client.get('/requests'))).to.deep.equal(['REST getAccount 200']);
    const links = [...page.document.querySelectorAll('nav.pages a')].map((link) => link.textContent);
    expect(links.slice(2, 4)).to.deep.equal(['Jobs', 'Requests']);
  });

  it('filters by status or class, operation, credential and protocol, and ignores unknown values', async () => {
    const { acme, credentialId } = await busyCompany();
    const client = await signedIn(acme);
    const lines = async (query: string) => linesOf(await client.get(`/requests?environment=sandbox&${query}`));
    expect(await lines('status=404')).to.deep.equal(['MCP getJob 404 No such job', 'REST getJob 404 No such job']);
    expect(await lines('status=2XX')).to.deep.equal(['MCP No operation 200', 'REST createJob 201']);
    expect(await lines('operation=createJob')).to.deep.equal(['REST createJob 201']);
    expect(await lines(`credentialId=${credentialId}`)).to.deep.equal([
      'MCP No operation 200',
      'MCP getJob 404 No such job',
    ]);
    expect(await lines('protocol=rest')).to.have.length(2);
    expect(await lines('protocol=rest&status=4xx&operation=getJob')).to.deep.equal(['REST getJob 404 No such job']);
    expect(await lines('operation=dropTable&protocol=ftp&credentialId=999999999&status=')).to.have.length(4);
    const page = await client.get(`/requests?environment=sandbox&credentialId=${credentialId}&operation=getJob`);
    const chosen = (id: string) => page.document.querySelector<HTMLSelectElement>(`#${id}`)?.value;
    expect([chosen('environment'), chosen('credentialId'), chosen('operation')]).to.deep.equal([
      'sandbox',
      String(credentialId),
      'getJob',
    ]);
  });

  it('opens a request with its reason, the fields of a 422, its id and its trace, and none of another company', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    const writer = await acme.writer('sandbox', server);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { headers } = await writer.send(
      'POST',
      '/jobs',
      { ...minimalJob, title: '', 'strange\0\ud800<b>': 1, ['x'.repeat(5000)]: 1 },
      { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    );
    await settle();
    const id = headers['x-request-id'];
    const page = await (await signedIn(acme)).get(`/requests/sandbox/${id}`);
    expect(page.status).to.equal(200);
    const facts = new Map(
      [...page.document.querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
    expect([...facts.keys()].slice(1, 4)).to.deep.equal(['Operation', 'Protocol', 'Status']);
    expect(facts.get('Status')).to.equal('422 Invalid fields');
    const fields = facts.get('Refused fields')?.trim().split(' ').sort();
    expect(fields).to.deep.equal(['Idempotency-Key', 'strange??<b>', 'title', 'x'.repeat(60)]);
    expect([facts.get('Request ID'), facts.get('Trace ID')]).to.deep.equal([id, traceId]);
    const stranger = await signedIn(await newCompany());
    for (const path of [`/requests/sandbox/${id}`, '/requests/sandbox/1', `/requests/nowhere/${id}`])
      expect((await stranger.get(path)).status, path).to.equal(404);
  });

  it('shows nothing of another company, not even by its credential, and nothing after seven days', async () => {
    const { credentialId, acme } = await busyCompany();
    const stranger = await signedIn(await newCompany());
    const page = await stranger.get(`/requests?environment=sandbox&credentialId=${credentialId}`);
    expect(textOf(page, 'main')).to.contain('No requests in sandbox in the last 7 days. Issue a credential');
    expect(page.document.querySelectorAll('#credentialId option')).to.have.length(1);
    clock.aheadMs = 7 * 86_400_000 + 60_000;
    try {
      expect(linesOf(await (await signedIn(acme)).get('/requests?environment=sandbox'))).to.deep.equal([]);
    } finally {
      clock.aheadMs = 0;
    }
  });

  it('an invalid status is an error beside its field, and the form keeps its values', async () => {
    const client = await signedIn(await newCompany());
    const page = await client.get('/requests?environment=sandbox&protocol=mcp&status=%3Cb%3E6xx');
    expect(page.status).to.equal(422);
    expect(textOf(page, '#status-error')).to.contain('Status must be a status such as 404');
    expect(page.document.querySelector<HTMLInputElement>('#status')?.value).to.equal('<b>6xx');
    expect(page.document.querySelector('#status')?.getAttribute('aria-invalid')).to.equal('true');
    expect(page.document.querySelector<HTMLSelectElement>('#protocol')?.value).to.equal('mcp');
    expect(linesOf(page)).to.deep.equal([]);
  });

  it('leads to older requests and keeps the filter', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    const asReader = await acme.reader('sandbox', server);
    await asReader.get('/jobs/1');
    for (let n = 0; n < 50; n++) await asReader.get('/jobs/1000000');
    await asReader.get('/account');
    await settle();
    const client = await signedIn(acme);
    const first = await client.get('/requests?environment=sandbox&status=404');
    expect(linesOf(first)).to.have.length(50);
    const older = await client.get(first.document.querySelector('a[rel=next]')?.getAttribute('href') ?? '');
    expect(linesOf(older)).to.deep.equal(['REST getJob 404 No such job']);
    expect(older.document.querySelector('a[rel=next]')).to.equal(null);
    expect(older.document.querySelector<HTMLInputElement>('#status')?.value).to.equal('404');
  });

  it('says what to do when nothing matches', async () => {
    const page = await (await signedIn(await newCompany())).get('/requests?status=5xx');
    expect(page.status).to.equal(200);
    expect(textOf(page, 'main')).to.contain('Nothing found. Change the filter');
  });
});
