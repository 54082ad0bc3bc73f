import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, type CallToolResult, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import express from 'express';
import { tools } from '../../../src/contract/tools.ts';
import { type Asked, type Claim, claimOf, failed, operations, unauthorized } from './floor-operations.ts';

// The MCP peer: the SDK's documented stateless setup (each request gets its own server and transport, which answers in JSON) with the
// operations of floor-operations.ts. ajv checks the arguments of tools.

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const known = new Map(tools.map((tool) => [tool.tool.name, { ...tool, validate: ajv.compile(tool.tool.inputSchema) }]));

async function callTool(claim: Claim, name: string, given: Record<string, unknown>): Promise<CallToolResult> {
  const tool = known.get(name);
  const operation = operations[tool?.operationId ?? ''];
  if (!tool || !operation) throw Object.assign(new Error('There is no such tool.'), { code: ErrorCode.InvalidParams });
  const { id, idempotency_key: key, job: body, ...query } = given;
  const answer = tool.validate(given)
    ? await operation(claim, { id, query, key, body } as Asked)
    : failed(422, 'The arguments are not valid.');
  const [isError, response] = [answer.status >= 400, JSON.parse(answer.text)];
  const outcome = isError ? response : { response };
  const structuredContent = { environment: 'production', http_status: answer.status, ...outcome };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError };
}

const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: 131_072, inflate: false }));
app.post('/mcp', async (request, response) => {
  const claim = claimOf(request.get('authorization'));
  if (!claim) {
    response.status(401).type('json').send(unauthorized.text);
    return;
  }
  const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(claim, params.name, params.arguments ?? {}));
  // Without a sessionIdGenerator, the transport is stateless.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<Server['connect']>[0]);
  await transport.handleRequest(request, response, request.body);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
