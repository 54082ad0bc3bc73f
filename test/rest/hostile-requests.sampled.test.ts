import { expect } from 'chai';
import fc from 'fast-check';
import { draws } from '../helper/draws.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const jsonOf = (field: string, json: string): string =>
  JSON.stringify(minimalJob).replace(/\}$/, `,"${field}":${json}}`);

/** Bodies that have broken other services. */
const bodies: readonly string[] = [
  nested('[', ']', 60_000),
  nested('{"a":', '}', 10_000).replace('{}', '{"a":1}'),
  jsonOf('education_details', nested('[', ']', 50_000)),
  jsonOf('body', nested('{"a":[', ']}', 8000)),
  jsonOf('__proto__', '{"title":"x","isAdmin":true}'),
  '{"__proto__":{"title":"x"},"constructor":{"prototype":{"x":1}}}',
  ...['constructor', 'toString', 'hasOwnProperty'].map((name) => jsonOf(name, '1')),
  `{${Array.from({ length: 9000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  ...['1e400', '-1e400'].map((number) => jsonOf('salary_max', number)),
  jsonOf('category_id', '1e309'),
  ...['"\\ud800"', '"\\u0000"'].map((text) => jsonOf('title', text)),
  jsonOf('contact_email', JSON.stringify(`${'a'.repeat(60_000)}@`)),
  jsonOf('contact_email', JSON.stringify(`a@${'a.'.repeat(30_000)}`)),
  jsonOf('external_application_url', JSON.stringify(`https://${'a'.repeat(100_000)}`)),
  jsonOf('external_application_url', JSON.stringify(`https://${'%'.repeat(100_000)}`)),
  jsonOf('external_application_url', '"https://[::1"'),
  jsonOf('valid_until', '"0000-00-00"'),
  jsonOf('valid_until', '"2026-12-31\\u0000"'),
  jsonOf('body', JSON.stringify('<b>'.repeat(9000))),
  jsonOf('body', JSON.stringify('<'.repeat(30_000))),
  jsonOf('body', JSON.stringify('&'.repeat(30_000))),
  '"'.repeat(1000),
  '{"title":',
  '\u2028',
  '[null]',
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const paths = [
  ...(
    '/jobs/% /jobs/%00 /jobs/%c0%af /jobs/..%2f..%2f /jobs// // /jobs;x=1 /jobs/1?x[]=1 /jobs?page[a]=1 /jobs?page=% /jobs?%00=1 ' +
    '/jobs?page=99999999999999999999 /jobs/__proto__ /constructor /jobs/-0 /jobs?page=1000000001'
  ).split(' '),
  `/jobs?${'a=1&'.repeat(2000)}`,
  `/jobs/${'9'.repeat(5000)}`,
];

describe('hostile requests', () => {
  let asWriter: RestClient;
  let id: number;
  let companyId: bigint;
  beforeEach(async () => {
    const acme = await newCompany();
    companyId = acme.id;
    asWriter = await acme.writer('sandbox');
    id = (await asWriter.create(minimalJob)).body.data.id;
  });

  /** Expects a refusal. The client itself fails on a 500 or an answer that the contract does not declare. */
  const survives = async (method: string, path: string, body?: string) => {
    const { status } = await asWriter.send(method, path, body, { 'Idempotency-Key': 'hostile' });
    expect(status, `${method} ${path.slice(0, 80)}`).to.be.oneOf([200, 404, 405, 409, 413, 415, 422]);
  };

  it('bodies that attack parsers, validators and hashes are refused, and nothing is created', async () => {
    await db().idempotencyKey.updateMany({ where: { companyId }, data: { key: 'used' } });
    for (const body of bodies) {
      await survives('PATCH', `/jobs/${id}`, body);
      expect((await asWriter.create(body, 'hostile')).status, body.slice(0, 120)).to.be.oneOf([413, 422]);
      expect((await asWriter.create(body, 'used')).status, body.slice(0, 120)).to.equal(isJson(body) ? 409 : 422);
    }
    expect((await asWriter.get('/jobs')).body.meta.total).to.equal(1);
    expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
  });

  it('paths and queries that attack routers are refused', async () => {
    for (const path of paths)
      for (const method of ['GET', 'PATCH', 'DELETE'])
        await survives(method, path, method === 'PATCH' ? '{}' : undefined);
  });

  it('random requests never give a 500', async () => {
    const field = fc.constantFrom(...Object.keys(minimalJob), '__proto__', 'id', 'x');
    const patch = fc.dictionary(field, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
    const body = fc.oneof(
      fc.json({ maxDepth: 6 }),
      patch.map((value) => JSON.stringify(value)),
      fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value)),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...bodies.slice(4, 9)),
    );
    const path = fc.oneof(
      fc.constantFrom('/jobs', `/jobs/${id}`, ...paths),
      fc.webPath().map((value) => `/jobs${value.startsWith('/') ? value : `/${value}`}`),
      fc.webQueryParameters().map((value) => `/jobs?${value}`),
    );
    const header = fc.constantFrom<Record<string, string>>(
      {},
      { 'Content-Type': 'text/plain' },
      { 'Content-Encoding': 'gzip' },
      { 'Idempotency-Key': '' },
      { 'Idempotency-Key': 'x'.repeat(200) },
      { 'X-Forwarded-Host': 'x' },
    );
    const method = fc.constantFrom('POST', 'PATCH', 'GET', 'DELETE', 'PUT');
    const isNo500 = async (method: string, url: string, sent: string | Buffer, headers: Record<string, string>) => {
      const own = { 'Idempotency-Key': 'hostile', ...headers };
      const { status } = await asWriter.send(method, url, method === 'GET' ? undefined : sent, own);
      expect(status, `${method} ${url}`).to.be.lessThan(500);
    };
    await fc.assert(fc.asyncProperty(method, path, body, header, isNo500), { numRuns: draws(100, 1000) });
  });
});
