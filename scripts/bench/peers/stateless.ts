import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import express, { type Express, type Request, type Response } from 'express';
import { type Tool, tools } from '../../../src/contract/tools.ts';

type Call = (tool: Tool, given: Record<string, unknown>) => Promise<CallToolResult>;

export function makeApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  return app;
}

export const jsonBody = express.json({ limit: 131_072, inflate: false });

/**
 * The SDK's documented stateless way: a server of this request answers it, over a transport of its own, in JSON. The SDK's smaller
 * server, which leaves the arguments of tools to `call`.
 */
export async function answerOnce(
  info: ConstructorParameters<typeof Server>,
  call: Call,
  request: Request,
  response: Response,
): Promise<void> {
  const server = new Server(...info);
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ tool }) => tool) as ListToolsResult['tools'],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find((other) => other.tool.name === params.name);
    if (!tool)
      throw Object.assign(new Error('There is no such tool; tools/list names the available ones.'), {
        code: ErrorCode.InvalidParams,
      });
    return call(tool, params.arguments ?? {});
  });
  // Without a sessionIdGenerator it is stateless.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<Server['connect']>[0]);
  await transport.handleRequest(request, response, request.body);
}
