import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { tools } from '../../../src/contract/tools.ts';
import * as peer from './prisma-operations.ts';
import { answerOnce, jsonBody, makeApp } from './stateless.ts';

// The peer of MCP: what one would build instead, the SDK's stateless server on Prisma, the arguments of tools checked by ajv.

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const validators = new Map(tools.map((tool) => [tool, ajv.compile(tool.tool.inputSchema)]));

function resultOf({ status, body }: peer.PeerReply) {
  const isError = status >= 400;
  const outcome = isError ? body : { response: body ?? null };
  const structuredContent = { environment: 'production', http_status: status, ...outcome };
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent, isError };
}

const app = makeApp();
app.use(jsonBody);
app.post('/mcp', async (request, response) => {
  const caller = await peer.findCaller(request.get('authorization'));
  if (!caller) {
    response.status(401).json(peer.unauthorized.body);
    return;
  }
  const info = [{ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } }] as const;
  const call: Parameters<typeof answerOnce>[1] = async (tool, given) => {
    if (tool.scope === 'jobs:write' && caller.access !== 'write') return resultOf(peer.readOnly);
    if (!validators.get(tool)?.(given)) return resultOf(peer.failed(422, 'The arguments are not valid.'));
    // The tools have no other arguments.
    const { id, idempotency_key: key, job: body, ...query } = given;
    return resultOf(await peer.operations[tool.operationId](caller, { path: { id }, query, key, body }));
  };
  await answerOnce([...info], call, request, response);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
