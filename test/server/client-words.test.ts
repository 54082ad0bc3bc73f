import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { makeSecret } from '../../src/domain/token.ts';
import { openLog } from '../../src/log.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { admission, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient, modernHeaders, modernMeta } from '../helper/mcp-client.ts';
import { newUser, PageClient, password, tokenIn } from '../helper/page-client.ts';
import { freshKey, type Headers } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';

/** Copies of a value with the word at each place: in place of every value, and as an additional name in every object. */
function* withWord(value: unknown, word: Word, place = ''): Generator<unknown> {
  yield word(place);
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { ...value, [word(`${place}.*`)]: 1 };
  for (const [name, inner] of Object.entries(value))
    for (const other of withWord(inner, word, place === '' ? name : `${place}.${name}`))
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
}

const headerNames = (
  'Accept Accept-Language Baggage Content-Type Cookie Forwarded Host Idempotency-Key If-Match If-None-Match Mcp-Method Mcp-Name ' +
  'MCP-Protocol-Version Mcp-Session-Id Origin Referer traceparent tracestate User-Agent Via X-API-Key X-Forwarded-For ' +
  'X-Forwarded-Proto X-Request-Id X-Simulate'
).split(' ');

type Word = (place: string) => string;

async function* rest(at: Server, acme: TestCompany, word: Word): AsyncGenerator<unknown> {
  const client = await acme.writer('sandbox', at);
  const { body } = await client.create(minimalJob);
  const job = `/jobs/${body.data.id}`;
  for (const [method, path] of [
    ['GET', `/${word('path')}`],
    ['GET', `/jobs/${word('path of a job')}`],
    ['DELETE', `/jobs/${word('path of a withdrawal')}/${word('longer path')}`],
    ['GET', `/jobs?${word('query name')}`],
    ['GET', `/account?x=${word('query value')}#${word('fragment')}`],
    ...['status', 'page', 'per_page', 'updated_since', 'cursor'].map((name) => ['GET', `/jobs?${name}=${word(name)}`]),
  ])
    yield client.send(String(method), String(path));
  for (const [name, value] of headersWith(word)) yield client.send('GET', '/account', undefined, { [name]: value });
  for (const [name, value] of headersWith(word))
    yield client.send('POST', '/jobs', minimalJob, { 'Idempotency-Key': freshKey(), [name]: value });
  for (const sent of withWord(fullJob(), word)) yield client.create(sent);
  for (const sent of withWord({ title: 'Pedreiro' }, word)) yield client.patch(job.slice('/jobs/'.length), sent);
  yield client.create(`{"${word('broken JSON')}`);
  for (const authorization of [`Bearer ${word('unknown token')}`, `Basic ${word('other scheme')}`])
    yield client.send('GET', '/account', undefined, { Authorization: authorization });
}

const headersWith = (word: Word) => [
  ...headerNames.map((name) => [name, word(name)] as const),
  [word('header name'), '1'] as const,
];

const creation = (_meta: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { _meta, name: 'create_job', arguments: { idempotency_key: 'KEY', job: minimalJob } },
});
const keyed = (message: unknown): string => JSON.stringify(message).replace('"KEY"', JSON.stringify(freshKey()));
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

async function* legacy(at: Server, acme: TestCompany, word: Word): AsyncGenerator<unknown> {
  const client = new McpClient(at, 'sandbox', await acme.secret('sandbox', 'write'));
  for (const sent of withWord(creation({ traceparent: 'none' }), word)) yield client.post(keyed(sent));
  for (const sent of withWord(initialize, word)) yield client.post(sent);
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/x' },
    { jsonrpc: '2.0', id: 2, result: {} },
  ];
  for (const sent of withWord(batch, word)) yield client.post(sent, { 'MCP-Protocol-Version': '2025-03-26' });
  const job = JSON.stringify({ ...minimalJob, [word('name in JSON text')]: 1 });
  yield client.call('create_job', { idempotency_key: freshKey(), job });
  yield client.post(`{"${word('broken JSON')}`);
}

async function* modern(at: Server, acme: TestCompany, word: Word): AsyncGenerator<unknown> {
  const client = new McpClient(at, 'sandbox', await acme.secret('sandbox', 'write'));
  const headers: Headers = modernHeaders('tools/call', 'create_job');
  for (const sent of withWord(creation({ ...modernMeta, traceparent: 'none' }), word))
    yield client.post(keyed(sent), headers);
  for (const [name, value] of headersWith(word))
    if (name !== 'Host') yield client.post(keyed(creation(modernMeta)), { ...headers, [name]: value });
}

async function* pages(at: Server, acme: TestCompany, word: Word): AsyncGenerator<unknown> {
  const anonymous = new PageClient('company', at);
  const _csrf = tokenIn(await anonymous.get('/sign-in'));
  for (const sent of withWord({ email: 'a@example.com', password, next: '/dashboard', _csrf }, word))
    if (typeof sent === 'object') yield anonymous.post('/sign-in', sent as Headers);
  const proxied = { 'X-Forwarded-For': word('a name for an address'), 'X-Forwarded-Proto': 'https' };
  yield anonymous.post('/sign-in', { email: 'a@example.com', password, _csrf }, proxied);
  const client = await PageClient.signedIn('company', await newUser(acme), at);
  const issue = { environment: 'sandbox', access: 'read', days: '30', label: 'x', currentPassword: password };
  for (const sent of withWord(issue, word))
    if (typeof sent === 'object')
      yield client.submit(await client.get('/credentials/issue'), '/credentials/issue', sent as Headers);
  for (const path of ['/requests', '/jobs', '/activity', '/sign-in'])
    for (const name of ['text', 'status', 'before', 'next', 'environment', word(`${path} name`)])
      yield client.get(`${path}?${name}=${word(`${path}?${name}`.slice(0, 40))}`);
  for (const path of ['/', '/requests/sandbox/', '/jobs/sandbox/']) yield client.get(`${path}${word(`page ${path}`)}`);
  for (const [name, value] of headersWith(word)) yield client.get('/jobs', { [name]: value });
  yield supertest(at)
    .post('/language')
    .type('form')
    .send({ language: word('language'), next: word('language next') });
  for (const path of ['/language', '/dashboard/sign-in', '/admin/sign-in'])
    for (const [name, value] of headersWith(word)) {
      const form = supertest(at).post(path).type('form');
      yield form.set(name, name === 'Content-Type' ? `application/x-www-form-urlencoded; charset=${value}` : value);
    }
}

describe('a secret', () => {
  for (const sending of [rest, legacy, modern, pages])
    it(`in any part of ${sending.name} appears in no table, log line, metric or answer`, async () => {
      const acme = await newCompany();
      const placeOf = new Map<string, string>();
      const word = (place: string): string => {
        const random = randomBytes(24);
        // Half of it would already be a leak.
        placeOf.set(random.toString('hex').slice(0, 24), place);
        return makeSecret({ companyId: acme.id, environment: 'sandbox' }, random);
      };
      const written: string[] = [];
      const metrics = new Metrics();
      const log = openLog('info', { write: (line) => void written.push(line) });
      const { server, settle } = await startWholeApp(
        { TRUST_PROXY: 'loopback' },
        { log, observe: (done) => metrics.observe(done) },
      );
      // A page is its person's own. An id of JSON-RPC is returned as sent.
      for await (const answer of sending(server, acme, word)) {
        const { text = JSON.stringify(answer) } = answer as Partial<Response>;
        if (sending !== pages) written.push(text.replace(/"id":"[^"]*"/g, ''));
      }
      await settle();
      const words = [...placeOf.keys()];
      expect(await columnsWith(words, placeOf)).to.deep.equal([]);
      // Ignores case: credentials are in lower case.
      const text = (written.join('') + (await metrics.text())).toLowerCase();
      expect(words.filter((one) => text.includes(one)).map((one) => placeOf.get(one))).to.deep.equal([]);
    });
});

/** The columns that contain any of these words, by place. */
async function columnsWith(words: readonly string[], placeOf: ReadonlyMap<string, string>) {
  const columns = await admission().rows<{ table: string; column: string }>({
    text: `SELECT table_name AS table, column_name AS column FROM information_schema.columns JOIN information_schema.tables
            USING (table_schema, table_name) WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
    values: [],
  });
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await admission().rows<{ word: string }>({
      // Every word is hexadecimal: most rows need no comparison.
      text: `WITH kept AS MATERIALIZED
               (SELECT text FROM "${table}", lower("${column}"::text) AS text WHERE text ~ '[0-9a-f]{24}')
             SELECT word FROM unnest($1::text[]) AS word WHERE EXISTS (SELECT FROM kept WHERE strpos(text, word) > 0)`,
      values: [words],
    });
    found.push(...rows.map(({ word }) => `${placeOf.get(word)}: ${table}.${column}`));
  }
  return found;
}
