import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { JSDOM } from 'jsdom';
import supertest from 'supertest';
import { createClient } from '../../src/client/index.ts';
import { operations } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const run = promisify(execFile);
const html = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

async function documentAt(path: string): Promise<Document> {
  const { text } = await supertest(server()).get(path).set(html);
  return new JSDOM(text).window.document;
}
const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';

describe('the front page', () => {
  it('is for clients that prefer HTML; all others get 404 with the error envelope', async () => {
    const page = await supertest(server()).get('/').set(html);
    expect(page.status).to.equal(200);
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(page.headers['x-api-environment']).to.equal('production');
    expect(page.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    expect(page.headers.vary).to.equal('Accept, Accept-Encoding');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/plain']) {
      const answer = await supertest(server()).get('/').set('Accept', accept);
      expect(answer.status, accept).to.equal(404);
      expect(answer.body.error.details, accept).to.deep.equal({ reason: 'path' });
      expect(answer.headers.vary, accept).to.equal('Accept');
    }
    expect((await supertest(server()).post('/').set(html)).body.error.details).to.deep.equal({ reason: 'path' });
  });

  it('supports HEAD and If-None-Match', async () => {
    const head = await supertest(server()).head('/').set(html).set('Accept-Encoding', 'gzip');
    expect([head.status, head.text]).to.deep.equal([200, undefined]);
    const again = await supertest(server()).get('/').set(html).set('If-None-Match', String(head.headers.etag));
    expect(again.status).to.equal(304);
  });

  it('requires https and counts against the address limit', async () => {
    const guarded = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
    const plain = await supertest(guarded).get('/').set(html).set('X-Forwarded-Proto', 'http');
    expect(plain.body.error.details).to.deep.equal({ reason: 'https' });
    expect((await supertest(guarded).get('/').set(html)).status).to.equal(200);
    expect((await supertest(guarded).get('/').set(html)).status).to.equal(429);
  });

  it('introduces the service and links to its parts', async () => {
    const page = await documentAt('/');
    const links = [...page.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
    expect(links).to.have.members(['/docs', '/dashboard', '/openapi.yaml', '/openapi.json', '/llms.txt']);
    for (const address of ['/v1', '/sandbox/v1', '/mcp', '/sandbox/mcp'])
      expect([...page.querySelectorAll('code')].map(textOf)).to.include(address);
    const at = await startApp({ PUBLIC_URL: 'https://vaga.example' });
    expect((await supertest(at).get('/').set(html)).text).to.include('https://vaga.example/sandbox/mcp');
  });
});

for (const path of ['/', '/docs'])
  it(`${path} may be indexed, has a description, and every link has a text`, async () => {
    const page = await documentAt(path);
    expect(page.querySelector('meta[name=robots]')).to.equal(null);
    expect(page.querySelector('meta[name=description]')?.getAttribute('content')).to.have.length.above(50);
    for (const link of page.querySelectorAll('a')) expect(textOf(link), link.outerHTML).to.match(/\w{3}/);
    expect(page.querySelectorAll('[style], style, script:not([src])')).to.have.length(0);
    for (const asset of page.querySelectorAll('link[rel=stylesheet], script')) {
      const answer = await supertest(server()).get(String(asset.getAttribute('href') ?? asset.getAttribute('src')));
      expect(answer.status).to.equal(200);
      expect(answer.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(answer.headers['content-encoding']).to.equal('gzip');
    }
  });

describe('the API reference', () => {
  let page: Document;
  before(async () => {
    page = await documentAt('/docs');
  });
  const sample = (operationId: string, kind: string): string => {
    const all = [...page.querySelectorAll(`#${operationId} .samples details`)];
    return textOf(all.find((details) => textOf(details.querySelector('summary')) === kind)?.querySelector('pre'));
  };

  it('is one page with only two small scripts of ours', async () => {
    expect(page.querySelectorAll('script')).to.have.length(2);
    const { headers } = await supertest(server()).get('/docs').set('Accept-Encoding', 'gzip');
    expect(Number(headers['content-length'])).to.be.below(40_000);
    expect(headers['content-security-policy']).to.include("connect-src 'self'").and.not.include('unsafe');
  });

  it('shows every operation with method, path, scope, parameters, responses and errors', () => {
    for (const { operationId, method, path, scope, parameters } of operations.values()) {
      const shown = textOf(page.getElementById(operationId));
      expect(shown).to.include(`${method.toUpperCase()} ${path}`).and.include(scope);
      for (const { name } of parameters) expect(shown, operationId).to.include(name);
      for (const status of ['400', '401', '403', '429', '503']) expect(shown, operationId).to.include(status);
    }
    expect(textOf(page.getElementById('JobInput'))).to.match(/title string, 1 to 255 characters required/);
    expect(textOf(page.getElementById('JobInput'))).to.match(
      /contract_type string or null.*One of full_time, part_time/s,
    );
    for (const { tool } of tools) expect(textOf(page.getElementById(tool.name))).to.include(tool.description);
  });

  it('its curl samples run', async () => {
    const acme = await newCompany();
    const { body } = await (await acme.writer()).create(minimalJob);
    const { port } = server().address() as AddressInfo;
    const env = {
      PATH: process.env.PATH ?? '',
      TOKEN: await acme.secret('sandbox', 'write'),
      API: `http://127.0.0.1:${port}/sandbox/v1`,
    };
    const calls = [...operations.keys()].map(async (operationId) => {
      const command = sample(operationId, 'curl').replace('/jobs/48213', `/jobs/${body.data.id}`);
      const { stdout } = await run('bash', ['-c', command], { env });
      expect(stdout, command).to.match(/^HTTP\/1.1 (200|201|204) /);
    });
    await Promise.all(calls);
  });

  it('its TypeScript samples run with the typed client', async () => {
    const acme = await newCompany();
    const { body } = await (await acme.writer()).create(minimalJob);
    const { port } = server().address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: await acme.secret('sandbox', 'write') });
    for (const operationId of operations.keys()) {
      const code = sample(operationId, 'TypeScript').replace('(48213', `(${body.data.id}`);
      expect(code).to.include(`client.${operationId}(`);
      await new AsyncFunction('client', code)(client);
    }
  });

  it("its MCP messages succeed, each with its operation's tool", async () => {
    const acme = await newCompany();
    const { body } = await (await acme.writer()).create(minimalJob);
    const agent = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'write'));
    for (const { operationId, tool } of tools) {
      const message = sample(operationId, 'MCP').replace('"id": 48213', `"id": ${body.data.id}`);
      expect(JSON.parse(message).params.name).to.equal(tool.name);
      const answer = await agent.post(message);
      expect(answer.body.result?.isError, `${message} ${answer.text}`).to.equal(false);
    }
  });
});

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  name: string,
  code: string,
) => (value: unknown) => Promise<unknown>;
