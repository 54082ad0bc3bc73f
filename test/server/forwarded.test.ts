import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { expect } from 'chai';
import supertest from 'supertest';
import { makeSecret } from '../../src/domain/token.ts';
import { newCompany, startApp } from '../helper/fixtures.ts';
import { PageClient } from '../helper/page-client.ts';
import { times } from '../helper/times.ts';

/** Our peer and the subnet of another proxy. */
const trusted = { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, 2001:db8:a::/48' };
const unknown = makeSecret({ environment: 'sandbox', companyId: 1n }, randomBytes(24));
const bearer = { type: 'bearer' } as const;
const forwarded = (list: string, proto = 'https') => ({ 'X-Forwarded-Proto': proto, 'X-Forwarded-For': list });

describe('X-Forwarded-For', () => {
  /** An unknown credential costs eleven. */
  const account = async (at: Server, list: string): Promise<boolean> =>
    (await supertest(at).get('/sandbox/v1/account').auth(unknown, bearer).set(forwarded(list))).status === 401;
  const page = async (at: Server, list: string): Promise<boolean> =>
    (await new PageClient('company', at, forwarded(list)).get('/sign-in')).status === 200;

  /** Makes the header from the port. Of ten requests with it, how many get the answer that they would get alone. */
  const rows: readonly (readonly [listOf: (port: number) => string, ask: typeof account, passed: number])[] = [
    [(port) => `203.0.113.7:${port}`, account, 4],
    [(port) => `[2001:db8:b::1]:${port}`, account, 4],
    [(port) => (port % 2 ? '[2001:db8:b::1]' : '2001:db8:b::1'), account, 4],
    // Behind trusted proxies.
    [(port) => `203.0.113.7:${port}, 10.1.2.3:${port}`, account, 4],
    [(port) => `192.0.2.${port % 250}, 203.0.113.7:${port}, [2001:db8:a::9]:${port}`, account, 4],
    [(port) => `203.0.113.7:${port}, 10.0.0.1:80`, page, 4],
    // A different client each time.
    [(port) => `203.0.113.${port % 250}:${port}`, account, 10],
  ];

  it('counts as the same address on every connection, with or without a port', async () => {
    for (const [listOf, ask, passed] of rows) {
      const at = await startApp({ ...trusted, IP_REQUESTS_PER_MINUTE: ask === page ? '4' : '44' });
      let count = 0;
      for (const port of times(10, (n) => 40_000 + n)) count += Number(await ask(at, listOf(port)));
      expect(count, listOf(1)).to.equal(passed);
    }
  });
});

describe('X-Forwarded-Proto', () => {
  const client = '203.0.113.7';
  const rows: readonly (readonly [headers: Record<string, string>, isSecure: boolean])[] = [
    [{ 'X-Forwarded-Proto': 'https' }, true],
    [{ 'X-Forwarded-Proto': 'HTTPS' }, true],
    // An invented address, before or after the one from our proxy.
    [forwarded(client, 'https, http'), false],
    [forwarded(client, 'http, https'), true],
    // Of two trusted proxies, the value from the one that the client spoke to.
    [forwarded(`${client}, 10.0.0.1`, 'https, http'), true],
    [forwarded(`192.0.2.1, ${client}:9, 10.0.0.1:80`, 'https, http, https'), false],
    // With fewer values than proxies, the first value.
    [forwarded(`${client}, 10.0.0.1, 10.0.0.2`), true],
    [{ 'X-Forwarded-Proto': ' ' }, false],
    [{ 'X-Forwarded-Proto': ',,' }, false],
  ];

  it('counts as the last trusted proxy wrote it, for REST, MCP, pages and their cookie', async () => {
    const at = await startApp(trusted);
    const auth = { Authorization: `Bearer ${await (await newCompany()).secret('sandbox', 'read')}` };
    for (const [headers, isSecure] of rows) {
      const [rest, mcp, text, page] = [
        await supertest(at).get('/sandbox/v1/account').set(auth).set(headers),
        await supertest(at).post('/sandbox/mcp').set(auth).set(headers).send({ jsonrpc: '2.0', id: 1, method: 'ping' }),
        await supertest(at).get('/llms.txt').set(headers),
        await new PageClient('company', at, headers).get('/sign-in'),
      ];
      const name = JSON.stringify(headers);
      const statuses = [rest, mcp, text, page].map(({ status }) => status);
      expect(statuses, name).to.deep.equal(Array(4).fill(isSecure ? 200 : 400));
      for (const { headers } of [rest, mcp, text, page])
        expect(headers['strict-transport-security'], name).to.equal(isSecure ? 'max-age=31536000' : undefined);
      if (isSecure) expect(page.headers['set-cookie']?.[0], name).to.include('; Secure');
    }
  });
});

it('without a trusted proxy, a request that came through one is refused', async () => {
  const reader = await (await newCompany()).reader();
  for (const [name, value, status] of [
    ['X-Other', 'x', 200],
    ['X-Forwarded-Proto', 'http', 400],
    ['X-Forwarded-Proto', 'https', 400],
    ['X-Forwarded-For', '192.0.2.1', 400],
    ['Forwarded', 'for=192.0.2.1;proto=https', 400],
  ] as const) {
    const answer = await reader.get('/options', { [name]: value });
    expect([answer.status, answer.headers['strict-transport-security']], name).to.deep.equal([status, undefined]);
  }
});
