import type { JsonText } from '../contract/types.ts';
import type { Call } from './call-tool.ts';
import { around, type Request, response } from './json-rpc.ts';
import { modernMethods } from './methods.ts';
import { serverInfo } from './versions.ts';

/** The first members of every result. */
const head = `"resultType":"complete","_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })},`;

/** Private, because a read-only credential sees fewer tools. */
const caching = '"ttlMs":300000,"cacheScope":"private",';

/** Answers a request from readModern with the JSON of its response. Throws an RpcError. */
export async function answerModern({ id, method, params }: Request, call: Call): Promise<JsonText> {
  const known = modernMethods.get(method);
  if (!known) throw new Error(`readModern has not refused ${method}`);
  const members = await known.answer(params, call);
  return response(id, around(known.isCacheable ? head + caching : head, members, ''));
}
