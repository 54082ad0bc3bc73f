import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ChildServer } from './child-server.ts';
import { type Ask, loads, type Measured, measured } from './operations.ts';
import { restRequest } from './questions.ts';
import { otherToken, withoutIdentity } from './same-job.ts';
import type { SampleData } from './sample-data.ts';

interface Answer {
  readonly status: number;
  readonly replayed: string | null;
  readonly located: boolean;
  readonly body: { readonly data?: Readonly<Record<string, unknown>>; readonly meta?: unknown };
}

type Asker = (operationId: Measured, ask: Ask, token?: string) => Promise<Answer>;

/**
 * Asserts that the servers do the same work: equal answers to the same requests of every operation, the same status for the same
 * mistakes. `bare` has the reference data only.
 */
export async function assertSameAnswers(
  servers: readonly ChildServer[],
  bare: ChildServer | undefined,
  sample: SampleData,
): Promise<void> {
  const [first, ...others] = await Promise.all(servers.map((server, turn) => answersOf(server, sample, turn)));
  others.forEach((answers, index) => {
    deepStrictEqual(answers, first, `${servers[index + 1]?.name} does not answer as ${servers[0]?.name} does`);
  });
  if (!bare) return;
  const lists = await referenceOf(askerOf(bare, sample));
  deepStrictEqual(lists, first?.reference, `${bare.name} does not answer as ${servers[0]?.name} does`);
}

async function answersOf(server: ChildServer, sample: SampleData, turn: number) {
  const ask = askerOf(server, sample);
  return {
    reference: await referenceOf(ask),
    account: await ask('getAccount', {}),
    read: await ask('getJob', { id: sample.reader.jobIds[0] ?? 0 }),
    lists: await listsOf(ask),
    creates: await createsOf(ask, server.name, sample),
    changes: await changesOf(ask, sample.writer.jobIds[2 * turn] ?? 0),
    withdrawals: await withdrawalsOf(ask, sample.writer.jobIds[2 * turn + 1] ?? 0),
    mistakes: await mistakesOf(ask, sample),
  };
}

function askerOf({ origin }: ChildServer, sample: SampleData): Asker {
  return async (operationId, asked, token = loads[operationId].company(sample).token) => {
    const { path, ...init } = restRequest(operationId, token, asked);
    const response = await fetch(`${origin}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return {
      status: response.status,
      replayed: response.headers.get('idempotent-replayed'),
      located: /\/v1\/jobs\/\d+$/.test(response.headers.get('location') ?? ''),
      body: text === '' ? {} : JSON.parse(text),
    };
  };
}

const statusesOf = async (answers: readonly Promise<Answer>[]): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status);

async function referenceOf(ask: Asker) {
  const lists = [await ask('listCategories', {}), await ask('listRegions', {}), await ask('listOptions', {})];
  for (const { status } of lists) strictEqual(status, 200, 'a list of reference data is not answered');
  return lists;
}

async function listsOf(ask: Asker) {
  const queries = [{}, { page: 1, per_page: 25 }, { page: 40, per_page: 25 }, { page: 41 }];
  const filters = [
    { status: 'active', per_page: 3 },
    { status: 'inactive', page: 2 },
  ];
  return Promise.all([...queries, ...filters].map((query) => ask('listJobs', { query })));
}

async function createsOf(ask: Asker, name: string, { job }: SampleData) {
  const key = randomUUID();
  const created = await ask('createJob', { key, job });
  const again = await ask('createJob', { key, job });
  const read = await ask('getJob', { id: Number(created.body.data?.id) }, undefined);
  deepStrictEqual(again.body, created.body, `${name} does not replay what it created`);
  strictEqual(read.status, 404, `${name} shows a job to another company`);
  return {
    created: { ...created, body: withoutIdentity(created.body.data) },
    replayed: [again.status, again.replayed],
    conflict: (await ask('createJob', { key, job: { ...job, title: 'Outro título' } })).status,
  };
}

/** Of an active job, which goes back to review. */
async function changesOf(ask: Asker, id: number) {
  const change = async (job: Ask['job']) => {
    const answer = await ask('updateJob', { id, job: job ?? {} });
    return { ...answer, body: withoutIdentity(answer.body.data) };
  };
  return [
    await change({ salary_max: 3300.25, language_requirements: null }),
    await change({ title: 'Programadora', language_requirements: ['Português'], valid_until: null }),
  ];
}

async function withdrawalsOf(ask: Asker, id: number) {
  return [await ask('withdrawJob', { id }), await ask('withdrawJob', { id })];
}

function mistakesOf(ask: Asker, sample: SampleData): Promise<number[]> {
  const { job, writer } = sample;
  const unknown = 999_999_999;
  const known = writer.jobIds[0] ?? 0;
  const { title: _, ...untitled } = job;
  // Whether a name is unknown is for the server to find out.
  const coloured = { colour: 'red' } as Ask['job'];
  return statusesOf([
    ask('listJobs', { query: { per_page: 101 } }),
    ask('listJobs', { query: { status: 'lost' } }),
    ask('listJobs', { query: { colour: 'red' } }),
    ask('createJob', { job }),
    ask('createJob', { key: randomUUID(), job: untitled }),
    ask('createJob', { key: randomUUID(), job: { ...job, ...coloured } }),
    ask('updateJob', { id: known, job: {} }),
    ask('updateJob', { id: known, job: { ...coloured } }),
    ...[{ id: unknown }, { id: sample.reader.jobIds[0] ?? 0 }].flatMap((other) => [
      ask('getJob', other, writer.token),
      ask('updateJob', { ...other, job: { title: 'Outro título' } }),
      ask('withdrawJob', other),
    ]),
    ...measured.map((operationId) => {
      const body = ['createJob', 'updateJob'].includes(operationId) ? { job } : {};
      return ask(operationId, { id: known, key: randomUUID(), ...body }, otherToken(writer.token));
    }),
  ]);
}
