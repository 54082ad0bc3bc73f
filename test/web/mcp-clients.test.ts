import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { JSDOM } from 'jsdom';
import supertest from 'supertest';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { type McpClient, mcpClients } from '../../src/web/reference/mcp-clients.ts';
import { newCompany, server, startApp } from '../helper/fixtures.ts';

const AsyncFunction = (async () => undefined).constructor as new (
  ...args: string[]
) => (...args: unknown[]) => Promise<unknown>;
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');

/** README's row: JSON in one line, and a program only in the reference. */
function readmeRow({ name, where, paste }: McpClient): string {
  const line = typeof paste === 'object' ? JSON.stringify(paste) : paste;
  const shown = line === undefined ? '-' : line.includes('\n') ? 'see `/docs`' : `\`${line}\``;
  return `| ${name} | ${where} | ${shown} |`;
}

/** What the reference shows for each client, by the client's name. */
async function pasted(at: Server): Promise<Map<string, string>> {
  const { text } = await supertest(at).get('/docs');
  const rows = [...new JSDOM(text).window.document.querySelectorAll('#clients tbody tr')];
  return new Map(
    rows.map((row) => [row.querySelector('th')?.textContent ?? '', row.querySelector('pre')?.textContent ?? '']),
  );
}

describe('the table of MCP clients', () => {
  it('is the same in README, for the default address', () => {
    const rows = mcpClients('http://127.0.0.1:3000').map(readmeRow);
    expect(readme).to.include(`| --- | --- | --- |\n${rows.join('\n')}\n`);
  });

  it('names every client, and for those that take no token says so instead', async () => {
    const names = [
      'Claude Code',
      'Codex',
      'VS Code',
      'Cursor',
      'Claude Desktop',
      'TypeScript SDK',
      'claude.ai',
      'ChatGPT',
    ];
    const shown = await pasted(server());
    expect([...shown.keys()]).to.deep.equal(names);
    expect(names.filter((name) => shown.get(name) === '')).to.deep.equal(['claude.ai', 'ChatGPT']);
  });

  it('every snippet has the real address of the sandbox, and JSON parses', async () => {
    const shown = await pasted(await startApp({ PUBLIC_URL: 'https://api.example.pt' }));
    const address = 'https://api.example.pt/sandbox/mcp';
    for (const [name, text] of shown) if (text !== '') expect(text, name).to.include(address);
    const json = (name: string) => JSON.parse(shown.get(name) ?? '');
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
    const [, program = ''] = (await pasted(server())).get('TypeScript SDK')?.split(/^import .*$/m) ?? [];
    const address = `http://127.0.0.1:${(server().address() as AddressInfo).port}`;
    const own = program.replace('http://127.0.0.1:3000', address);
    const TOKEN = await (await newCompany()).secret('sandbox', 'read');
    const run = new AsyncFunction('Client', 'StreamableHTTPClientTransport', 'process', `${own}\nreturn client;`);
    const client = (await run(Client, StreamableHTTPClientTransport, { env: { TOKEN } })) as Client;
    expect(client.getNegotiatedProtocolVersion()).to.equal('2026-07-28');
    expect((await client.listTools()).tools).to.have.length(6);
    await client.close();
  });

  it('the shell commands take the address and the token as their clients want them', async () => {
    const shown = await pasted(server());
    expect(shown.get('Claude Code')).to.match(
      /^claude mcp add --transport http vaga http:\S+ --header "Authorization: Bearer \$TOKEN"$/,
    );
    expect(shown.get('Codex')).to.match(/^codex mcp add vaga --url http:\S+ --bearer-token-env-var TOKEN$/);
  });
});
