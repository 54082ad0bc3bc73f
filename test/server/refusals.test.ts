import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { makeSecret } from '../../src/domain/token.ts';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { listRequests, searchRequests } from '../../src/operations/requests/people/list-requests.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import {
  actionContext,
  admission,
  type CompanyOptions,
  db,
  later,
  newCompany,
  startWholeApp,
  type TestCompany,
} from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient } from '../helper/mcp-client.ts';
import { asPerson, PageClient } from '../helper/page-client.ts';
import { ask, head, raw } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

async function logged(options: CompanyOptions = {}) {
  const { log, lines } = recordedLog();
  const { server, settle } = await startWholeApp({}, { log });
  const acme = await newCompany(options);
  const requests = async (environment: Environment) => {
    await settle();
    return (await listRequests(actionContext(), { companyId: acme.id, environment })).items;
  };
  return { acme, server, settle, lines, requests };
}

const other = { sandbox: 'production', production: 'sandbox' } as const;
const issued = async (acme: TestCompany, environment: Environment) => (await acme.issue(environment, 'read')).secret;

async function suspended(acme: TestCompany, environment: Environment): Promise<string> {
  await suspendCompany(actionContext(), { companyId: acme.id });
  return issued(acme, environment);
}

/** Refusals for an issued credential. Its company's list has them; no limit bounds them, so ten a minute are kept. */
const rows: Record<string, [status: number, reason: string, secret: typeof issued, CompanyOptions?]> = {
  'a revoked credential': [401, 'credential', (acme, called) => acme.ended(called, 'revokedAt')],
  'an expired credential': [401, 'credential', (acme, called) => acme.ended(called, 'expiresAt')],
  'a credential of the other environment': [401, 'credential', (acme, called) => issued(acme, other[called])],
  'a plan without production': [403, 'plan', issued, { plan: 'Base' }],
  'a company that is not approved': [403, 'approval', issued, { approved: false }],
  'a suspended company': [403, 'permission', suspended],
};

describe('a company’s list of requests', () => {
  for (const [name, [status, reason, secretOf, options]] of Object.entries(rows))
    it(`has the refusals of ${name}, ten a minute`, async () => {
      const { acme, server, requests } = await logged(options);
      const secret = await secretOf(acme, 'production');
      await later(60_000 - (Date.now() % 60_000), async () => {
        await new RestClient(server, 'production', secret).get('/account');
        await new ModernMcpClient(server, 'production', secret).request('tools/list');
        for (let n = 0; n < 9; n++) await new McpClient(server, 'production', secret).request('tools/list');
      });
      const found = (await requests('production')).map((one) => [one.protocol, one.operation, one.status, one.reason]);
      const byMcp = Array(9).fill(['mcp', null, status, reason]);
      expect(found.reverse()).to.deep.equal([['rest', 'getAccount', status, reason], ...byMcp]);
      expect(await requests('sandbox')).to.deep.equal([]);
    });

  it('has no requests of strangers, who know no secret', async () => {
    const { acme, server, settle } = await logged();
    const count = async () => {
      await settle();
      return db().loggedRequest.count({ where: { companyId: acme.id } });
    };
    const before = await count();
    const secret = await acme.secret('sandbox', 'read');
    const madeUp = makeSecret({ companyId: acme.id, environment: 'sandbox' }, randomBytes(24));
    for (const token of [madeUp, `${secret.slice(0, -1)}x`, 'x', ''])
      for (const environment of ['sandbox', 'production'] as const) {
        await new RestClient(server, environment, token).get('/account');
        await new McpClient(server, environment, token).request('tools/list');
      }
    expect(await count()).to.equal(before);
  });

  it('names the contract’s fields in the caller’s words, and counts the others, in a small row', async () => {
    const { acme, server, requests } = await logged();
    const secret = await acme.secret('sandbox', 'write');
    const [rest, mcp] = [new RestClient(server, 'sandbox', secret), new McpClient(server, 'sandbox', secret)];
    const strange = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}`.padEnd(60, 'x'), 1]));
    const job = { ...minimalJob, title: '' };
    const unknown = Object.keys(strange).join('&');
    const rows: [call: () => Promise<unknown>, ...fields: string[]][] = [
      [() => rest.send('POST', '/jobs', { ...job, ...strange }), '20 unknown', 'Idempotency-Key', 'title'],
      [() => mcp.call('create_job', { job: { ...job, ...strange }, x: 1 }), '21 unknown', 'idempotency_key', 'title'],
      [() => rest.get('/jobs?status=x&sort=1&title=2'), '1 unknown', 'status', 'title'],
      [() => rest.get(`/jobs?${unknown}`), '20 unknown'],
      [() => rest.get(`/jobs?x&${unknown}`), 'query'],
      [() => mcp.call('create_job', { idempotency_key: 'k', job, x: 1, ...strange }), 'arguments', 'title'],
    ];
    for (const [call] of rows) await call();
    const found = await requests('sandbox');
    for (const { message } of found) expect(message ?? '').to.not.match(/xx|vaga_/);
    const fields = found.map((request) => [...request.fields].sort());
    expect(fields.reverse()).to.deep.equal(rows.map(([, ...expected]) => expected));
    const text = 'SELECT pg_column_size(r) AS bytes FROM request_log r WHERE company_id = $1 ORDER BY id';
    const sizes = await admission().rows<{ bytes: number }>({ text, values: [acme.id] });
    // Without its index entries.
    // Names and messages together are as long as the longest names at most.
    for (const { bytes } of sizes) expect(bytes).to.be.within(100, 300);
  });

  it('has each message that is not valid MCP, with its reason', async () => {
    const { acme, server, requests } = await logged();
    const secret = await acme.secret('sandbox', 'read');
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const unknown = { ...ping, method: 'tools/call', params: { name: 'x' } };
    await new McpClient(server, 'sandbox', secret).post([ping, unknown, 'x']);
    await new ModernMcpClient(server, 'sandbox', secret).request('x');
    const found = (await requests('sandbox')).map(({ operation, status, reason }) => [operation, status, reason]);
    expect(found).to.deep.equal([404, 400, 400].map((status) => [null, status, 'mcp_message']));
  });

  it('lets an operator find a request by id, without the company', async () => {
    const { acme, server, requests } = await logged();
    const reader = await acme.reader('sandbox', server);
    const { headers } = await reader.get('/jobs/1');
    await requests('sandbox');
    const requestId = String(headers['x-request-id']);
    const found = { companyId: acme.id, environment: 'sandbox', operation: 'getJob', status: 404, reason: 'job' };
    for (const given of [{}, { companyId: String(acme.id) }, { environment: 'sandbox' } as const])
      expect((await searchRequests(actionContext(), { text: requestId, ...given })).items[0]).to.deep.include(found);
    const companyId = String((await newCompany()).id);
    for (const given of [{ companyId }, { environment: 'production' } as const])
      expect((await searchRequests(actionContext(), { text: requestId, ...given })).items).to.deep.equal([]);
    const person = actionContext({ kind: 'user', id: 1n, companyId: acme.id, role: 'main' });
    await expectRefused('not_allowed', () => searchRequests(person, { text: requestId }));
  });
});

interface Sender {
  readonly server: Server;
  readonly acme: TestCompany;
  readonly secret: string;
}

const closing = 'Connection: close';
const asText = { 'Content-Type': 'text/plain', 'Idempotency-Key': 'k' };
const wrongForm = ['/credentials/issue', { label: 'x', currentPassword: 'x' }] as const;
const account = { name: 'get_account' };
const badJob = { name: 'get_job', arguments: { id: 1_000_000 } };
const batch = [account, badJob, { name: 'list_regions' }].map((params, id) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params,
}));
const rest = ({ server, secret }: Sender) => new RestClient(server, 'sandbox', secret);
const legacy = ({ server, secret }: Sender) => new McpClient(server, 'sandbox', secret);
const modern = ({ server, secret }: Sender) => new ModernMcpClient(server, 'sandbox', secret);
const anonymous = ({ server }: Sender) => new PageClient('company', server);
const person = ({ server, acme }: Sender, role: 'main' | 'sub') => asPerson(acme, role, server);

type Send = (sender: Sender) => Promise<unknown>;
/** The log line after each: protocol or route, operation, statuses, reason. Values not given here are absent. */
const lastLines: readonly [name: string, Send, line: string][] = [
  ['success', (at) => rest(at).get('/account'), 'rest getAccount 200'],
  ['404', (at) => rest(at).get('/jobs/1'), 'rest getJob 404 job'],
  ['404 of a path', (at) => rest(at).get('/x'), 'rest 404 path'],
  ['401', (at) => rest({ ...at, secret: 'x' }).get('/account'), 'rest getAccount 401 credential'],
  ['415', (at) => rest(at).send('POST', '/jobs', 'x', asText), 'rest createJob 415 media_type'],
  [
    '400 before Express',
    ({ server }) => raw(server, head('GET /v1/account HTTP/1.1', closing)),
    'rest 400 malformed_request',
  ],
  ['a tool’s 404', (at) => legacy(at).request('tools/call', badJob), 'mcp getJob 200 call 404 job'],
  ['a tool’s success', (at) => modern(at).request('tools/call', account), 'mcp getAccount 200 call 200'],
  ['the worst of a batch', (at) => legacy(at).post(batch), 'mcp getJob 200 call 404 job'],
  [
    'a tool that does not exist',
    (at) => legacy(at).request('tools/call', { name: 'x' }),
    'mcp 200 call 400 mcp_message',
  ],
  ['an unknown method of the modern era', (at) => modern(at).request('x'), 'mcp 404 call 404 mcp_message'],
  ['no MCP', ({ server }) => ask(server, 'GET /mcp', 'Host: 127.0.0.1'), 'mcp 405 method'],
  [
    'a page',
    async (at) => (await person(at, 'sub')).get('/jobs/sandbox/17'),
    '/dashboard/jobs/:environment/:job 404 path',
  ],
  [
    'a form',
    async (at) => (await person(at, 'main')).send(...wrongForm),
    '/dashboard/credentials/issue 422 invalid_input',
  ],
  ['a visitor', (at) => anonymous(at).get('/requests'), '/dashboard/requests 303'],
  ['no page', (at) => anonymous(at).get('/x'), '404 path'],
  ['a refused sign-in', (at) => anonymous(at).signIn('x@example.com'), '/dashboard/sign-in 422 sign_in'],
];

const textOf = ({ protocol, route, operation, status, callStatus, reason }: Record<string, unknown>): string =>
  [protocol, route, operation, status, callStatus && `call ${callStatus}`, reason].filter(Boolean).join(' ');

it('a line of the log has the operation or route, the call’s status and the reason', async () => {
  const { acme, server, lines } = await logged();
  const secret = await acme.secret('sandbox', 'write');
  for (const [name, send, expected] of lastLines) {
    await send({ server, acme, secret });
    expect(textOf(lines.at(-1) ?? {}), name).to.equal(expected);
  }
});
