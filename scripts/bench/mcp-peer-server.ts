import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { PrismaPg } from '@prisma/adapter-pg';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import express from 'express';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { type Tool, tools } from '../../src/contract/tools.ts';
import { type Caller, findCaller } from './peer-caller.ts';
import { failed, operations, type PeerReply, type PeerRequest } from './peer-operations.ts';
import { answerOnce } from './stateless.ts';

// The peer of MCP: what one would build instead, the SDK's documented stateless way, which makes a server and a transport for each
// request, on Prisma. The SDK's smaller server, whose tools' arguments are checked by ajv; JSON answers, not event streams. It leaves
// out what the peers of REST leave out.

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) });
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
  if (tool.scope === 'jobs:write' && caller.access !== 'write') return failed(403, 'The credential may only read.');
  if (!tool.isValid(given)) return failed(422, 'The arguments are not valid.');
  return operations[tool.operationId](prisma, caller, requestOf(given));
}

/** The tools have no other arguments. */
function requestOf({ id, idempotency_key: key, job, ...query }: Readonly<Record<string, unknown>>): PeerRequest {
  return { path: { id }, query, key: String(key), body: job };
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
  const token = request.get('authorization')?.replace(/^Bearer /, '') ?? '';
  const caller = await findCaller(prisma, token, new Date());
  if (!caller) {
    response.status(401).json({ error: 'A valid credential is needed.' });
    return;
  }
  await answerOnce(makeServer(caller), request, response);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
