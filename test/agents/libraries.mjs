// node libraries.mjs LIBRARY URL TOKEN CALLS: connects with one library, lists the tools, makes the calls, and prints as JSON the names of the
// tools, what a model would read of their arguments, and of each result.
import { pathToFileURL } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { mcpToTool } from '@google/genai';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPServerStreamableHttp } from '@openai/agents';

const [, , library, url, token, calls] = process.argv;
const headers = { Authorization: `Bearer ${token}` };
const requestInit = { headers };

async function connected(transport) {
  const client = new Client({ name: 'agents', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

/** The tools of a client of the SDK, whose results hold text. */
async function ofSdk(transport) {
  const client = await connected(transport);
  const { tools } = await client.listTools();
  return {
    names: tools.map(({ name }) => name),
    offered: tools,
    call: async (name, given) => (await client.callTool({ name, arguments: given })).content[0].text,
    close: () => client.close(),
  };
}

const libraries = {
  'MCP SDK': () => ofSdk(new StreamableHTTPClientTransport(new URL(url), { requestInit })),
  'mcp-remote': () => {
    const proxy = new URL('node_modules/mcp-remote/dist/proxy.js', pathToFileURL(`${import.meta.dirname}/`)).pathname;
    const args = [proxy, url, '--allow-http', '--header', `Authorization:\${VAGA_AUTH}`];
    const env = { ...process.env, VAGA_AUTH: headers.Authorization };
    return ofSdk(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  },
  'AI SDK': async () => {
    const client = await createMCPClient({ transport: { type: 'http', url, headers } });
    const tools = await client.tools();
    return {
      names: Object.keys(tools),
      offered: await Promise.all(Object.values(tools).map(({ inputSchema }) => inputSchema.jsonSchema)),
      call: async (name, given) => {
        const { content } = await tools[name].execute(given, { toolCallId: 'one', messages: [] });
        return content[0].text;
      },
      close: () => client.close(),
    };
  },
  LangChain: async () => {
    const client = new MultiServerMCPClient({ vaga: { transport: 'http', url, headers } });
    const tools = await client.getTools();
    return {
      names: tools.map(({ name }) => name),
      offered: tools.map(convertToOpenAITool),
      call: async (name, given) => JSON.stringify(await tools.find((tool) => tool.name === name).invoke(given)),
      close: () => client.close(),
    };
  },
  '@openai/agents': async () => {
    const server = new MCPServerStreamableHttp({ url, name: 'vaga', requestInit });
    await server.connect();
    const tools = await server.listTools();
    return {
      names: tools.map(({ name }) => name),
      offered: tools,
      call: async (name, given) => (await server.callTool(name, given))[0].text,
      close: () => server.close(),
    };
  },
  '@google/genai': async () => {
    const client = await connected(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const callable = mcpToTool(client);
    const { functionDeclarations } = await callable.tool();
    return {
      names: functionDeclarations.map(({ name }) => name),
      offered: functionDeclarations,
      call: async (name, args) => JSON.stringify(await callable.callTool([{ name, args }])),
      close: () => client.close(),
    };
  },
};

const { names, offered, call, close } = await libraries[library]();
const read = [];
for (const [name, given] of JSON.parse(calls)) {
  read.push(await call(name, given).catch(({ message }) => message));
}
console.log(JSON.stringify({ names, offered: JSON.stringify(offered), read }));
await close();
process.exit(0);
