import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Request, Response } from 'express';

/** The SDK's documented stateless way: a server of this request alone answers it, over a transport of its own. */
export async function answerOnce(server: Server, request: Request, response: Response): Promise<void> {
  // Without a sessionIdGenerator it is stateless.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<Server['connect']>[0]);
  await transport.handleRequest(request, response, request.body);
}
