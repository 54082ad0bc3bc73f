import { codes, isObject, type Request, type RpcError } from './json-rpc.ts';

type Params = Readonly<Record<string, unknown>>;
type Checked = { readonly params: Params } | { readonly error: RpcError };

const wrong = (message: string): Checked => ({ error: { code: codes.params, message } });

/** Per method, what the protocol layer is handed: known members only, each of its type. */
const checks: Readonly<Record<string, (params: Params) => Checked>> = {
  initialize: ({ protocolVersion, capabilities, clientInfo }) => {
    if (typeof protocolVersion !== 'string') return wrong('protocolVersion must be a string.');
    if (!isObject(capabilities)) return wrong('capabilities must be an object.');
    if (!isObject(clientInfo) || typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string')
      return wrong('clientInfo must be an object with the strings name and version.');
    const { name, version } = clientInfo;
    return { params: { protocolVersion, capabilities: {}, clientInfo: { name, version } } };
  },
  'tools/list': ({ cursor }) =>
    cursor === undefined ? { params: {} } : wrong('There is no such page: tools/list answers all tools at once.'),
  'tools/call': ({ name, arguments: given = {} }) => {
    if (typeof name !== 'string') return wrong('name must be a string, the name of a tool.');
    if (!isObject(given)) return wrong('arguments must be an object.');
    return { params: { name, arguments: given } };
  },
};

/**
 * The params of a request as the SDK may see them, or -32602. Checked before it, because it answers a wrong shape with
 * its validator's internals or not at all; `_meta` (progress, tasks) is left out, as none of it is offered.
 */
export function checkParams({ method, params = {} }: Request): Checked {
  return Object.hasOwn(checks, method) ? (checks[method] as (given: Params) => Checked)(params) : { params: {} };
}
