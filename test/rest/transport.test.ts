import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import supertest from 'supertest';
import { addressOf, portOf } from '../helper/address.ts';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const limitBytes = 131_072;

/** A create body of exactly so many bytes; its length makes it invalid, not its size. */
const bodyOf = (bytes: number): string => {
  const shell = JSON.stringify({ ...minimalJob, requirements: '' });
  return JSON.stringify({ ...minimalJob, requirements: 'x'.repeat(bytes - Buffer.byteLength(shell)) });
};

describe('https', () => {
  const secureStatus = async (settings: Record<string, string>, headers: Record<string, string>) => {
    const at = await startApp(settings);
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const call = supertest(at).get('/sandbox/v1/options').set('Authorization', `Bearer ${secret}`).set(headers);
    return (await call).status;
  };

  it('plain http is served only on a loopback address, and not through a proxy', async () => {
    expect(await secureStatus({}, {})).to.equal(200);
    expect(await secureStatus({}, { 'X-Forwarded-Proto': 'http' })).to.equal(400);
    expect(await secureStatus({}, { 'X-Forwarded-Proto': 'https' })).to.equal(400);
    expect(await secureStatus({}, { 'X-Forwarded-For': '192.0.2.1' })).to.equal(400);
    expect(await secureStatus({}, { Forwarded: 'for=192.0.2.1;proto=https' })).to.equal(400);
  });
});

describe('request body', () => {
  let asWriter: RestClient;
  beforeEach(async () => {
    asWriter = await (await newCompany()).writer('sandbox');
  });

  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    asWriter.send('POST', '/jobs', body, { 'Idempotency-Key': 'k', ...headers });

  it('128 KiB is accepted and one byte more is 413, chunked or not', async () => {
    expect((await post(bodyOf(limitBytes))).status).to.equal(422);
    expect((await post(bodyOf(limitBytes + 1))).status).to.equal(413);
    const secret = await (await newCompany()).secret('sandbox', 'write');
    for (const [bytes, status] of [
      [limitBytes, 422],
      [limitBytes + 1, 413],
    ] as const) {
      const answer = await fetch(`${addressOf(server())}/sandbox/v1/jobs`, {
        method: 'POST',
        duplex: 'half',
        body: new Blob([bodyOf(bytes)]).stream(),
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
      } as RequestInit);
      expect(answer.status).to.equal(status);
    }
  });

  it('anything but uncompressed JSON in UTF-8 is 415', async () => {
    const text = JSON.stringify(minimalJob);
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/jsonp',
      'nonsense',
      'application/vnd.api+json',
    ];
    for (const type of types) expect((await post(text, { 'Content-Type': type })).status, type).to.equal(415);
    for (const encoding of ['gzip', 'br', 'deflate'])
      expect((await post(text, { 'Content-Encoding': encoding })).body.error.details.reason).to.equal(
        'content_encoding',
      );
    for (const type of ['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"'])
      expect((await post(text, { 'Content-Type': type })).status, type).to.be.oneOf([200, 201]);
  });

  it('malformed JSON is 422 with the position', async () => {
    const { status, body } = await post('{\n  "title": "x",\n  "body" "y"\n}');
    expect(status).to.equal(422);
    expect(body.error.details.request_body[0]).to.include('line 3, column 10');
    for (const text of ['{', '[1,]', '{"a":1}}', "{'a':1}", '{"a":01}', 'nul', '\u0000', '{"a":NaN}', '{/* */}'])
      expect((await post(text)).body.error.details, text).to.have.keys('request_body');
    expect(
      (await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).body.error.details.request_body[0],
    ).to.include('UTF-8');
  });

  it('a byte order mark is ignored; the last of duplicate keys wins', async () => {
    expect((await post(`\ufeff${JSON.stringify(minimalJob)}`)).status).to.equal(201);
    const doubled = JSON.stringify(minimalJob).replace('{', '{"title":"first",');
    const { body } = await post(doubled, { 'Idempotency-Key': 'other' });
    expect(body.data.title).to.equal(minimalJob.title);
  });
});

describe('paths and methods', () => {
  it('an unknown path is 404 and an unknown method 405 with Allow, after authentication', async () => {
    const asReader = await (await newCompany()).reader('sandbox');
    expect((await asReader.get('/nothing')).body.error.details.reason).to.equal('path');
    expect((await asReader.get('/jobs/1/2')).status).to.equal(404);
    for (const method of ['PUT', 'OPTIONS', 'PATCH', 'DELETE']) {
      const { status, headers } = await asReader.send(method, '/jobs');
      expect(status, method).to.equal(405);
      expect(headers.allow).to.equal('GET, POST');
    }
    expect((await asReader.send('POST', '/jobs/1')).headers.allow).to.equal('GET, PATCH, DELETE');
  });

  it('outside the API every path is a 404 with the envelope and the environment', async () => {
    for (const [path, environment] of [
      ['/', 'production'],
      ['/v2/jobs', 'production'],
      ['/sandbox', 'sandbox'],
      ['/sandbox/v2', 'sandbox'],
      ['/V1/jobs', 'production'],
    ] as const) {
      const { status, headers, body } = await supertest(server()).get(path);
      expect(status, path).to.equal(404);
      expect(headers['x-api-environment'], path).to.equal(environment);
      expect(headers['x-request-id']).to.be.a('string');
      expect(body.error.status).to.equal(404);
    }
  });

  it('responses have the headers that keep them private', async () => {
    const { headers } = await (await (await newCompany()).reader('sandbox')).get('/account');
    expect(headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers).to.not.have.any.keys('x-powered-by', 'etag', 'access-control-allow-origin');
  });

  it('Location follows PUBLIC_URL and never the Host header', async () => {
    const at = await startApp({ PUBLIC_URL: 'https://api.example.com/' });
    const acme = await newCompany();
    const { headers, body } = await (await acme.writer('sandbox', at)).send('POST', '/jobs', minimalJob, {
      'Idempotency-Key': 'k',
      Host: 'evil.example',
    });
    expect(headers.location).to.equal(`https://api.example.com/sandbox/v1/jobs/${body.data.id}`);
  });
});

describe('order of refusals', () => {
  it('each step comes before the next: https, credential, eligibility, limit, media type, size, match, scope, validation, operation', async () => {
    const good = await newCompany();
    const unverified = await newCompany({ verified: false });
    const tight = await startApp({ REQUESTS_PER_MINUTE: '1' });
    await (await good.reader('sandbox', tight)).get('/options');
    const reader = await good.secret('sandbox', 'read');
    const big = 'x'.repeat(limitBytes + 1);
    const plain = { secret: reader, at: server(), path: '/jobs', type: 'application/json', body: '{}', proto: '' };
    const rows: [step: string, call: Partial<typeof plain>, status: number][] = [
      ['https', { proto: 'http', secret: 'none', path: '/nothing' }, 400],
      ['credential', { secret: 'none', path: '/nothing', type: 'text/plain', body: big }, 401],
      [
        'eligibility',
        { secret: await unverified.secret('sandbox', 'read'), at: tight, path: '/nothing', type: 'text/plain' },
        403,
      ],
      ['limit', { at: tight, path: '/nothing', type: 'text/plain', body: big }, 429],
      ['media type', { path: '/nothing', type: 'text/plain', body: big }, 415],
      ['size', { path: '/nothing', body: big }, 413],
      ['match', { path: '/nothing', body: '{' }, 404],
      ['scope', { body: '{' }, 403],
      ['validation', { secret: await good.secret('sandbox', 'write'), body: '{' }, 422],
    ];
    for (const [step, changed, status] of rows) {
      const { secret, at, path, type, body, proto } = { ...plain, ...changed };
      const call = supertest(at)
        .post(`/sandbox/v1${path}`)
        .set('Authorization', `Bearer ${secret}`)
        .set('Content-Type', type);
      if (proto) call.set('X-Forwarded-Proto', proto);
      expect((await call.send(body)).status, step).to.equal(status);
    }
    const missing = await (await good.writer('sandbox')).patch(999_999_999, { title: 'x' });
    expect(missing.status, 'operation').to.equal(404);
  });
});

describe('every answer', () => {
  const facts = ['x-request-id', 'x-api-environment', 'x-content-type-options', 'cache-control'];

  it('has each header once, whichever part of the service sends it', async () => {
    const at = await startApp();
    const company = await newCompany();
    const secret = await company.secret('sandbox', 'read');
    const headers = { authorization: `Bearer ${secret}`, 'if-none-match': '*', accept: 'application/json' };
    for (const path of [
      '/sandbox/v1/options',
      '/sandbox/v1/jobs',
      '/sandbox/v1/jobs/1',
      '/sandbox/v1/nothing',
      '/sandbox/mcp',
      '/v1/account',
      '/v1/openapi.yaml',
      '/nothing',
      '/dashboard',
      '/dashboard/nothing',
    ]) {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const port = portOf(at);
        request({ port, path, headers }, resolve).on('error', reject).end();
      });
      answer.resume();
      const names = answer.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
      const repeated = names.filter((name, index) => names.indexOf(name) !== index && name !== 'set-cookie');
      expect(repeated, path).to.deep.equal([]);
      expect(names, path).to.include.members(facts);
    }
  });
});
