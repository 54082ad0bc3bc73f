import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import express from 'express';
import { type Tool, tools } from '../../../src/contract/tools.ts';
import {
  type Caller,
  failed,
  findCaller,
  operations,
  type PeerReply,
  readOnly,
  unauthorized,
} from './prisma-operations.ts';
import { answerOnce } from './stateless.ts';

// The peer of MCP: what one would build instead, the SDK's documented stateless way, which makes a server and a transport for each
// request. The SDK's smaller server, whose tools' arguments are checked by ajv; JSON answers, not event streams.

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const known = new Map<string, Tool & { readonly isValid: ValidateFunction }>(
  tools.map((tool) => [tool.tool.name, { ...tool, isValid: ajv.compile(tool.tool.inputSchema) }]),
);

function makeServer(caller: Caller): Server {
  const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ tool }) => tool) as ListToolsResult['tools'],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
    resultOf(await run(caller, params.name, params.arguments ?? {})),
  );
  return server;
}

async function run(caller: Caller, name: string, given: Readonly<Record<string, unknown>>): Promise<PeerReply> {
  const tool = known.get(name);
  if (!tool) throw new McpError(ErrorCode.InvalidParams, 'There is no such tool.');
  if (tool.scope === 'jobs:write' && caller.access !== 'write') return readOnly;
  if (!tool.isValid(given)) return failed(422, 'The arguments are not valid.');
  // The tools have no other arguments.
  const { id, idempotency_key: key, job: body, ...query } = given;
  return operations[tool.operationId](caller, { path: { id }, query, key, body });
}

function resultOf({ status, body }: PeerReply): CallToolResult {
  const isError = status >= 400;
  const outcome = isError ? body : { response: body ?? null };
  const structuredContent = { environment: 'production', http_status: status, ...outcome };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError };
}

const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: 131_072, inflate: false }));
app.post('/mcp', async (request, response) => {
  const caller = await findCaller(request.get('authorization'));
  if (!caller) {
    response.status(401).json(unauthorized.body);
    return;
  }
  await answerOnce(makeServer(caller), request, response);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
