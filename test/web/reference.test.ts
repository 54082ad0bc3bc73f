import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import supertest from 'supertest';
import { parse } from 'yaml';
import { tools } from '../../src/contract/tools.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server, startApp } from '../helper/fixtures.ts';

const file = (name: string): string => readFileSync(join(packageRoot, name), 'utf8');
const get = (path: string) => supertest(server()).get(path);

describe('the published contract', () => {
  it('is served without a credential, byte for byte, at the root and under both bases', async () => {
    for (const base of ['', '/v1', '/sandbox/v1']) {
      const yaml = await get(`${base}/openapi.yaml`).responseType('text');
      expect(yaml.status).to.equal(200);
      expect(String(yaml.body)).to.equal(file('openapi.yaml'));
      expect(yaml.headers['content-type']).to.equal('application/yaml; charset=utf-8');
      const json = await get(`${base}/openapi.json`);
      expect(json.text).to.equal(file('generated/openapi.json'));
      expect(json.body).to.deep.equal(parse(file('openapi.yaml'), { merge: true }));
      expect(json.headers['x-api-environment']).to.equal(base.startsWith('/sandbox') ? 'sandbox' : 'production');
      expect(json.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it('has a strong ETag: 304 without a body for the same tag, 200 for any other', async () => {
    const discovery = ['/mcp/server-card', '/sandbox/mcp/server-card', '/.well-known/ai-catalog.json'];
    const references = ['/v1/openapi.json', '/sandbox/v1/openapi.yaml', '/llms.txt', '/docs'];
    for (const path of [...references, ...discovery]) {
      const kept = `public, max-age=${discovery.includes(path) ? 3600 : 300}`;
      const first = await get(path);
      expect(first.headers.etag, path).to.match(/^"[\w-]{27}"$/);
      expect(first.headers['cache-control']).to.equal(kept);
      for (const tag of [first.headers.etag ?? '', `"other", W/${first.headers.etag}`, '*']) {
        const again = await get(path).set('If-None-Match', tag);
        expect([again.status, again.text], `${path} ${tag}`).to.deep.equal([304, '']);
        expect(again.headers).to.include({ etag: first.headers.etag, 'cache-control': kept });
        expect(again.headers['content-length']).to.equal(undefined);
      }
      expect((await get(path).set('If-None-Match', '"other"')).status).to.equal(200);
    }
  });

  it('compressed bytes have their own ETag', async () => {
    const packed = await get('/openapi.json').set('Accept-Encoding', 'gzip');
    const plain = await get('/openapi.json').set('Accept-Encoding', 'identity');
    expect([packed, plain].map(({ headers }) => headers['content-encoding'])).to.deep.equal(['gzip', undefined]);
    expect(packed.headers.vary).to.equal('Accept-Encoding');
    expect(packed.headers.etag).to.not.equal(plain.headers.etag);
    expect(packed.body).to.deep.equal(plain.body);
  });

  it('HEAD has the headers without the bytes; other methods are 405', async () => {
    const head = await supertest(server()).head('/v1/openapi.json').set('Accept-Encoding', 'identity');
    expect(head.status).to.equal(200);
    expect(Number(head.headers['content-length'])).to.equal(Buffer.byteLength(file('generated/openapi.json')));
    const post = await supertest(server()).post('/v1/openapi.json').send({});
    expect([post.status, post.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
    expect(post.body.error.details).to.deep.equal({ reason: 'method' });
  });
});

describe('llms.txt', () => {
  it('describes the service from the contract, with every endpoint and tool', async () => {
    const { text, headers } = await supertest(await startApp({ PUBLIC_URL: 'https://vaga.example' })).get('/llms.txt');
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(text).to.match(/^# Vaga job posting API\n\n> /);
    expect(text.match(/^- `(GET|POST|PATCH|DELETE) \//gm)).to.have.length(10);
    for (const { tool } of tools) expect(text).to.include(`\n- \`${tool.name}\`: `);
    expect(text).to.include('](https://vaga.example/openapi.yaml)');
    expect(text.length).to.be.below(8000);
  });
});

const AsyncFunction = (async () => undefined).constructor as new (
  ...args: string[]
) => (...args: unknown[]) => Promise<unknown>;
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');

/** What the reference says of each client, and what to paste, by the client's name, at the address at which it is opened. */
async function clients(at: Server, address = addressOf(at)): Promise<Map<string, { where: string; paste: string }>> {
  const { body } = await supertest(at).get('/docs/reference.json');
  const [, section = ''] = body.info.description.replaceAll('{address}', address).split(/^## Connect an agent/m);
  const [, ...parts]: string[] = section.split(/^### Discovery/m)[0].split(/^### /m);
  return new Map(
    parts.map((part) => {
      const [name = '', where = ''] = part.split('\n');
      return [name, { where, paste: /^```\w+\n(.*?)\n```$/ms.exec(part)?.[1] ?? '' }];
    }),
  );
}

/** README's row: JSON in one line, and a program only in the reference. */
function readmeRow([name, { where, paste }]: readonly [string, { where: string; paste: string }]): string {
  const line = paste.startsWith('{') ? JSON.stringify(JSON.parse(paste)) : paste;
  const shown = line === '' ? '-' : line.includes('\n') ? 'see `/docs`' : `\`${line}\``;
  return `| ${name} | ${where} | ${shown} |`;
}

describe('the table of MCP clients', () => {
  it('is the same in README, for the default address', async () => {
    const rows = [...(await clients(server(), 'http://127.0.0.1:3000'))].map(readmeRow);
    expect(readme).to.include(`| --- | --- | --- |\n${rows.join('\n')}\n`);
  });

  it('every snippet has the real address of the sandbox, and JSON parses', async () => {
    const shown = await clients(server(), 'https://api.example.pt');
    const address = 'https://api.example.pt/sandbox/mcp';
    for (const [name, { paste }] of shown) if (paste !== '') expect(paste, name).to.include(address);
    const json = (name: string) => JSON.parse(shown.get(name)?.paste ?? '');
    expect(json('VS Code').servers.vaga).to.deep.include({ type: 'http', url: address });
    expect(json('VS Code').servers.vaga.headers.Authorization).to.include(json('VS Code').inputs[0].id);
    expect(json('Cursor').mcpServers.vaga).to.deep.equal({
      url: address,
      headers: { Authorization: 'Bearer vaga_test_...' },
    });
    expect(json('Claude Desktop').mcpServers.vaga.args).to.include(address);
    for (const [, text] of readme.matchAll(/\| `(\{.*\})` \|$/gm)) expect(JSON.parse(text ?? '')).to.be.an('object');
  });

  it('the program for the TypeScript SDK connects as it is written, with the newest version', async () => {
    const [, program = ''] = (await clients(server())).get('TypeScript SDK')?.paste.split(/^import .*$/m) ?? [];
    const TOKEN = await (await newCompany()).secret('sandbox', 'read');
    const run = new AsyncFunction('Client', 'StreamableHTTPClientTransport', 'process', `${program}\nreturn client;`);
    const client = (await run(Client, StreamableHTTPClientTransport, { env: { TOKEN } })) as Client;
    expect(client.getNegotiatedProtocolVersion()).to.equal('2026-07-28');
    expect((await client.listTools()).tools).to.have.length(6);
    await client.close();
  });
});
