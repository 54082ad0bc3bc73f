import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { JSDOM } from 'jsdom';
import type { OpenAPIV3 } from 'openapi-types';
import supertest from 'supertest';
import { parse } from 'yaml';
import { createClient } from '../../src/client/index.ts';
import { operations } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, newJob, server, startApp } from '../helper/fixtures.ts';
import { addStored } from '../helper/stored-samples.ts';
import { readTools } from '../helper/tool-names.ts';

const run = promisify(execFile);
const html = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = html) => supertest(server()).get(path).set(headers);
const parser = new new JSDOM('').window.DOMParser();
const parsed = (text: string): Document => parser.parseFromString(text, 'text/html');
const file = (name: string): string => readFileSync(join(packageRoot, name), 'utf8');
const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';

describe('the front page', () => {
  it('is HTML for clients that prefer it; all others get the addresses and documents as JSON', async () => {
    const page = await get('/');
    expect(page.status).to.equal(200);
    expect(page.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    expect(page.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'x-api-environment': 'production',
      vary: 'Accept, Accept-Encoding, Accept-Language, Cookie',
    });
    for (const Accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/plain']) {
      const { status, headers, body } = await get('/', { Accept });
      expect([status, headers['content-type']]).to.deep.equal([200, 'application/json; charset=utf-8']);
      expect(headers.vary).to.equal('Accept, Accept-Encoding, Accept-Language, Cookie');
      expect(body.sandbox).to.deep.equal({ rest: '/sandbox/v1', mcp: '/sandbox/mcp' });
      for (const document of [body.openapi, body.llms, body.reference])
        expect((await get(document)).status, document).to.equal(200);
    }
    expect((await supertest(server()).post('/').set(html)).body.error.details).to.deep.equal({ reason: 'method' });
  });

  it('introduces the service and links to its parts', async () => {
    const page = parsed((await get('/')).text);
    const links = [...page.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
    expect(links).to.have.members(['/docs', '/dashboard', '/admin', '/openapi.yaml', '/openapi.json', '/llms.txt']);
    const addresses = [...page.querySelectorAll('code')].map(textOf);
    expect(addresses).to.include.members(['/v1', '/sandbox/v1', '/mcp', '/sandbox/mcp']);
    expect(textOf(page.querySelector('h1'))).to.match(/^Vaga/);
    const portuguese = parsed((await get('/', { ...html, 'Accept-Language': 'pt' })).text);
    expect([portuguese.documentElement.lang, textOf(portuguese.querySelector('h1'))]).to.deep.equal([
      'pt-PT',
      'Vaga: ofertas de emprego por API',
    ]);
    const form = supertest(server()).post('/language').type('form').set('Sec-Fetch-Site', 'same-origin');
    const chosen = await form.send({
      language: 'pt',
      next: String(page.querySelector<HTMLInputElement>('[name=next]')?.value),
    });
    expect(chosen.headers.location).to.equal('/');
    const Cookie = String(chosen.headers['set-cookie']).replace(/;.*/, '');
    expect(parsed((await get('/', { ...html, Cookie })).text).documentElement.lang).to.equal('pt-PT');
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

  it('the contents of the reference name every operation and schema, at its details', async () => {
    const document = parsed((await get('/docs')).text);
    const links = [...document.querySelectorAll('nav[aria-label=Contents] li li a')];
    const isSchema = (link: Element) => link.getAttribute('href')?.startsWith('#model/');
    expect(links.filter((link) => !isSchema(link))).to.have.length(operations.size);
    expect(links.filter(isSchema).map(textOf)).to.include.members(['Job', 'JobInput', 'Account']);
    for (const link of links) {
      const id = (link.getAttribute('href') ?? '').slice(1);
      expect(document.getElementById(id)?.closest('details'), id).to.not.equal(null);
    }
  });

  it('/favicon.ico is a small picture, and /docs/ leads to /docs', async () => {
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.headers['content-type']]).to.deep.equal([200, 'image/svg+xml']);
    const slash = await get('/docs/');
    expect([slash.status, slash.headers.location]).to.deep.equal([308, '/docs']);
  });

  it('an unknown address shows browsers a page in their language, and all others the error envelope', async () => {
    for (const path of ['/nope', '/docs/nope', '/assets/nope.css']) {
      const page = await get(path, { ...html, 'Accept-Language': 'pt' });
      expect([page.status, page.headers['content-type']], path).to.deep.equal([404, 'text/html; charset=utf-8']);
      const document = parsed(page.text);
      expect(textOf(document.querySelector('h1'))).to.equal('Não encontrado');
      expect(document.querySelector('form[action="/language"]')).to.not.equal(null);
      expect(page.headers['content-security-policy']).to.include("script-src 'self'");
      for (const Accept of ['*/*', 'application/json']) {
        const { status, headers, body } = await get(path, { Accept });
        expect([status, headers.vary, body.error.details], path).to.deep.equal([404, 'Accept', { reason: 'path' }]);
      }
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
    reference = (await get('/docs/reference.json')).body;
    const all = Object.values(reference.paths).flatMap((methods) => Object.values(methods));
    // A path may have parameters of its own.
    for (const { operationId, 'x-codeSamples': forms } of all.filter((one) => !Array.isArray(one)))
      samples.set(operationId, new Map(forms.map(({ label, source }) => [label, source])));
  });

  /** Runs programs with a company's credential. Its job replaces the one in the samples. */
  async function caller() {
    const { acme, id } = await newJob('sandbox');
    const env = { PATH: process.env.PATH ?? '', TOKEN: await acme.secret('sandbox', 'write') };
    const ids = new Map([['48213', BigInt(id)]]);
    for (const { resource } of storedResources) {
      const item = reference.paths[resource.operationOf('delete').path] as { parameters?: { example?: unknown }[] };
      ids.set(String(item.parameters?.[0]?.example), await addStored(resource, acme.id, 'sandbox'));
    }
    const own = (code: string) => [...ids].reduce((text, [example, real]) => text.replace(example, String(real)), code);
    const shell = async (command: string) => (await run('bash', ['-c', own(command)], { env })).stdout;
    return { own, env, shell };
  }

  it('allows only scripts and connections of its own origin, and inline styles only for the renderer', async () => {
    expect((await get('/docs/try')).headers['content-security-policy']).to.equal(
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;base-uri 'none';frame-ancestors 'none';form-action 'none';connect-src 'self'",
    );
    for (const path of ['/', '/docs'])
      expect((await get(path)).headers['content-security-policy']).not.to.include('unsafe');
  });

  it('is the contract after a quick start, which creates a job, and replays it when run again', async () => {
    const contract = (await get('/openapi.json')).body;
    expect(reference.components?.schemas).to.deep.equal(contract.components.schemas);
    expect(reference.servers?.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/sandbox/v1', '/v1']);
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
    PHP: async (code, { shell }) => expectMatch(await shell(`php <<'PROGRAM'\n${code}\nPROGRAM`), /^(200|201|204)\n/),
  };
  const programs: Readonly<Record<string, string>> = { 'Python (httpx)': 'python3', PHP: 'php' };
  for (const [form, runner] of Object.entries(runners))
    it(`its samples run: ${form}`, async function () {
      if (!(await run(programs[form] ?? 'bash', ['--version']).catch(() => undefined))) return this.skip();
      const given = await caller();
      for (const [operationId, forms] of samples) {
        const code = forms.get(form);
        if (code !== undefined) await runner(code, given, operationId);
      }
    });
});

describe('the published contract', () => {
  it('is served without a credential at the root and under both bases, as it is written but for its address', async () => {
    const own = (text: string) => text.replaceAll('http://127.0.0.1:3000', addressOf(server()));
    for (const base of ['', '/v1', '/sandbox/v1']) {
      const yaml = await get(`${base}/openapi.yaml`, {}).responseType('text');
      expect(yaml.status).to.equal(200);
      expect(String(yaml.body)).to.equal(own(file('openapi.yaml')));
      expect(yaml.headers['content-type']).to.equal('application/yaml; charset=utf-8');
      const json = await get(`${base}/openapi.json`, {});
      expect(json.text).to.equal(own(file('generated/openapi.json')));
      expect(json.body).to.deep.equal(parse(own(file('openapi.yaml'))));
      expect(json.headers['x-api-environment']).to.equal(base.startsWith('/sandbox') ? 'sandbox' : 'production');
      expect(json.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it('has a strong ETag: 304 without a body for the same tag, otherwise 200', async () => {
    const discovery = ['/mcp/server-card', '/sandbox/mcp/server-card', '/.well-known/ai-catalog.json'];
    const references = ['/v1/openapi.json', '/sandbox/v1/openapi.yaml', '/llms.txt', '/docs', '/vaga-client.tgz'];
    for (const path of [...references, ...discovery]) {
      const kept = `public, max-age=${discovery.includes(path) ? 3600 : 300}`;
      const first = await get(path, {});
      expect(first.headers.etag, path).to.match(/^"[\w-]{27}"$/);
      expect(first.headers['cache-control']).to.equal(kept);
      for (const tag of [first.headers.etag ?? '', `"other", W/${first.headers.etag}`, '*']) {
        const again = await get(path, {}).set('If-None-Match', tag);
        expect([again.status, again.text], `${path} ${tag}`).to.deep.equal([304, '']);
        expect(again.headers).to.include({ etag: first.headers.etag, 'cache-control': kept });
        expect(again.headers['content-length']).to.equal(undefined);
      }
      expect((await get(path, {}).set('If-None-Match', '"other"')).status).to.equal(200);
    }
  });

  it('HEAD gets the headers without the bytes, also of compressed ones, which have their own ETag; other methods get 405', async () => {
    const lengths: (string | undefined)[] = [];
    for (const path of ['/', '/v1/openapi.json']) {
      const [packed, plain] = await Promise.all(
        ['gzip', 'identity'].map((encoding) =>
          supertest(server()).head(path).set(html).set('Accept-Encoding', encoding),
        ),
      );
      expect([packed?.status, packed?.text, packed?.headers['content-encoding']]).to.deep.equal([
        200,
        undefined,
        'gzip',
      ]);
      expect(packed?.headers.vary).to.include('Accept-Encoding');
      expect(packed?.headers.etag).to.not.equal(plain?.headers.etag);
      const again = await get(path).set('If-None-Match', String(packed?.headers.etag));
      expect(again.status, path).to.equal(304);
      lengths.push(plain?.headers['content-length']);
    }
    expect(Number(lengths[1])).to.equal(Buffer.byteLength((await get('/openapi.json')).text));
    const post = await supertest(server()).post('/v1/openapi.json').send({});
    expect([post.status, post.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
    expect(post.body.error.details).to.deep.equal({ reason: 'method' });
  });
});

it('/vaga-client.tgz is the typed client’s package, compressed once; HEAD has its size, other methods get 405', async () => {
  const bytes = readFileSync(join(packageRoot, 'dist/vaga-client.tgz'));
  const { headers } = await supertest(server()).head('/vaga-client.tgz').set('Accept-Encoding', 'gzip');
  expect(headers).to.include({ 'content-type': 'application/gzip', 'content-length': String(bytes.length) });
  expect(headers).to.not.have.property('content-encoding');
  const answer = await fetch(`${addressOf(server())}/vaga-client.tgz`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
  expect(gunzipSync(bytes).toString('latin1')).to.include('"name": "@vaga/client"');
  const post = await supertest(server()).post('/vaga-client.tgz');
  expect([post.status, post.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
});

it('the public documents contain the service’s address if it is known; llms.txt has every endpoint and tool', async () => {
  const at = await startApp({ PUBLIC_URL: 'https://vaga.example' });
  const textAt = async (path: string) => String((await supertest(at).get(path).set(html).responseType('text')).body);
  expect(await textAt('/')).to.include('https://vaga.example/sandbox/mcp');
  for (const path of ['/openapi.json', '/openapi.yaml'])
    expect(serversOf(parse(await textAt(path)))).to.deep.equal([
      'https://vaga.example/sandbox/v1',
      'https://vaga.example/v1',
    ]);
  const { text, headers } = await supertest(at).get('/llms.txt');
  expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
  expect(text).to.match(/^# Vaga job posting API\n\n> /);
  expect(text.match(/^- `(GET|POST|PATCH|DELETE) \//gm)).to.have.length(operations.size);
  for (const { tool } of tools) expect(text).to.include(`\n- \`${tool.name}\`: `);
  expect(text).to.include('](https://vaga.example/openapi.yaml)');
  expect(text.length).to.be.below(6500 + 200 * operations.size);
});

const serversOf = ({ servers = [] }: OpenAPIV3.Document): string[] => servers.map(({ url }) => url);

it('what is published needs no substitution: without PUBLIC_URL it names the listener, whatever the Host', async () => {
  const address = addressOf(server());
  const Host = 'elsewhere.example';
  const { body } = await get('/openapi.json', { Host });
  expect(serversOf(body)).to.deep.equal([`${address}/sandbox/v1`, `${address}/v1`]);
  for (const path of ['/openapi.yaml', '/docs', '/docs/reference.json', '/llms.txt']) {
    const { text } = await get(path, { Host }).buffer();
    expect(text, path).to.include(`${address}/sandbox/`).and.not.include('{address}').and.not.include(Host);
  }
});

it('a service that cannot know its address publishes servers that are relative to the contract', async () => {
  const at = await startApp({ HOST: '0.0.0.0', TRUST_PROXY: 'loopback' });
  const { body } = await supertest(at)
    .get('/openapi.json')
    .set({ Host: 'elsewhere.example', 'X-Forwarded-Proto': 'https' });
  expect(serversOf(body)).to.deep.equal(['/sandbox/v1', '/v1']);
});

const readme = file('src/mcp/README.md');

/** By client name: where to configure the client and what to paste, from the reference. */
async function clients(at: Server): Promise<Map<string, { where: string; paste: string }>> {
  const { body } = await supertest(at).get('/docs/reference.json');
  const [, section = ''] = body.info.description.split(/^## Connect an agent/m);
  const [, ...parts]: string[] = section.split(/^### Discovery/m)[0].split(/^### /m);
  return new Map(
    parts.map((part) => {
      const [name = '', where = ''] = part.split('\n');
      return [name, { where, paste: /^```\w+\n(.*?)\n```$/ms.exec(part)?.[1] ?? '' }];
    }),
  );
}

/** A row of src/mcp/README.md: JSON in one line, and a program only in the reference. */
function readmeRow([name, { where, paste }]: readonly [string, { where: string; paste: string }]): string {
  const line = paste.startsWith('{') ? JSON.stringify(JSON.parse(paste)) : paste;
  const shown = line === '' ? '-' : line.includes('\n') ? 'see `/docs`' : `\`${line}\``;
  return `| ${name} | ${where} | ${shown} |`;
}

describe('the table of MCP clients', () => {
  it('is the same in src/mcp/README.md, for the default address', async () => {
    const rows = [...(await clients(await startApp({ PUBLIC_URL: 'http://127.0.0.1:3000' })))].map(readmeRow);
    expect(readme).to.include(`| --- | --- | --- |\n${rows.join('\n')}\n`);
  });

  it('every snippet has the real address of the sandbox, and JSON parses', async () => {
    const shown = await clients(await startApp({ PUBLIC_URL: 'https://api.example.pt/' }));
    const address = 'https://api.example.pt/sandbox/mcp';
    for (const [name, { paste }] of shown) if (paste !== '') expect(paste, name).to.include(address);
    const json = (name: string) => JSON.parse(shown.get(name)?.paste ?? '');
    expect(json('VS Code').servers.vaga).to.deep.include({ type: 'http', url: address });
    expect(json('VS Code').servers.vaga.headers.Authorization).to.include(json('VS Code').inputs[0].id);
    expect(json('Cursor').mcpServers.vaga).to.deep.equal({
      url: address,
      headers: { Authorization: `Bearer \${env:TOKEN}` },
    });
    expect(json('Claude Desktop').mcpServers.vaga.args).to.include(address);
    for (const [, text] of readme.matchAll(/\| `(\{.*\})` \|$/gm)) expect(JSON.parse(text ?? '')).to.be.an('object');
  });

  it('the program for the TypeScript SDK connects unchanged, with the newest version', async () => {
    const [, program = ''] =
      /^import [^\n]*(.*?)^console/ms.exec((await clients(server())).get('TypeScript SDK')?.paste ?? '') ?? [];
    const TOKEN = await (await newCompany()).secret('sandbox', 'read');
    const run = new AsyncFunction('Client', 'StreamableHTTPClientTransport', 'process', `${program}\nreturn client;`);
    const client = (await run(Client, StreamableHTTPClientTransport, { env: { TOKEN } })) as Client;
    expect(client.getNegotiatedProtocolVersion()).to.equal('2026-07-28');
    expect((await client.listTools()).tools).to.have.length(readTools.length);
    await client.close();
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
