import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { JSDOM } from 'jsdom';
import type { OpenAPIV3 } from 'openapi-types';
import supertest from 'supertest';
import { createClient } from '../../src/client/index.ts';
import { operations } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import { addressOf } from '../helper/address.ts';
import { newJob, server, startApp } from '../helper/fixtures.ts';

const run = promisify(execFile);
const html = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = html) => supertest(server()).get(path).set(headers);
const parsed = (text: string): Document => new JSDOM(text).window.document;
const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';

/** Clients that do not prefer HTML get the error envelope. */
async function expectEnvelope(path: string, accepts: readonly string[]): Promise<void> {
  for (const Accept of accepts) {
    const { status, headers, body } = await get(path, { Accept });
    expect([status, body.error.details], `${path} ${Accept}`).to.deep.equal([404, { reason: 'path' }]);
    expect(headers.vary).to.equal('Accept');
  }
}

describe('the front page', () => {
  it('is for clients that prefer HTML; all others get 404 with the error envelope', async () => {
    const page = await get('/');
    expect(page.status).to.equal(200);
    expect(page.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    expect(page.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'x-api-environment': 'production',
      vary: 'Accept, Accept-Encoding',
    });
    await expectEnvelope('/', ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/plain']);
    expect((await supertest(server()).post('/').set(html)).body.error.details).to.deep.equal({ reason: 'path' });
  });

  it('supports HEAD and If-None-Match', async () => {
    const head = await supertest(server()).head('/').set(html).set('Accept-Encoding', 'gzip');
    expect([head.status, head.text]).to.deep.equal([200, undefined]);
    expect((await get('/').set('If-None-Match', String(head.headers.etag))).status).to.equal(304);
  });

  it('introduces the service and links to its parts', async () => {
    const page = parsed((await get('/')).text);
    const links = [...page.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
    expect(links).to.have.members(['/docs', '/dashboard', '/admin', '/openapi.yaml', '/openapi.json', '/llms.txt']);
    const addresses = [...page.querySelectorAll('code')].map(textOf);
    expect(addresses).to.include.members(['/v1', '/sandbox/v1', '/mcp', '/sandbox/mcp']);
    const at = await startApp({ PUBLIC_URL: 'https://vaga.example' });
    expect((await supertest(at).get('/').set(html)).text).to.include('https://vaga.example/sandbox/mcp');
  });
});

describe('the public pages', () => {
  for (const path of ['/', '/docs'])
    it(`${path} may be indexed, has a description, and every link has a text`, async () => {
      const page = parsed((await get(path)).text);
      expect(page.querySelector('meta[name=robots]')).to.equal(null);
      expect(page.querySelector('meta[name=description]')?.getAttribute('content')).to.have.length.above(50);
      for (const link of page.querySelectorAll('a')) expect(textOf(link), link.outerHTML).to.match(/\w{3}/);
      expect(page.querySelectorAll('[style], style, script:not([src])')).to.have.length(0);
      for (const asset of page.querySelectorAll('link[rel=stylesheet], script')) {
        const { status, headers } = await get(String(asset.getAttribute('href') ?? asset.getAttribute('src')));
        expect(status).to.equal(200);
        const kept = { 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'gzip' };
        expect(headers).to.include(kept);
      }
    });

  it('/favicon.ico is a small picture, and /docs/ leads to /docs', async () => {
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.headers['content-type']]).to.deep.equal([200, 'image/svg+xml']);
    const slash = await get('/docs/');
    expect([slash.status, slash.headers.location]).to.deep.equal([308, '/docs']);
  });

  it('an unknown address is a page for browsers, in their language, and the error envelope for all others', async () => {
    for (const path of ['/nope', '/docs/nope', '/assets/nope.css']) {
      const page = await get(path, { ...html, 'Accept-Language': 'pt' });
      expect([page.status, page.headers['content-type']], path).to.deep.equal([404, 'text/html; charset=utf-8']);
      const document = parsed(page.text);
      expect(textOf(document.querySelector('h1'))).to.equal('Não encontrado');
      expect(document.querySelector('form[action="/language"]')).to.not.equal(null);
      expect(page.headers['content-security-policy']).to.include("script-src 'self'");
      await expectEnvelope(path, ['*/*', 'application/json']);
    }
    expect((await get('/v1/nope')).headers['content-type']).to.include('json');
  });
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
  const address = () => addressOf(server());
  before(async () => {
    reference = JSON.parse((await get('/docs/reference.json')).text.replaceAll('{address}', address()));
    const all = Object.values(reference.paths).flatMap((methods) => Object.values(methods));
    for (const { operationId, 'x-codeSamples': forms } of all)
      samples.set(operationId, new Map(forms.map(({ label, source }) => [label, source])));
  });

  /** Runs programs with the credential of a company, whose job takes the place of the one in the samples. */
  async function caller() {
    const { acme, id } = await newJob('sandbox');
    const env = { PATH: process.env.PATH ?? '', TOKEN: await acme.secret('sandbox', 'write') };
    const own = (code: string) => code.replace('48213', String(id));
    const shell = async (command: string) => (await run('bash', ['-c', own(command)], { env })).stdout;
    return { own, env, shell };
  }

  it('allows scripts and connections of its own origin only, and inline styles only for the renderer', async () => {
    expect((await get('/docs')).headers['content-security-policy']).to.equal(
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;base-uri 'none';frame-ancestors 'none';form-action 'none';connect-src 'self'",
    );
    expect((await get('/')).headers['content-security-policy']).not.to.include('unsafe');
  });

  it('is the contract with the quick start first, which creates a job, and run again replays it', async () => {
    const contract = (await get('/openapi.json')).body;
    expect(reference.components?.schemas).to.deep.equal(contract.components.schemas);
    expect(reference.servers).to.deep.equal(contract.servers);
    expect(JSON.stringify(contract)).not.to.include('x-codeSamples');
    const { description = '' } = reference.info;
    expect(/^## (.*)$/m.exec(description)?.[1]).to.equal('Quick start');
    const [, , command = ''] = description.split(/^```(?:sh)?$/m).filter((_, at) => at % 2 === 1 || at === 0);
    const { shell } = await caller();
    expect(await shell(command)).to.match(/^HTTP\/1.1 201 [\s\S]*Location: /);
    expect(await shell(command)).to.match(/^HTTP\/1.1 200 [\s\S]*Idempotent-Replayed: true/);
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

  type Caller = Awaited<ReturnType<typeof caller>>;
  type Runner = (code: string, by: Caller, operationId: string) => Promise<void>;
  const runners: Readonly<Record<string, Runner>> = {
    curl: async (code, { shell }) => expectMatch(await shell(code), /^HTTP\/1.1 (200|201|204) /),
    MCP: async (code, { shell }) => expectMatch(await shell(code), /"isError":false/),
    'TypeScript client': async (code, { own, env }, operationId) => {
      expect(code).to.include(`client.${operationId}(`);
      const program = own(code).replace(/^import .*$/m, '');
      await new AsyncFunction('createClient', 'process', program)(createClient, { env });
    },
    'Python (httpx)': async (code, { own, env }) => {
      await run('python3', ['-c', own(code).replace('import httpx', httpx)], { env });
    },
  };
  for (const [form, runner] of Object.entries(runners))
    it(`its samples run: ${form}`, async function () {
      if (form.startsWith('Python') && !(await run('python3', ['--version']).catch(() => undefined)))
        return this.skip();
      const given = await caller();
      for (const [operationId, forms] of samples) {
        const code = forms.get(form);
        if (code !== undefined) await runner(code, given, operationId);
      }
    });
});

const expectMatch = (text: string, expected: RegExp): void => void expect(text).to.match(expected);

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

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<unknown>;
