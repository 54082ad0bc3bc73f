import type { OperationId } from '../../src/contract/types.ts';
import { job } from './hostile.ts';
import { judged, printTable } from './report.ts';
import { type HttpRequest, type Input, newJob, requestOver, restRequest, send } from './requests.ts';
import { type ChildServer, processCpu, startEmbedded } from './servers.ts';

/** The most CPU ms that a request may take, and that a batch of messages may take. */
const [requestMax, batchMax] = [15, 30];

export async function measure({ isShort }: { isShort: boolean }): Promise<void> {
  const { server, makeCompany } = await startEmbedded();
  const token = await makeCompany('Author', '--production-approved');
  await sendWrongInputs(server, wrongInputs(token, await makeCompany('Refused')), isShort ? 1 : 10);
}

const fill = (item: unknown, count: number): unknown[] => Array(count).fill(item);
/** Makes an object with short names: a00, a01, ... */
const named = (count: number, prefix = '') =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index): [string, number] => [`${prefix}${(12_960 + index).toString(36)}`, 1]),
  );
/** Unknown names that resemble known ones. */
const similar = named(20, 'contact_instructions_experience_years_professional_requirem');
const wrong = fill(7, 50);
const wrongLists = { education_details: wrong, professional_requirements: wrong, language_requirements: wrong };

type Kind = readonly [kind: string, status: number, next: () => HttpRequest, cpuMax?: number];

/** Returns functions that make one company's requests. */
function sendersOf(token: string) {
  const post = (fields: object) => restRequest('createJob', token, newJob({ ...job, ...fields }));
  const call = (operationId: OperationId, input: Input) => requestOver.mcp(operationId, token, input);
  const listWith = (count: number) => call('listJobs', { query: named(count) });
  return { post, call, listWith };
}

type Senders = ReturnType<typeof sendersOf>;

/** The most expensive valid request: a job with every text and list at its maximum. */
function valid({ post }: Senders): readonly Kind[] {
  const list = fill('x'.repeat(500), 50);
  const largest = {
    body: '<p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais.</p>'.repeat(380),
    contact_instructions: 'x'.repeat(3000),
    ...{ education_details: list, professional_requirements: list, language_requirements: list },
  };
  return [['a valid job of 108 KB, for comparison', 201, () => post(largest), Number.POSITIVE_INFINITY]];
}

function longTexts({ post, call }: Senders): readonly Kind[] {
  const texts: readonly (readonly [string, string])[] = [
    ['`a@a@a@`', 'a@'],
    ['`é`', 'é'],
    ['`<b>`', '<b>'],
    ['blanks', ' '],
    ['emoji', '\u{1f600}'],
  ];
  const long = (piece: string) => piece.repeat(Math.floor(126_000 / Buffer.byteLength(piece)));
  return [
    ...texts.flatMap(([name, piece]): Kind[] => [
      [`126 KB of ${name} as an e-mail address`, 422, () => post({ contact_email: long(piece) })],
      [`126 KB of ${name} as a day`, 422, () => post({ valid_until: long(piece) })],
      [`126 KB of ${name} as the name of a field`, 422, () => post({ [long(piece)]: 1 })],
    ]),
    ['126 KB of text in a list', 422, () => post({ education_details: ['x'.repeat(126_000)] })],
    ['the same over MCP', 200, () => call('createJob', newJob({ ...job, education_details: ['x'.repeat(126_000)] }))],
    ['126 KB as `idempotency_key`', 200, () => call('createJob', { key: long('k'), job: {} })],
    [
      '63 KB of quotes as `if_match`',
      200,
      () => call('updateJob', { id: 1, query: { if_match: '"'.repeat(63_000) }, job: {} }),
    ],
  ];
}

function deep({ post, call }: Senders, token: string): readonly Kind[] {
  const nested = '['.repeat(60_000) + ']'.repeat(60_000);
  const withText = (request: HttpRequest, text: string): HttpRequest => ({
    ...request,
    body: request.body?.replace('"text"', text) ?? '',
  });
  return [
    [
      'a body of 60,000 nested brackets',
      422,
      () => withText(restRequest('createJob', token, { key: 'k', job: ['text'] }), nested),
    ],
    ['the same in a field', 422, () => withText(post({ education_details: 'text' }), nested.slice(1000, -1000))],
    [
      'the same over MCP',
      200,
      () => withText(call('createJob', newJob({ ...job, education_details: 'text' })), nested.slice(1000, -1000)),
    ],
  ];
}

/** `refused` is a token of a company without approval. */
function manyItems({ post, call, listWith }: Senders, token: string, refused: string): readonly Kind[] {
  const nulls = fill(null, 11_000);
  const numbers = (count: number) => ({ education_details: fill(7, count) });
  const large = newJob({ ...job, ...numbers(30_000) });
  /** A token that does not exist. It is refused whatever the body, which is read only for the id of the message. */
  const unknownToken = `vaga_live_${'x'.repeat(40)}`;
  return [
    ['12,000 unknown properties', 422, () => post(named(12_000))],
    ['the same beside a field that is wrong', 422, () => post({ ...named(11_500), title: 5 })],
    ['MCP `list_jobs` with 15,000 unknown arguments', 200, () => listWith(15_000)],
    ['12,000 texts with NUL in a list', 422, () => post({ education_details: fill('a\0', 12_000) })],
    ['64,000 numbers in `education_details`', 422, () => post(numbers(64_000))],
    ['the same over MCP, 30,000 numbers', 200, () => call('createJob', large)],
    ['the same with a token that does not exist', 401, () => requestOver.mcp('createJob', unknownToken, large)],
    ['the same with the token of a company without approval', 403, () => requestOver.mcp('createJob', refused, large)],
    ['the same over REST, where the body is not read', 403, () => restRequest('createJob', refused, large)],
    ['22,000 nulls in two lists', 422, () => post({ education_details: nulls, language_requirements: nulls })],
    ['`GET /jobs` with 1,800 query names', 422, () => restRequest('listJobs', token, { query: named(1800) })],
    ['20 unknown properties with names like known ones', 422, () => post(similar)],
  ];
}

function batches({ call, listWith }: Senders): readonly Kind[] {
  const batchOf20 = (next: () => HttpRequest): HttpRequest => {
    const [first, ...others] = Array.from({ length: 20 }, next) as [HttpRequest, ...HttpRequest[]];
    const headers = { ...first.headers, 'mcp-protocol-version': '2025-03-26' };
    return { ...first, headers, body: `[${[first, ...others].map(({ body }) => body)}]` };
  };
  return [
    ['a batch of 20 `list_jobs` with 700 each', 200, () => batchOf20(() => listWith(700)), batchMax],
    [
      'a batch of 20 `create_job` with 20 each',
      200,
      () => batchOf20(() => call('createJob', { query: similar })),
      batchMax,
    ],
    [
      'a batch of 20 `create_job` with 50 wrong items in each list',
      200,
      () => batchOf20(() => call('createJob', newJob({ ...job, ...wrongLists }))),
      batchMax,
    ],
  ];
}

/** Inputs of up to 128 KiB that are wrong in many ways, after a valid one. `refused` is a token of a company without approval. */
function wrongInputs(token: string, refused: string): readonly Kind[] {
  const senders = sendersOf(token);
  const wrong = [...longTexts(senders), ...deep(senders, token), ...manyItems(senders, token, refused)];
  return [...valid(senders), ...wrong, ...batches(senders)];
}

/** Sends each kind of input, and prints the CPU of the whole process for one request of it. */
async function sendWrongInputs({ origin, pid }: ChildServer, kinds: readonly Kind[], rounds: number): Promise<void> {
  const sentEach = 10;
  const cpu = kinds.map(() => 0);
  for (let round = 0; round <= rounds; round++)
    for (const [index, [kind, expected, next]] of kinds.entries()) {
      const before = processCpu(pid);
      for (let number = 0; number < sentEach; number++) {
        const { status } = await send(origin, next());
        if (status !== expected) throw new Error(`${kind}: ${status}`);
      }
      // The first round warms up.
      if (round > 0) cpu[index] = (cpu[index] ?? 0) + processCpu(pid) - before;
    }
  const rows = cpu.map((total, index) => [
    kinds[index]?.[0] ?? '',
    judged(total / rounds / sentEach / 1000, kinds[index]?.[3] ?? requestMax),
  ]);
  printTable([['one request', 'CPU ms'], ...rows]);
}
