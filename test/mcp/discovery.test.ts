import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import supertest from 'supertest';
import { tools } from '../../src/contract/tools.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { addressOf } from '../helper/address.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { expectShape } from '../helper/discovery-shapes.ts';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient } from '../helper/mcp-client.ts';
import { ask, type RawAnswer } from '../helper/raw-http.ts';

const catalogPath = '/.well-known/ai-catalog.json';
const cardPaths: Readonly<Record<Environment, string>> = {
  production: '/mcp/server-card',
  sandbox: '/sandbox/mcp/server-card',
};
const paths = [cardPaths.production, cardPaths.sandbox, catalogPath];
const environments = ['production', 'sandbox'] as const;
const elsewhere = 'Origin: https://elsewhere.example';

/** A document with the status 200. */
async function documentAt(at: Server, path: string, host = '127.0.0.1', ...lines: string[]) {
  const { status, text } = await ask(at, `GET ${path}`, `Host: ${host}`, ...lines);
  expect(status, text).to.equal(200);
  return JSON.parse(text);
}

/** The status and details of a refusal. */
const refusalOf = ({ status, body }: RawAnswer) => [status, (body as { error: { details: object } }).error.details];

describe('discovery documents', () => {
  it('are public, cacheable and readable by pages of any site', async () => {
    for (const path of paths) {
      const { status, headers } = await ask(server(), `GET ${path}`, 'Host: 127.0.0.1', elsewhere);
      expect(status, path).to.equal(200);
      expect(headers, path).to.include({
        'content-type': `application/${path === catalogPath ? 'ai-catalog' : 'mcp-server-card'}+json`,
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag',
        'x-api-environment': path.startsWith('/sandbox') ? 'sandbox' : 'production',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['x-request-id'], path).to.match(/^[0-9a-f-]{36}$/);
      expect(headers, path).to.not.have.any.keys('set-cookie', 'www-authenticate', 'access-control-allow-credentials');
    }
  });

  it('other methods get 405 with Allow, whatever their headers; only a preflight is answered', async () => {
    const secret = await (await newCompany()).secret('production', 'write');
    const auth = `Authorization: Bearer ${secret}`;
    for (const path of paths) {
      const called = supertest(server()).post(path).auth(secret, { type: 'bearer' });
      expect((await called.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status, path).to.equal(405);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        const answer = await ask(server(), `${method} ${path}`, 'Host: 127.0.0.1', auth);
        expect(refusalOf(answer), `${method} ${path}`).to.deep.equal([405, { reason: 'method' }]);
        expect(answer.headers).to.include({ allow: 'GET, HEAD', 'cache-control': 'no-store' });
      }
      const asked = ['Host: 127.0.0.1', elsewhere, 'Access-Control-Request-Method: GET'];
      const preflight = await ask(server(), `OPTIONS ${path}`, ...asked);
      expect([preflight.status, preflight.text]).to.deep.equal([204, '']);
      expect(preflight.headers).to.include({
        'access-control-allow-headers': 'Content-Type, If-None-Match',
        'access-control-allow-methods': 'GET, HEAD',
      });
    }
  });

  it('a card agrees with the server’s own description, and lists no tools', async () => {
    const acme = await newCompany();
    for (const environment of environments) {
      const card = await documentAt(server(), cardPaths[environment]);
      const secret = await acme.secret(environment, 'read');
      const versions: string[] = card.remotes[0].supportedProtocolVersions;
      expect(versions).to.deep.equal(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']);
      const suffix = environment === 'sandbox' ? '-sandbox' : '';
      const agrees = ({ name, title, version }: Record<string, string>) =>
        expect([card.name.split('/')[1], card.title, card.version]).to.deep.equal([name + suffix, title, version]);
      const params = { protocolVersion: versions[1], capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const begun = await new McpClient(server(), environment, secret).request('initialize', params);
      agrees(begun.body.result.serverInfo);
      const { result } = (await new ModernMcpClient(server(), environment, secret).request('server/discover')).body;
      expect(versions.slice(0, 1)).to.deep.equal(result.supportedVersions);
      agrees(result._meta['io.modelcontextprotocol/serverInfo']);
      for (const { tool } of tools) expect(JSON.stringify(card)).to.not.include(tool.name);
    }
  });

  it('the catalog leads to both cards, and a card to its endpoint', async () => {
    const acme = await newCompany();
    const { entries } = await documentAt(server(), catalogPath);
    expect(entries).to.have.length(2);
    for (const [index, environment] of environments.entries()) {
      const card = await (await fetch(entries[index].url)).json();
      expect(card).to.deep.equal(await documentAt(server(), cardPaths[environment]));
      const [{ url, headers }] = card.remotes;
      const authorization = headers[0].value.replace('{token}', await acme.secret(environment, 'read'));
      const answer = await fetch(url, {
        method: 'POST',
        headers: { Authorization: authorization, 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      expect([answer.status, answer.headers.get('x-api-environment')]).to.deep.equal([200, environment]);
    }
  });

  it('name the service by SERVER_NAME, otherwise by the domain of PUBLIC_URL', async () => {
    for (const [publicUrl, address, name, serverName = ''] of [
      ['HTTPS://API.Example.pt:8443/jobs/', 'https://api.example.pt:8443/jobs', 'pt.example.api/vaga'],
      ['https://vagas.São.pt', 'https://vagas.xn--so-sia.pt', 'pt.xn--so-sia.vagas/vaga'],
      ['https://[2001:db8::1]', 'https://[2001:db8::1]', 'localhost/vaga'],
      ['https://api.example.pt', 'https://api.example.pt', 'pt.example/jobs', 'pt.example/jobs'],
    ] as const) {
      const at = await startApp({ PUBLIC_URL: publicUrl, SERVER_NAME: serverName });
      const [domain = '', local] = name.split('/');
      const publisher = domain.split('.').reverse().join('.');
      const catalog = await documentAt(at, catalogPath);
      expectShape('catalog', catalog);
      for (const [n, suffix] of ['', '-sandbox'].entries()) {
        const base = suffix === '' ? address : `${address}/sandbox`;
        const card = await documentAt(at, Object.values(cardPaths)[n] ?? '');
        expectShape('card', card);
        expect([card.name, card.remotes[0].url]).to.deep.equal([name + suffix, `${base}/mcp`]);
        expect(card.websiteUrl).to.equal(`${address}/docs`);
        const { identifier, url } = catalog.entries[n];
        expect([identifier, url]).to.deep.equal([
          `urn:air:${publisher}:mcp:${local}${suffix}`,
          `${base}/mcp/server-card`,
        ]);
      }
    }
  });

  it('use the address in PUBLIC_URL, whatever the Host and proxy headers say', async () => {
    const at = await startApp({ PUBLIC_URL: 'https://api.example.pt', TRUST_PROXY: '127.0.0.1' });
    const direct = await startApp({ PUBLIC_URL: 'https://api.example.pt' });
    const forwarded = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'];
    for (const path of paths) {
      const expected = await documentAt(at, path, 'x', 'X-Forwarded-Proto: https');
      expect(JSON.stringify(expected)).to.include('https://api.example.pt/').and.not.include('evil');
      for (const host of ['evil.example', 'localhost:1', '127.0.0.1', 'user@evil.example', 'a b', '', '"}{'])
        expect(await documentAt(at, path, host, ...forwarded), host).to.deep.equal(expected);
      expect(await documentAt(direct, `http://evil.example${path}`, 'x')).to.deep.equal(expected);
    }
  });

  it('use the loopback listener’s address without PUBLIC_URL; a foreign Host gets 403', async () => {
    const address = addressOf(server());
    for (const path of paths) {
      for (const host of ['localhost', 'localhost:1', '127.0.0.1:99', '[::1]:3000', 'LOCALHOST']) {
        const text = JSON.stringify(await documentAt(server(), path, host, elsewhere));
        const origins = new Set(text.match(/https?:\/\/(?!static\.)[^/"]+/g));
        expect([...origins], host).to.deep.equal([address]);
      }
      for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'a b', '']) {
        const refused = refusalOf(await ask(server(), `GET ${path}`, `Host: ${host}`));
        expect(refused, host).to.deep.equal([403, { reason: 'permission' }]);
      }
    }
  });

  it('are 404 without PUBLIC_URL behind a proxy or on another listener, because the address is unknown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vaga-discovery-'));
    const { certificate, key } = makeCertificate(folder);
    const proxied = await startApp({ TRUST_PROXY: '127.0.0.1' });
    // A loopback address that the service does not recognize as one.
    const open = await startApp({ HOST: '::ffff:127.0.0.1', TLS_CERT_FILE: certificate, TLS_KEY_FILE: key });
    for (const path of paths)
      for (const [at, more] of [
        [proxied, 'X-Forwarded-Proto: https'],
        [open, 'X-Other: 1'],
      ] as const) {
        const answer = await ask(at, `GET ${path}`, 'Host: 127.0.0.1', more);
        expect(refusalOf(answer), path).to.deep.equal([404, { reason: 'path' }]);
        expect(answer.text).to.include('PUBLIC_URL');
        expect(answer.headers['cache-control']).to.equal('no-store');
      }
    await rm(folder, { recursive: true });
  });

  it('need https, and count against the address limit but not against a company’s', async () => {
    for (const path of paths) {
      const guarded = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
      const plain = await ask(guarded, `GET ${path}`, 'Host: localhost', 'X-Forwarded-Proto: http');
      expect(refusalOf(plain)).to.deep.equal([400, { reason: 'https' }]);
      const first = await ask(guarded, `GET ${path}`, 'Host: localhost');
      expect(first.status).to.equal(200);
      expect(first.headers).to.not.have.property('ratelimit-limit');
      const second = await ask(guarded, `GET ${path}`, 'Host: localhost');
      const seconds = Number(second.headers['retry-after']);
      expect(refusalOf(second)).to.deep.equal([429, { reason: 'address', retry_after_seconds: seconds }]);
      expect(second.headers['access-control-allow-origin']).to.equal('*');
    }
  });

  it('offer no OAuth: its metadata is a plain 404 in JSON, without a challenge or a redirect', async () => {
    const documents = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'];
    const suffixes = ['', '/mcp', '/sandbox/mcp', '/mcp/server-card'];
    const wellKnown = documents.flatMap((name) => suffixes.map((suffix) => `/.well-known/${name}${suffix}`));
    const below = ['/mcp', '/sandbox/mcp'].flatMap((base) => documents.map((name) => `${base}/.well-known/${name}`));
    const endpoints = ['/authorize', '/token', '/register'];
    for (const path of [...wellKnown, ...below, ...endpoints])
      for (const method of ['get', 'head', 'post', 'options'] as const) {
        // A browser that opens an endpoint is shown a page.
        const accept = endpoints.includes(path) ? '*/*' : 'text/html, */*';
        const { status, headers, text } = await supertest(server())[method](path).set('Accept', accept);
        const where = `${method} ${path}`;
        expect([status, headers['content-type']], where).to.deep.equal([404, 'application/json; charset=utf-8']);
        expect(headers, where).to.not.have.any.keys('location', 'www-authenticate', 'set-cookie');
        if (method !== 'head') expect(JSON.parse(text).error.details, where).to.deep.equal({ reason: 'path' });
      }
  });
});
