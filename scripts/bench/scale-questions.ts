import { randomUUID } from 'node:crypto';
import type autocannon from 'autocannon';
import type { Questions } from './load.ts';
import type { SampledCompany, ScaleData } from './scale-data.ts';

/** One operation as it is asked of one database. */
export interface Operation {
  readonly name: string;
  /** Whether what it leaves behind is to be deleted after each load. */
  readonly makesJobs?: boolean;
  questions(data: ScaleData): Questions;
}

type Asked = Required<Pick<autocannon.Request, 'method' | 'path'>> & Pick<autocannon.Request, 'headers' | 'body'>;

/**
 * One after the other over all connections: were each to begin with the first, all would wait for the lock of one job.
 * `more` makes headers for each request anew.
 */
function inTurn(asked: readonly Asked[], more: () => Record<string, string> = () => ({})): Questions {
  let next = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const turn = asked[next++ % asked.length];
    return { ...request, ...turn, headers: { ...turn?.headers, ...more() } };
  };
  return { requests: [{ setupRequest }] };
}

const read = (token: string, path: string): Asked => ({ method: 'GET', path: `/v1${path}`, headers: bearer(token) });

const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json',
});

const write = (method: 'POST' | 'PATCH', token: string, path: string, body: unknown): Asked => ({
  method,
  path: `/v1${path}`,
  headers: { ...bearer(token), 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const reads = (name: string, path: string): Operation => ({
  name,
  questions: ({ sampled }) => inTurn(sampled.map(({ token }) => read(token, path))),
});

/** The same jobs of each company: the first fifty are read, of the others half are changed and half withdrawn. */
const ofJobs = (
  { sampled }: ScaleData,
  [from, to]: readonly [number, number],
  ask: (company: SampledCompany, id: number) => Asked,
): Questions => inTurn(sampled.flatMap((company) => company.jobIds.slice(from, to).map((id) => ask(company, id))));

const creations =
  (key: () => string) =>
  ({ sampled, job }: ScaleData): Questions =>
    inTurn(
      sampled.map(({ token }) => write('POST', token, '/jobs', job)),
      () => ({ 'idempotency-key': key() }),
    );

/** Reads first; what leaves jobs behind comes last. */
export const operations: readonly Operation[] = [
  reads('GET /account', '/account'),
  reads('GET /categories', '/categories'),
  reads('GET /regions', '/regions'),
  reads('GET /districts', '/districts'),
  reads('GET /options', '/options'),
  reads('GET /jobs', '/jobs'),
  reads('GET /jobs?status=active', '/jobs?status=active'),
  reads('GET /jobs?status=expired', '/jobs?status=expired'),
  {
    name: 'GET /jobs/{id}',
    questions: (data) => ofJobs(data, [0, 50], ({ token }, id) => read(token, `/jobs/${id}`)),
  },
  {
    name: 'PATCH /jobs/{id}',
    questions: (data) =>
      ofJobs(data, [50, 75], ({ token }, id) => write('PATCH', token, `/jobs/${id}`, { salary_negotiable: false })),
  },
  {
    name: 'DELETE /jobs/{id}',
    questions: (data) =>
      ofJobs(data, [75, 100], ({ token }, id) => ({ ...read(token, `/jobs/${id}`), method: 'DELETE' })),
  },
  // The first answer to each company makes a job.
  { name: 'POST /jobs, repeated', questions: creations(() => 'asked-again-and-again') },
  { name: 'POST /jobs', makesJobs: true, questions: creations(randomUUID) },
];

/** A page of the company that has a tenth of all jobs. */
export const pageOfBig = (page: number, perPage: number): Operation => ({
  name: `page ${page.toLocaleString('en')} of ${perPage}`,
  questions: ({ big }) => {
    if (!big) throw new Error('no company has many jobs here');
    const asked = inTurn([read(big.token, `/jobs?page=${page}&per_page=${perPage}`)]);
    return { ...asked, isRight: (body) => body.includes('"id":') };
  },
});
