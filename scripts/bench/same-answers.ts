import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ChildServer } from './child-server.ts';
import type { SampleData } from './sample-data.ts';

interface Answer {
  readonly status: number;
  readonly replayed: string | null;
  readonly data: Record<string, unknown>;
}

/** Asserts that the servers do the same work: equal answers to the same reads, creates, replays and refusals. */
export async function assertSameAnswers(servers: readonly ChildServer[], sample: SampleData): Promise<void> {
  const [first, ...others] = await Promise.all(servers.map((server) => answersOf(server, sample)));
  others.forEach((answers, index) => {
    deepStrictEqual(answers, first, `${servers[index + 1]?.name} does not answer as ${servers[0]?.name} does`);
  });
}

async function answersOf({ base, name }: ChildServer, { token, jobIds, job }: SampleData) {
  const ask = async (path: string, init: RequestInit = {}, bearer = token): Promise<Answer> => {
    const headers = { authorization: `Bearer ${bearer}`, ...init.headers };
    const response = await fetch(`${base}${path}`, { ...init, headers, signal: AbortSignal.timeout(10_000) });
    const { data = {} } = (await response.json()) as { data?: Record<string, unknown> };
    return { status: response.status, replayed: response.headers.get('idempotent-replayed'), data };
  };
  const key = randomUUID();
  const create = (body: unknown) =>
    ask('/jobs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  const created = await create(job);
  const again = await create(job);
  deepStrictEqual(again.data, created.data, `${name} does not replay what it created`);
  strictEqual((await ask(`/jobs/${created.data.id}`)).data.title, job.title, `${name} does not find what it created`);
  return {
    read: await ask(`/jobs/${jobIds[0]}`),
    created: { ...created, data: { ...created.data, id: 0, created_at: '', updated_at: '' } },
    replayed: [again.status, again.replayed],
    conflict: (await create({ ...job, title: 'Outro título' })).status,
    missing: (await ask('/jobs/999999999')).status,
    stranger: (await ask(`/jobs/${jobIds[0]}`, {}, `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)).status,
  };
}
