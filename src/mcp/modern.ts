import type { JsonPieces } from '../domain/cached-json.ts';
import type { Environment } from '../domain/environment.ts';
import { type Call, callTool } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { codes, failure, type Params, type Request, response } from './json-rpc.ts';
import { isMethod, type ModernMethod } from './modern-request.ts';
import { paramsError, permittedTools } from './tools.ts';
import { capabilities, modernVersions, serverInfo } from './versions.ts';

/** What every result begins with. Results are written by members, so that large ones are never parsed or copied. */
const head = `"resultType":"complete","_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })}`;

/** Private, because a read-only credential sees fewer tools. */
const caching = '"ttlMs":300000,"cacheScope":"private"';

/** Answers a request of the modern era with the JSON of its response. */
export async function answerModern({ id, method, params }: Request, call: Call): Promise<string | JsonPieces> {
  const error = paramsError(method, params, call.ctx.actor);
  if (error) return failure(id, { code: codes.params, message: error });
  if (!isMethod(method)) throw new Error(`${method} is not served`);
  const members = await answers[method](call, params);
  return response(id, typeof members === 'string' ? `${head},${members}` : withHead(members));
}

const withHead = (members: JsonPieces): JsonPieces =>
  function* () {
    yield `${head},`;
    yield* members();
  };

const answers: Readonly<Record<ModernMethod, (call: Call, params: Params) => string | Promise<string | JsonPieces>>> = {
  'server/discover': ({ ctx }) => discovered(ctx.actor.tenant.environment),
  'tools/list': ({ ctx }) => `"tools":${JSON.stringify(permittedTools(ctx.actor))},${caching}`,
  'tools/call': (call, params) => callTool(params, call),
};

const discovered = (environment: Environment): string =>
  `"supportedVersions":${JSON.stringify(modernVersions)},"capabilities":${JSON.stringify(capabilities)},` +
  `"instructions":${JSON.stringify(instructionsFor(environment))},${caching}`;
