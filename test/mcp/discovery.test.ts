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
import { head, parseAnswer, raw } from '../helper/raw-http.ts';

const catalogPath = '/.well-known/ai-catalog.json';
const cardPaths: Readonly<Record<Environment, string>> = {
  production: '/mcp/server-card',
  sandbox: '/sandbox/mcp/server-card',
};
const types: Readonly<Record<string, string>> = {
  [cardPaths.production]: 'application/mcp-server-card+json',
  [cardPaths.sandbox]: 'application/mcp-server-card+json',
  [catalogPath]: 'application/ai-catalog+json',
};
const paths = Object.keys(types);
const environments = ['production', 'sandbox'] as const;

const get = (at: Server, path: string, headers: Record<string, string> = {}) =>
  supertest(at)
    .get(path)
    .set(headers)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk));
      response.on('end', () => done(null, text));
    });

/** A document with the status 200. */
async function documentAt(at: Server, path: string, headers: Record<string, string> = {}) {
  const { status, body } = await get(at, path, headers);
  expect(status, body).to.equal(200);
  return JSON.parse(body);
}

describe('discovery documents', () => {
  it('are public, cacheable and readable by pages of any site', async () => {
    for (const path of paths) {
      const { status, headers } = await get(server(), path, { Origin: 'https://elsewhere.example' });
      expect(status, path).to.equal(200);
      expect(headers['content-type'], path).to.equal(types[path]);
      expect(headers['cache-control'], path).to.equal('public, max-age=3600');
      expect(headers['access-control-allow-origin'], path).to.equal('*');
      expect(headers['access-control-expose-headers'], path).to.equal('ETag');
      expect(headers['x-api-environment'], path).to.equal(path.startsWith('/sandbox') ? 'sandbox' : 'production');
      expect(headers['x-request-id'], path).to.match(/^[0-9a-f-]{36}$/);
      expect(headers['x-content-type-options'], path).to.equal('nosniff');
      expect(headers, path).to.not.have.any.keys('set-cookie', 'www-authenticate', 'access-control-allow-credentials');
    }
  });

  it('other methods are 405 with Allow, whatever they bring; only a preflight is answered', async () => {
    const secret = await (await newCompany()).secret('production', 'write');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const path of paths) {
      for (const method of ['post', 'put', 'patch', 'delete', 'options', 'trace'] as const) {
        const sent = supertest(server())[method](path).set('Authorization', `Bearer ${secret}`);
        const { status, headers, body } = await (method === 'post' ? sent.send(call) : sent);
        expect(status, `${method} ${path}`).to.equal(405);
        expect(headers.allow).to.equal('GET, HEAD');
        expect(headers['cache-control']).to.equal('no-store');
        expect(body.error.details).to.deep.equal({ reason: 'method' });
      }
      const preflight = await supertest(server())
        .options(path)
        .set({ Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' });
      expect([preflight.status, preflight.text]).to.deep.equal([204, '']);
      expect(preflight.headers['access-control-allow-headers']).to.equal('Content-Type, If-None-Match');
      expect(preflight.headers['access-control-allow-methods']).to.equal('GET, HEAD');
    }
  });

  it('a card agrees with what the server says of itself, and lists no tools', async () => {
    const acme = await newCompany();
    for (const environment of environments) {
      const card = await documentAt(server(), cardPaths[environment]);
      const client = new McpClient(server(), environment, await acme.secret(environment, 'read'));
      const versions: string[] = card.remotes[0].supportedProtocolVersions;
      expect(versions).to.deep.equal(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']);
      for (const version of versions.slice(1)) {
        const params = {
          protocolVersion: version,
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        };
        const { result } = (await client.request('initialize', params)).body;
        expect(result.protocolVersion).to.equal(version);
        expect([card.title, card.version]).to.deep.equal([result.serverInfo.title, result.serverInfo.version]);
        const [, name] = card.name.split('/');
        expect(name).to.equal(environment === 'sandbox' ? `${result.serverInfo.name}-sandbox` : result.serverInfo.name);
      }
      const modern = new ModernMcpClient(server(), environment, await acme.secret(environment, 'read'));
      const { result } = (await modern.request('server/discover')).body;
      expect(versions.slice(0, 1)).to.deep.equal(result.supportedVersions);
      const info = result._meta['io.modelcontextprotocol/serverInfo'];
      expect([card.title, card.version]).to.deep.equal([info.title, info.version]);
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

  const named: readonly (readonly [publicUrl: string, address: string, name: string, publisher: string])[] = [
    ['https://api.example.pt', 'https://api.example.pt', 'pt.example.api/vaga', 'api.example.pt'],
    ['HTTPS://API.Example.pt:8443/jobs/', 'https://api.example.pt:8443/jobs', 'pt.example.api/vaga', 'api.example.pt'],
    ['https://vagas.São.pt', 'https://vagas.xn--so-sia.pt', 'pt.xn--so-sia.vagas/vaga', 'vagas.xn--so-sia.pt'],
    ['https://203.0.113.7', 'https://203.0.113.7', 'localhost/vaga', 'localhost'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]', 'localhost/vaga', 'localhost'],
    ['https://intranet', 'https://intranet', 'localhost/vaga', 'localhost'],
    ['https://a_b.example.pt', 'https://a_b.example.pt', 'localhost/vaga', 'localhost'],
    ['https://api.example.pt', 'https://api.example.pt', 'pt.example/jobs', 'example.pt'],
  ];

  it('name the service by SERVER_NAME, else by the domain of PUBLIC_URL', async () => {
    for (const [publicUrl, address, name, publisher] of named) {
      const own = name === 'pt.example/jobs' ? { SERVER_NAME: name } : {};
      const at = await startApp({ PUBLIC_URL: publicUrl, ...own });
      const card = await documentAt(at, cardPaths.production);
      expect([card.name, card.remotes[0].url]).to.deep.equal([name, `${address}/mcp`]);
      expect(card.websiteUrl).to.equal(`${address}/docs`);
      const sandbox = await documentAt(at, cardPaths.sandbox);
      expect([sandbox.name, sandbox.remotes[0].url]).to.deep.equal([`${name}-sandbox`, `${address}/sandbox/mcp`]);
      const catalog = await documentAt(at, catalogPath);
      const [, local] = name.split('/');
      expect(catalog.entries.map(({ identifier, url }: Record<string, string>) => [identifier, url])).to.deep.equal([
        [`urn:air:${publisher}:mcp:${local}`, `${address}/mcp/server-card`],
        [`urn:air:${publisher}:mcp:${local}-sandbox`, `${address}/sandbox/mcp/server-card`],
      ]);
      for (const document of [card, sandbox]) expectShape('card', document);
      expectShape('catalog', catalog);
    }
  });
});

describe('the address in discovery documents', () => {
  const hosts = ['evil.example', 'localhost:1', '127.0.0.1', 'user@evil.example', 'a b', '', '"}{'];

  it('is PUBLIC_URL, whatever the Host and the headers of proxies say', async () => {
    const at = await startApp({ PUBLIC_URL: 'https://api.example.pt', TRUST_PROXY: '127.0.0.1' });
    for (const path of paths) {
      const expected = (await get(at, path)).body;
      for (const host of hosts) {
        const lines = [
          `Host: ${host}`,
          'X-Forwarded-Host: evil.example',
          'X-Forwarded-Proto: https',
          'Connection: close',
        ];
        const answer = parseAnswer(await raw(at, head(`GET ${path} HTTP/1.1`, ...lines)));
        expect([answer.status, answer.text], host).to.deep.equal([200, expected]);
      }
      const absolute = head(`GET http://evil.example${path} HTTP/1.1`, 'Host: x', 'Connection: close');
      expect(parseAnswer(await raw(await startApp({ PUBLIC_URL: 'https://api.example.pt' }), absolute)).text).to.equal(
        expected,
      );
    }
  });

  it('is that of a loopback listener without PUBLIC_URL; a foreign Host is 403', async () => {
    const address = addressOf(server());
    for (const path of paths) {
      for (const host of ['localhost', 'localhost:1', '127.0.0.1:99', '[::1]:3000', 'LOCALHOST']) {
        const text = JSON.stringify(
          await documentAt(server(), path, { Host: host, Origin: 'https://elsewhere.example' }),
        );
        expect(text.match(/https?:\/\/(?!static\.)[^/"]+/g), host).to.satisfy((found: string[]) =>
          found.every((origin) => origin === address),
        );
      }
      for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'a b', '']) {
        const sent = head(`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close');
        const { status, body } = parseAnswer(await raw(server(), sent));
        expect([status, (body as { error: { details: object } }).error.details], host).to.deep.equal([
          403,
          { reason: 'permission' },
        ]);
      }
    }
  });

  it('is unknown behind a proxy and on other listeners without PUBLIC_URL: 404', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vaga-discovery-'));
    try {
      const { certificate, key } = makeCertificate(folder);
      const proxied = await startApp({ TRUST_PROXY: '127.0.0.1' });
      // A loopback address that the service does not take for one.
      const open = await startApp({ HOST: '::ffff:127.0.0.1', TLS_CERT_FILE: certificate, TLS_KEY_FILE: key });
      for (const path of paths)
        for (const [at, more] of [
          [proxied, 'X-Forwarded-Proto: https'],
          [open, 'X-Other: 1'],
        ] as const) {
          const sent = head(`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', more, 'Connection: close');
          const { status, headers, body } = parseAnswer(await raw(at, sent));
          const { details, message } = (body as { error: { details: object; message: string } }).error;
          expect([status, details], path).to.deep.equal([404, { reason: 'path' }]);
          expect(message).to.include('PUBLIC_URL');
          expect(headers['cache-control']).to.equal('no-store');
        }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('discovery beside the endpoints', () => {
  it('needs https and counts against the address limit, but against no company’s', async () => {
    for (const path of paths) {
      const guarded = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
      const plain = await supertest(guarded).get(path).set('X-Forwarded-Proto', 'http');
      expect([plain.status, plain.body.error.details]).to.deep.equal([400, { reason: 'https' }]);
      const first = await get(guarded, path);
      expect(first.status).to.equal(200);
      expect(first.headers).to.not.have.property('ratelimit-limit');
      const second = await supertest(guarded).get(path);
      expect([second.status, second.body.error.details.reason]).to.deep.equal([429, 'address']);
      expect(second.headers['access-control-allow-origin']).to.equal('*');
      expect(Number(second.headers['retry-after'])).to.be.above(0);
    }
  });

  it('there is no OAuth: its metadata is a plain 404 in JSON without a challenge or a redirect', async () => {
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
        expect(status, where).to.equal(404);
        expect(headers['content-type'], where).to.equal('application/json; charset=utf-8');
        expect(headers, where).to.not.have.any.keys('location', 'www-authenticate', 'set-cookie');
        if (method !== 'head') expect(JSON.parse(text).error.details, where).to.deep.equal({ reason: 'path' });
      }
  });
});
