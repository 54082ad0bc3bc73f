import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { JSDOM } from 'jsdom';
import type { OpenAPIV3 } from 'openapi-types';
import supertest from 'supertest';
import { createClient } from '../../src/client/index.ts';
import { operations } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
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

  it('introduces the service and links to its parts', async () => {
    const page = await documentAt('/');
    const links = [...page.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
    expect(links).to.have.members(['/docs', '/dashboard', '/admin', '/openapi.yaml', '/openapi.json', '/llms.txt']);
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

it('/favicon.ico is a small picture, and /docs/ leads to /docs', async () => {
  const icon = await supertest(server()).get('/favicon.ico');
  expect([icon.status, icon.headers['content-type']]).to.deep.equal([200, 'image/svg+xml']);
  const slash = await supertest(server()).get('/docs/');
  expect([slash.status, slash.headers.location]).to.deep.equal([308, '/docs']);
});

it('an unknown address is a page for browsers, in their language, and the error envelope for all others', async () => {
  for (const path of ['/nope', '/docs/nope', '/assets/nope.css']) {
    const page = await supertest(server())
      .get(path)
      .set({ ...html, 'Accept-Language': 'pt' });
    expect([page.status, page.headers['content-type']], path).to.deep.equal([404, 'text/html; charset=utf-8']);
    const { document } = new JSDOM(page.text).window;
    expect(textOf(document.querySelector('h1'))).to.equal('Não encontrado');
    expect(document.querySelector('form[action="/language"]')).to.not.equal(null);
    expect(page.headers['content-security-policy']).to.include("script-src 'self'");
    for (const accept of ['*/*', 'application/json']) {
      const { body, headers } = await supertest(server()).get(path).set('Accept', accept);
      expect(body.error.details, accept).to.deep.equal({ reason: 'path' });
      expect(headers.vary).to.equal('Accept');
    }
  }
  expect((await supertest(server()).get('/v1/nope').set(html)).headers['content-type']).to.include('json');
});

interface Sampled {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

type Reference = Omit<OpenAPIV3.Document, 'paths'> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Sampled>>>>;
};

describe('the API reference', () => {
  let reference: Reference;
  const samples = new Map<string, Map<string, string>>();
  before(async () => {
    const { text } = await supertest(server()).get('/docs/reference.json');
    reference = JSON.parse(text.replaceAll('{address}', address()));
    for (const methods of Object.values(reference.paths))
      for (const { operationId, 'x-codeSamples': all } of Object.values(methods))
        samples.set(operationId, new Map(all.map(({ label, source }) => [label, source])));
  });
  const address = () => addressOf(server());
  const sample = (operationId: string, label: string): string => samples.get(operationId)?.get(label) ?? '';
  /** A company with a job, whose id is put for the one in the samples. */
  async function caller() {
    const acme = await newCompany();
    const { body } = await (await acme.writer()).create(minimalJob);
    const own = (code: string) => code.replace('48213', body.data.id);
    return { own, token: await acme.secret('sandbox', 'write') };
  }

  it('allows scripts and connections of its own origin only, and inline styles only for the renderer', async () => {
    const { headers } = await supertest(server()).get('/docs');
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'",
    );
    const front = await supertest(server()).get('/').set(html);
    expect(front.headers['content-security-policy']).not.to.include('unsafe');
  });

  it('is the contract with the quick start first, and the sandbox as its first server', async () => {
    const contract = (await supertest(server()).get('/openapi.json')).body;
    expect(reference.components?.schemas).to.deep.equal(contract.components.schemas);
    expect(reference.servers).to.deep.equal(contract.servers);
    expect(JSON.stringify(contract)).not.to.include('x-codeSamples');
    const headings = [...(reference.info.description ?? '').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings.slice(0, 2)).to.deep.equal(['Quick start', 'Environments']);
    expect(headings.at(-1)).to.equal('Connect an agent (MCP)');
  });

  it('the quick start creates a job, and run again replays it', async () => {
    const { token } = await caller();
    const [, , command = ''] = (reference.info.description ?? '')
      .split(/^```(?:sh)?$/m)
      .filter((_, at) => at % 2 === 1 || at === 0);
    const env = { PATH: process.env.PATH ?? '', TOKEN: token };
    const first = await run('bash', ['-c', command], { env });
    expect(first.stdout)
      .to.match(/^HTTP\/1.1 201 /)
      .and.include('Location: ');
    const again = await run('bash', ['-c', command], { env });
    expect(again.stdout)
      .to.match(/^HTTP\/1.1 200 /)
      .and.include('Idempotent-Replayed: true');
  });

  it('has samples of every operation for curl, the typed client, Python and PHP, and MCP where it has a tool', () => {
    expect([...samples.keys()]).to.deep.equal([...operations.keys()]);
    for (const [operationId, forms] of samples) {
      const isTool = tools.some((tool) => tool.operationId === operationId);
      const labels = ['curl', 'TypeScript client', 'Python (httpx)', 'PHP', ...(isTool ? ['MCP'] : [])];
      expect([...forms.keys()], operationId).to.deep.equal(labels);
      for (const source of forms.values()) expect(source).to.include(address());
    }
  });

  for (const form of ['curl', 'MCP'])
    it(`its samples for ${form} run`, async () => {
      const { own, token } = await caller();
      const calls = [...samples].map(async ([operationId]) => {
        const command = sample(operationId, form);
        const { stdout } = await run('bash', ['-c', own(command)], {
          env: { PATH: process.env.PATH ?? '', TOKEN: token },
        });
        if (form === 'curl') expect(stdout, command).to.match(/^HTTP\/1.1 (200|201|204) /);
        else if (command !== '') expect(JSON.parse(stdout).result?.isError, `${command} ${stdout}`).to.equal(false);
      });
      await Promise.all(calls);
    });

  it('its TypeScript samples run with the typed client', async () => {
    const { own, token } = await caller();
    for (const operationId of operations.keys()) {
      const code = own(sample(operationId, 'TypeScript client')).replace(/^import .*$/m, '');
      expect(code).to.include(`client.${operationId}(`);
      await new AsyncFunction('createClient', 'process', code)(createClient, { env: { TOKEN: token } });
    }
  });

  it('its Python samples send what the operation takes', async function runPython() {
    const isThere = await run('python3', ['--version']).catch(() => undefined);
    if (!isThere) return this.skip();
    const { own, token } = await caller();
    for (const operationId of operations.keys()) {
      const program = own(sample(operationId, 'Python (httpx)')).replace('import httpx', httpx);
      await run('python3', ['-c', program], { env: { PATH: process.env.PATH ?? '', TOKEN: token } });
    }
  });
});

/** The part of httpx that the samples use, because the package may not be installed. */
const httpx = `
import json as j, urllib.request as u
class Answer:
    def __init__(self, response): self.text = response.read()
    def raise_for_status(self): pass
    def json(self): return j.loads(self.text)
class Httpx:
    def __getattr__(self, method):
        def send(url, headers={}, json=None):
            data = None if json is None else j.dumps(json).encode()
            sent = {**headers, **({} if json is None else {"Content-Type": "application/json"})}
            return Answer(u.urlopen(u.Request(url, data, sent, method=method.upper())))
        return send
httpx = Httpx()
`;

import { addressOf } from '../helper/address.ts';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<unknown>;
