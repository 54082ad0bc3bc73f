import { send } from './load.ts';
import { markdownTable } from './report.ts';
import type { HttpRequest } from './requests.ts';
import { processCpu } from './servers.ts';

const bytes = 130_000;
const [rounds, sentEach] = [5, 10];
const costMax = 1.5;

const fill = (item: unknown): unknown[] => Array(Math.floor(bytes / (JSON.stringify(item).length + 1))).fill(item);
const names = (count: number, prefix = 'k'): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]));
/** 20 names that are looked for among the known ones. */
const similar = names(20, 'contact_instructions_experience_years_professional_requirem');
const list = Array(50).fill('x'.repeat(500));
const wrong = Array(50).fill(7);
const wrongLists = { education_details: wrong, professional_requirements: wrong, language_requirements: wrong };
const rpc = { jsonrpc: '2.0', method: 'tools/call' };
const call = (id: number, name: string, given: object) => ({ ...rpc, id, params: { name, arguments: given } });
const batchOf = (name: string, given: object) => Array.from({ length: 20 }, (_, id) => call(id, name, given));
const paragraph = '<p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais.</p>';

/** CPU of the whole process for each kind of wrong input, beside the dearest valid request: a job with every text and list at its largest. */
export async function hostileInputs(
  { origin, pid }: { readonly origin: string; readonly pid: number },
  token: string,
  job: object,
): Promise<string> {
  let sent = 0;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (fields: object): HttpRequest => ({
    ...{ method: 'POST', path: '/v1/jobs', headers: { ...headers, 'idempotency-key': `h${++sent}` } },
    body: JSON.stringify({ ...job, ...fields }),
  });
  const get = (query: object): HttpRequest => ({
    ...{
      method: 'GET',
      path: `/v1/jobs?${new URLSearchParams(Object.entries(query).map(([n, v]) => [n, String(v)]))}`,
    },
    headers,
  });
  const mcp = (message: unknown): HttpRequest => ({
    ...{ method: 'POST', path: '/mcp', headers: { ...headers, accept: 'application/json, text/event-stream' } },
    body: JSON.stringify(message),
  });
  const numbers = { job: { ...job, education_details: fill(7).slice(0, 30_000) }, idempotency_key: 'k' };
  const nulls = Array(11_000).fill(null);
  const kinds: Readonly<Record<string, () => HttpRequest>> = {
    'a valid job of 108 KB': () =>
      post({
        ...{ body: paragraph.repeat(380), contact_instructions: 'x'.repeat(3000) },
        ...{ education_details: list, professional_requirements: list, language_requirements: list },
      }),
    'a job of 126 KB that breaks one rule': () => post({ requirements: 'x'.repeat(bytes - 1000) }),
    '64,000 numbers in `education_details`': () => post({ education_details: fill(7) }),
    'the same over MCP, 30,000 numbers': () => mcp(call(1, 'create_job', numbers)),
    '22,000 nulls in two lists': () => post({ education_details: nulls, language_requirements: nulls }),
    '9,000 unknown properties': () => post(names(9000)),
    '20 unknown properties with names like known ones': () => post(similar),
    'a batch of 20 `create_job` with 20 such arguments each': () => mcp(batchOf('create_job', similar)),
    'a batch of 20 `create_job` with 50 wrong items in each list': () =>
      mcp(batchOf('create_job', { job: { ...job, ...wrongLists }, idempotency_key: 'k' })),
    'MCP `list_jobs` with 12,500 unknown arguments': () => mcp(call(1, 'list_jobs', names(12_500))),
    '`GET /jobs` with 1,800 query names': () => get(names(1800)),
    'a batch of 20 `list_jobs` with 600 unknown arguments each': () => mcp(batchOf('list_jobs', names(600))),
  };
  const cpu = new Map<string, number>();
  for (let round = 0; round <= rounds; round++)
    for (const [kind, next] of Object.entries(kinds)) {
      const before = processCpu(pid);
      for (let number = 0; number < sentEach; number++) {
        const { status } = await send(origin, next());
        if (status !== (kind.includes('valid') ? 201 : kind.includes('MCP') || kind.includes('batch') ? 200 : 422))
          throw new Error(`${kind}: ${status}`);
      }
      // The first round warms up.
      if (round > 0) cpu.set(kind, (cpu.get(kind) ?? 0) + processCpu(pid) - before);
    }
  const [valid = 0] = cpu.values();
  const rows = [...cpu].map(([kind, total]) => [
    kind,
    (total / rounds / sentEach / 1000).toFixed(1),
    `${(total / valid).toFixed(2)} (below ${costMax}: ${total < valid * costMax ? 'met' : 'missed'})`,
  ]);
  return markdownTable([['one request', 'CPU ms', 'of the valid one'], ...rows]);
}
