import type { Server } from 'node:http';
import { expect } from 'chai';
import supertest from 'supertest';
import { newCompany, startApp } from '../helper/fixtures.ts';
import { PageClient } from '../helper/page-client.ts';

type Headers = Readonly<Record<string, string>>;

/** Our peer and the subnet of another proxy. */
const trusted = { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, 2001:db8:a::/48' };
const https = { 'X-Forwarded-Proto': 'https' };

describe('X-Forwarded-For', () => {
  const ask = async (at: Server, list: string): Promise<number> =>
    (
      await supertest(at)
        .get('/sandbox/v1/account')
        .set({ ...https, 'X-Forwarded-For': list })
    ).status;

  /** How many requests of these lists get past a guard that lets each address have four (a refused credential costs eleven). */
  const passed = async (lists: readonly string[]): Promise<number> => {
    const at = await startApp({ ...trusted, IP_REQUESTS_PER_MINUTE: '44' });
    let count = 0;
    for (const list of lists) count += Number((await ask(at, list)) === 401);
    return count;
  };
  const ports = Array.from({ length: 10 }, (_, at) => 40_000 + at);

  it('with a port counts as the same address on every connection', async () => {
    for (const [name, listOf] of [
      ['IPv4', (port: number) => `203.0.113.7:${port}`],
      ['IPv6', (port: number) => `[2001:db8:b::1]:${port}`],
      ['IPv6 in brackets or not', (port: number) => (port % 2 ? '[2001:db8:b::1]' : '2001:db8:b::1')],
      ['a trusted proxy in the middle', (port: number) => `203.0.113.7:${port}, 10.1.2.3:${port}`],
      ['one of IPv6', (port: number) => `192.0.2.${port % 250}, 203.0.113.7:${port}, [2001:db8:a::9]:${port}`],
    ] as const)
      expect(await passed(ports.map(listOf)), name).to.equal(4);
  });

  it('of another client is another address', async () => {
    expect(await passed(ports.map((port) => `203.0.113.${port % 250}:${port}`))).to.equal(ports.length);
  });

  it('counts for pages too', async () => {
    const at = await startApp({ ...trusted, IP_REQUESTS_PER_MINUTE: '4' });
    const statuses: number[] = [];
    for (const port of ports) {
      const client = new PageClient('company', at, { ...https, 'X-Forwarded-For': `203.0.113.7:${port}, 10.0.0.1:80` });
      statuses.push((await client.get('/sign-in')).status);
    }
    expect(statuses.filter((status) => status === 200)).to.have.length(4);
  });
});

describe('X-Forwarded-Proto', () => {
  const client = '203.0.113.7';
  const rows: readonly (readonly [name: string, headers: Headers, isSecure: boolean])[] = [
    ['of one proxy', { 'X-Forwarded-Proto': 'https' }, true],
    ['in capitals', { 'X-Forwarded-Proto': 'HTTPS' }, true],
    ['made up before the one of our proxy', { 'X-Forwarded-Proto': 'https, http', 'X-Forwarded-For': client }, false],
    ['of our proxy after one made up', { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-For': client }, true],
    [
      'of two trusted proxies: the one that the client spoke to',
      { 'X-Forwarded-Proto': 'https, http', 'X-Forwarded-For': `${client}, 10.0.0.1` },
      true,
    ],
    [
      'of two trusted proxies, after one made up',
      { 'X-Forwarded-Proto': 'https, http, https', 'X-Forwarded-For': `192.0.2.1, ${client}:9, 10.0.0.1:80` },
      false,
    ],
    [
      'fewer values than proxies: the first',
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': `${client}, 10.0.0.1, 10.0.0.2` },
      true,
    ],
    ['empty', { 'X-Forwarded-Proto': ' ' }, false],
    ['nothing but commas', { 'X-Forwarded-Proto': ',,' }, false],
  ];

  it('counts as written by the last trusted proxy, for REST, MCP, pages and their cookie', async () => {
    const at = await startApp(trusted);
    const auth = { Authorization: `Bearer ${await (await newCompany()).secret('sandbox', 'read')}` };
    for (const [name, headers, isSecure] of rows) {
      const rest = await supertest(at).get('/sandbox/v1/account').set(auth).set(headers);
      expect(rest.status, name).to.equal(isSecure ? 200 : 400);
      expect(rest.headers['strict-transport-security'] !== undefined, name).to.equal(isSecure);
      const mcp = supertest(at).post('/sandbox/mcp').set(auth).set(headers);
      expect((await mcp.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).status, name).to.equal(isSecure ? 200 : 400);
      expect((await supertest(at).get('/llms.txt').set(headers)).status, name).to.equal(isSecure ? 200 : 400);
      const page = await new PageClient('company', at, headers).get('/sign-in');
      expect(page.status, name).to.equal(isSecure ? 200 : 400);
      if (isSecure) expect(page.headers['set-cookie']?.[0], name).to.include('; Secure');
    }
  });
});
