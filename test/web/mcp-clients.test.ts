import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import supertest from 'supertest';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';

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

async function pasted(at: Server, address?: string): Promise<Map<string, string>> {
  return new Map([...(await clients(at, address))].map(([name, { paste }]) => [name, paste]));
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
    const shown = await pasted(server(), 'https://api.example.pt');
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
    const TOKEN = await (await newCompany()).secret('sandbox', 'read');
    const run = new AsyncFunction('Client', 'StreamableHTTPClientTransport', 'process', `${program}\nreturn client;`);
    const client = (await run(Client, StreamableHTTPClientTransport, { env: { TOKEN } })) as Client;
    expect(client.getNegotiatedProtocolVersion()).to.equal('2026-07-28');
    expect((await client.listTools()).tools).to.have.length(6);
    await client.close();
  });
});
