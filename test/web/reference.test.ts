import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import supertest from 'supertest';
import { parse } from 'yaml';
import { tools } from '../../src/contract/tools.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { server, startApp } from '../helper/fixtures.ts';

const file = (name: string): string => readFileSync(join(packageRoot, name), 'utf8');
const bases = ['', '/v1', '/sandbox/v1'];

describe('the published contract', () => {
  it('is served without a credential, byte for byte, at the root and under both bases', async () => {
    for (const base of bases) {
      const yaml = await supertest(server()).get(`${base}/openapi.yaml`).responseType('text');
      expect(yaml.status).to.equal(200);
      expect(String(yaml.body)).to.equal(file('openapi.yaml'));
      expect(yaml.headers['content-type']).to.equal('application/yaml; charset=utf-8');
      const json = await supertest(server()).get(`${base}/openapi.json`);
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
      const first = await supertest(server()).get(path);
      expect(first.headers.etag, path).to.match(/^"[\w-]{27}"$/);
      expect(first.headers['cache-control']).to.equal(kept);
      const tags = [first.headers.etag ?? '', `"other", W/${first.headers.etag}`, '*'];
      for (const tag of tags) {
        const again = await supertest(server()).get(path).set('If-None-Match', tag);
        expect(again.status, `${path} ${tag}`).to.equal(304);
        expect(again.text).to.equal('');
        expect(again.headers.etag).to.equal(first.headers.etag);
        expect(again.headers['cache-control']).to.equal(kept);
        expect(again.headers['content-length']).to.equal(undefined);
      }
      expect((await supertest(server()).get(path).set('If-None-Match', '"other"')).status).to.equal(200);
    }
  });

  it('compressed bytes have their own ETag', async () => {
    const get = (encoding: string) => supertest(server()).get('/openapi.json').set('Accept-Encoding', encoding);
    const [packed, plain] = [await get('gzip'), await get('identity')];
    expect(packed.headers['content-encoding']).to.equal('gzip');
    expect(plain.headers['content-encoding']).to.equal(undefined);
    expect(packed.headers.vary).to.equal('Accept-Encoding');
    expect(packed.headers.etag).to.not.equal(plain.headers.etag);
    expect(packed.body).to.deep.equal(plain.body);
  });

  it('HEAD has the headers without the bytes; other methods are 405', async () => {
    const head = await supertest(server()).head('/v1/openapi.json').set('Accept-Encoding', 'identity');
    expect(head.status).to.equal(200);
    expect(Number(head.headers['content-length'])).to.equal(Buffer.byteLength(file('generated/openapi.json')));
    const post = await supertest(server()).post('/v1/openapi.json').send({});
    expect(post.status).to.equal(405);
    expect(post.headers.allow).to.equal('GET, HEAD');
    expect(post.body.error.details).to.deep.equal({ reason: 'method' });
  });
});

describe('llms.txt', () => {
  it('describes the service from the contract, with every endpoint and tool', async () => {
    const { text, headers } = await supertest(await startApp({ PUBLIC_URL: 'https://vaga.example' })).get('/llms.txt');
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(text).to.match(/^# Vaga job posting API\n\n> /);
    for (const heading of ['Authentication', 'Limits', 'Errors', 'Endpoints', 'Tools (MCP)', 'Contract'])
      expect(text).to.include(`\n## ${heading}\n`);
    expect(text.match(/^- `(GET|POST|PATCH|DELETE) \//gm)).to.have.length(10);
    for (const { tool } of tools) expect(text).to.include(`\n- \`${tool.name}\`: `);
    expect(text).to.include('](https://vaga.example/openapi.yaml)');
    expect(text.length).to.be.below(8000);
  });
});
