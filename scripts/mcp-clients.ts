import { policy } from '../src/domain/environment.ts';

/** An MCP client and what to give it. */
export interface McpClient {
  readonly name: string;
  /** Where it goes, and what to know, in Markdown. */
  readonly where: string;
  /** A command or a program; JSON as a value. */
  readonly paste: string | object | undefined;
  /** The language of `paste`. */
  readonly lang?: string;
}

/** MCP clients with the sandbox's endpoint at an address. README has the same table for the default address. */
export function mcpClients(address: string): readonly McpClient[] {
  const { mcpPath, tokenPrefix } = policy.sandbox;
  const url = `${address}${mcpPath}`;
  const bearer = `Bearer ${tokenPrefix}...`;
  return [
    {
      name: 'Claude Code',
      where: 'In a shell.',
      paste: `claude mcp add --transport http vaga ${url} --header "Authorization: Bearer $TOKEN"`,
    },
    {
      name: 'Codex',
      where: 'In a shell; Codex reads the variable `TOKEN` at each start.',
      paste: `codex mcp add vaga --url ${url} --bearer-token-env-var TOKEN`,
    },
    {
      name: 'VS Code',
      where: '`.vscode/mcp.json`; VS Code asks for the token.',
      paste: {
        inputs: [{ type: 'promptString', id: 'vaga_token', description: 'Vaga token', password: true }],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
        servers: { vaga: { type: 'http', url, headers: { Authorization: 'Bearer ${input:vaga_token}' } } },
      },
    },
    {
      name: 'Cursor',
      where: '`~/.cursor/mcp.json`',
      paste: { mcpServers: { vaga: { url, headers: { Authorization: bearer } } } },
    },
    {
      name: 'Claude Desktop',
      where: '`claude_desktop_config.json`, through mcp-remote, which needs Node.',
      paste: {
        mcpServers: {
          vaga: {
            command: 'npx',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in.
            args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${VAGA_AUTH}'],
            env: { VAGA_AUTH: bearer },
          },
        },
      },
    },
    {
      name: 'TypeScript SDK',
      where: '`@modelcontextprotocol/client` 2.',
      lang: 'typescript',
      paste: [
        "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';",
        '',
        "const client = new Client({ name: 'my-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });",
        "const headers = { Authorization: 'Bearer ' + process.env.TOKEN };",
        `await client.connect(new StreamableHTTPClientTransport(new URL('${url}'), { requestInit: { headers } }));`,
      ].join('\n'),
    },
    {
      name: 'Python SDK',
      where: '`mcp` 2. The SDKs of other languages take the same address and header.',
      lang: 'python',
      paste: `import asyncio, os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main():
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client("${url}", http_client=http)) as client:
            print(await client.list_tools())

asyncio.run(main())`,
    },
    {
      name: 'claude.ai',
      where:
        'A custom connector with a public address and, under _Request headers_, `Authorization`. That is a beta which not every account has; without it claude.ai speaks only OAuth, which Vaga does not.',
      paste: undefined,
    },
    { name: 'ChatGPT', where: 'Not possible: its connectors speak only OAuth, which Vaga does not.', paste: undefined },
  ];
}

/** One client as a part of a Markdown page. */
export function markdownOf({
  name,
  where,
  paste,
  lang = typeof paste === 'object' ? 'json' : 'sh',
}: McpClient): string {
  const text = typeof paste === 'object' ? JSON.stringify(paste, null, 2) : paste;
  return `### ${name}\n${where}${text === undefined ? '' : `\n\n\`\`\`${lang}\n${text}\n\`\`\``}`;
}
