import type { JsonText } from '../contract/types.ts';
import type { Call } from './call-tool.ts';
import { around, type Request, response } from './json-rpc.ts';
import { methodOf } from './methods.ts';
import { serverInfo } from './versions.ts';

/** What every result begins with. */
const head = `"resultType":"complete","_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })},`;

/** Private, because a read-only credential sees fewer tools. */
const caching = '"ttlMs":300000,"cacheScope":"private",';

/** Answers a request of the modern era, as readModern gives it, with the JSON of its response. Throws an RpcError. */
export async function answerModern({ id, method, params }: Request, call: Call): Promise<JsonText> {
  const known = methodOf('modern', method);
  if (!known) throw new Error(`readModern has not refused ${method}`);
  const members = await known.answer(params, call);
  return response(id, around(known.isCacheable ? head + caching : head, members, ''));
}
