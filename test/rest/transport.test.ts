import { expect } from 'chai';
import supertest from 'supertest';
import { operations } from '../../src/contract/document.ts';
import { activateCategory, deactivateCategory } from '../../src/operations/reference/people/change-category.ts';
import { addressOf } from '../helper/address.ts';
import { categoriesNow } from '../helper/categories.ts';
import { actionContext, newCompany, server, startApp } from '../helper/fixtures.ts';
import { head, parseAnswer, raw } from '../helper/raw-http.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const limitBytes = 131_072;

/** A create body of exactly this many bytes. Its field's length makes it invalid, not its size. */
const bodyOf = (bytes: number): string => {
  const shell = JSON.stringify({ ...minimalJob, requirements: '' });
  return JSON.stringify({ ...minimalJob, requirements: 'x'.repeat(bytes - Buffer.byteLength(shell)) });
};

describe('request body', () => {
  let asWriter: RestClient;
  let secret: string;
  beforeEach(async () => {
    secret = await (await newCompany()).secret('sandbox', 'write');
    asWriter = new RestClient(server(), 'sandbox', secret);
  });

  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    asWriter.send('POST', '/jobs', body, { 'Idempotency-Key': 'k', ...headers });

  it('128 KiB is accepted and one byte more is 413, chunked or not', async () => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' };
    for (const [bytes, status] of [
      [limitBytes, 422],
      [limitBytes + 1, 413],
    ] as const) {
      expect((await post(bodyOf(bytes))).status).to.equal(status);
      const chunked = { method: 'POST', duplex: 'half', body: new Blob([bodyOf(bytes)]).stream(), headers };
      const answer = await fetch(`${addressOf(server())}/sandbox/v1/jobs`, chunked as RequestInit);
      expect(answer.status).to.equal(status);
    }
  });

  it('malformed JSON is 422 with the position', async () => {
    const saidOf = async (text: string | Buffer): Promise<string> => {
      const { status, body } = await post(text);
      expect(status, `${text}`).to.equal(422);
      expect(body.error.details, `${text}`).to.have.all.keys('request_body');
      return body.error.details.request_body[0];
    };
    expect(await saidOf('{\n  "title": "x",\n  "body" "y"\n}')).to.include('line 3, column 10');
    for (const text of ['{', '[1,]', '{"a":1}}', "{'a':1}", '{"a":01}', 'nul', '\u0000', '{"a":NaN}', '{/* */}'])
      await saidOf(text);
    expect(await saidOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).to.include('UTF-8');
  });

  it('a byte order mark, white space, the order of keys and the spelling of a number make no difference; the last of duplicate keys wins', async () => {
    expect((await post(`\ufeff${JSON.stringify(minimalJob)}`)).status).to.equal(201);
    const turned = Object.fromEntries(Object.entries(minimalJob).reverse());
    const spelt = JSON.stringify(turned, null, 4).replace(/"category_id": (\d+)/, '"category_id": $10e-1');
    expect((await post(spelt)).status).to.equal(200);
    const doubled = JSON.stringify(minimalJob).replace('{', '{"title":"first",');
    const { body } = await post(doubled, { 'Idempotency-Key': 'other' });
    expect(body.data.title).to.equal(minimalJob.title);
  });
});

describe('paths and methods', () => {
  it('an unknown path is 404 and an unknown method 405 with Allow, after authentication', async () => {
    const asReader = await (await newCompany()).reader();
    expect((await asReader.get('/nothing')).body.error.details.reason).to.equal('path');
    expect((await asReader.get('/jobs/1/2')).status).to.equal(404);
    for (const [path, allow, ...methods] of [
      ['/jobs', 'GET, HEAD, POST', 'PUT', 'OPTIONS', 'PATCH', 'DELETE'],
      ['/jobs/1', 'GET, HEAD, PATCH, DELETE', 'POST'],
    ] as const)
      for (const method of methods) {
        const { status, headers } = await asReader.send(method, path);
        expect([status, headers.allow], method).to.deep.equal([405, allow]);
      }
  });

  it('HEAD answers like GET without a body on every path, and counts once', async () => {
    const acme = await newCompany();
    const { body } = await (await acme.writer('sandbox')).create(minimalJob);
    const secret = await acme.secret('sandbox', 'read');
    const ask = async (method: string, path: string) => {
      const headers = { Authorization: `Bearer ${secret}` };
      const answer = await fetch(`${addressOf(server())}/sandbox/v1${path}`, { method, headers });
      const { 'ratelimit-remaining': left, ...all } = Object.fromEntries(answer.headers);
      const kept = ['content-type', 'etag', 'cache-control', 'x-api-environment'].map((name) => all[name]);
      return { status: answer.status, kept, left: Number(left), text: await answer.text() };
    };
    const paths = [...operations.values()].flatMap(({ method, path }) => (method === 'get' ? [path] : []));
    for (const path of [...paths, '/jobs/999999999', '/jobs?page=0', '/nothing']) {
      const [get, head] = [
        await ask('GET', path.replace('{id}', body.data.id)),
        await ask('HEAD', path.replace('{id}', body.data.id)),
      ];
      expect([head.status, head.kept, head.text], path).to.deep.equal([get.status, get.kept, '']);
      expect(get.left - head.left, path).to.equal(1);
    }
  });

  it('Location follows PUBLIC_URL and never the Host header', async () => {
    const at = await startApp({ PUBLIC_URL: 'https://api.example.com/' });
    const acme = await newCompany();
    const forged = { 'Idempotency-Key': 'k', Host: 'evil.example' };
    for (const [environment, base] of [
      ['sandbox', '/sandbox/v1'],
      ['production', '/v1'],
    ] as const) {
      const asWriter = await acme.writer(environment, at);
      const { headers, body } = await asWriter.send('POST', '/jobs', minimalJob, forged);
      expect(headers.location).to.equal(`https://api.example.com${base}/jobs/${body.data.id}`);
    }
  });
});

it('each refusal comes before the next: https, credential, eligibility, limit, simulation, media type, size, match, scope, validation, operation', async () => {
  const good = await newCompany();
  const unverified = await newCompany({ verified: false });
  const tight = await startApp({ REQUESTS_PER_MINUTE: '1' });
  await (await good.reader('sandbox', tight)).get('/options');
  const [reader, shut] = [await good.secret('sandbox', 'read'), await unverified.secret('sandbox', 'read')];
  const writer = await good.secret('sandbox', 'write');
  const big = 'x'.repeat(limitBytes + 1);
  const plain = { secret: reader, at: server(), path: '/jobs', type: 'application/json', body: '{}', more: {} };
  const nothing = { path: '/nothing', type: 'text/plain', body: big };
  const rows: [step: string, call: Partial<typeof plain>, status: number][] = [
    ['https', { ...nothing, more: { 'X-Forwarded-Proto': 'http' }, secret: 'none' }, 400],
    ['credential', { ...nothing, secret: 'none' }, 401],
    ['eligibility', { ...nothing, secret: shut, at: tight }, 403],
    ['limit', { ...nothing, at: tight }, 429],
    ['simulated limit', { ...nothing, path: '/jobs', secret: writer, more: { 'X-Simulate': '429' } }, 429],
    ['simulated outage', { ...nothing, secret: writer, more: { 'X-Simulate': '503' } }, 503],
    ['media type', nothing, 415],
    ['size', { path: '/nothing', body: big }, 413],
    ['match', { path: '/nothing', body: '{' }, 404],
    ['scope', { body: '{' }, 403],
    ['validation', { secret: writer, body: '{' }, 422],
  ];
  for (const [step, changed, status] of rows) {
    const { secret, at, path, type, body, more } = { ...plain, ...changed };
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': type, ...more };
    expect((await supertest(at).post(`/sandbox/v1${path}`).set(headers).send(body)).status, step).to.equal(status);
  }
  expect((await (await good.writer()).patch(999_999_999, { title: 'x' })).status, 'operation').to.equal(404);
});

it('every answer has each header once, including those for privacy, whichever layer sends it', async () => {
  const at = await startApp();
  const auth = `Authorization: Bearer ${await (await newCompany()).secret('sandbox', 'read')}`;
  const api =
    '/sandbox/v1/account /sandbox/v1/jobs /sandbox/v1/jobs/1 /sandbox/v1/nothing /sandbox/mcp /v1/account'.split(' ');
  const others = '/sandbox/v1/options /v1/openapi.yaml /nothing /dashboard /dashboard/nothing'.split(' ');
  for (const path of [...api, ...others]) {
    const lines = ['Host: 127.0.0.1', auth, 'If-None-Match: *', 'Accept: application/json', 'Connection: close'];
    const text = await raw(at, head(`GET ${path} HTTP/1.1`, ...lines));
    const [fields = ''] = text.split('\r\n\r\n');
    const names = [...fields.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase());
    const repeated = names.filter((name, index) => names.indexOf(name) !== index && name !== 'set-cookie');
    expect(repeated, path).to.deep.equal([]);
    expect(names, path).to.include.members(['x-request-id', 'x-api-environment', 'cache-control']);
    const { headers } = parseAnswer(text);
    expect(headers, path).to.include({ 'x-content-type-options': 'nosniff' });
    if (!api.includes(path)) continue;
    expect(headers, path).to.include({ 'cache-control': 'no-store' });
    expect(headers, path).to.not.have.any.keys('x-powered-by', 'etag', 'access-control-allow-origin');
  }
});

describe('If-None-Match on reference data', () => {
  it('304 without a body while the client has the current list; both environments have the same entity tag', async () => {
    const acme = await newCompany();
    const [reader, other] = [await acme.reader(), await acme.reader('production')];
    for (const path of ['/categories', '/regions', '/districts', '/options']) {
      const whole = await reader.get(path);
      const { etag = '', 'cache-control': caching } = whole.headers;
      expect(caching).to.equal('private, no-cache, no-transform');
      expect(etag).to.match(/^"[\w-]{27}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, headers } = await reader.get(path, { 'If-None-Match': known });
        expect([status, headers.etag, headers['content-length']], known).to.deep.equal([304, etag, undefined]);
      }
      // fetch sends Cache-Control: no-cache beside it.
      const headers = { Authorization: `Bearer ${await acme.secret('sandbox', 'read')}`, 'If-None-Match': etag };
      expect((await fetch(`${addressOf(server())}/sandbox/v1${path}`, { headers })).status).to.equal(304);
      for (const unknown of ['"other"', etag.slice(1, -1), '', ','])
        expect((await reader.get(path, { 'If-None-Match': unknown })).body).to.deep.equal(whole.body);
      expect((await other.get(path, { 'If-None-Match': etag })).status, 'production').to.equal(304);
    }
  });

  it('a change is visible after a second, with another entity tag', async () => {
    const reader = await (await newCompany()).reader();
    const { etag = '' } = (await categoriesNow(reader)).headers;
    await deactivateCategory(actionContext(), { categoryId: 103 });
    const { status, headers, body } = await categoriesNow(reader, { 'If-None-Match': etag });
    await activateCategory(actionContext(), { categoryId: 103 });
    expect(status).to.equal(200);
    expect(headers.etag).not.to.equal(etag);
    expect(body.data.some(({ id }: { id: number }) => id === 103)).to.equal(false);
  });
});
