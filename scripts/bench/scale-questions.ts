import { randomUUID } from 'node:crypto';
import type { Asked } from './ask-in-turn.ts';
import type { SampledCompany, ScaleData } from './scale-data.ts';

/** One operation as it is asked of one database. */
export interface Operation {
  readonly name: string;
  /** Whether what it leaves behind is to be deleted after each load. */
  readonly makesJobs?: boolean;
  asks(data: ScaleData): () => Asked;
}

/** One after the other over all connections: were each to begin with the first, all would wait for the lock of one job. */
function inTurn(asked: readonly Asked[]): () => Asked {
  let next = 0;
  return () => {
    const found = asked[next++ % asked.length];
    if (!found) throw new Error('there is nothing to ask');
    return found;
  };
}

const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json',
});

const read = (token: string, path: string): Asked => ({ method: 'GET', path: `/v1${path}`, headers: bearer(token) });

const write = (method: 'POST' | 'PATCH', token: string, path: string, body: unknown): Asked => ({
  method,
  path: `/v1${path}`,
  headers: { ...bearer(token), 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const reads = (path: string): Operation => ({
  name: `GET ${path}`,
  asks: ({ sampled }) => inTurn(sampled.map(({ token }) => read(token, path))),
});

/** Those of each company's jobs; what is read is not changed. */
const ofJobs =
  ([from, to]: readonly [number, number], ask: (company: SampledCompany, path: string) => Asked) =>
  ({ sampled }: ScaleData): (() => Asked) =>
    inTurn(sampled.flatMap((company) => company.jobIds.slice(from, to).map((id) => ask(company, `/jobs/${id}`))));

const creations =
  (key: () => string) =>
  ({ sampled, job }: ScaleData): (() => Asked) => {
    const next = inTurn(sampled.map(({ token }) => write('POST', token, '/jobs', job)));
    return () => {
      const asked = next();
      return { ...asked, headers: { ...asked.headers, 'idempotency-key': key() } };
    };
  };

/** Each makes a difference: a change of nothing writes nothing. */
function changes(data: ScaleData): () => Asked {
  const next = ofJobs([50, 75], ({ token }, path) => write('PATCH', token, path, {}))(data);
  let asked = 0;
  return () => ({ ...next(), body: JSON.stringify({ requirements: `Alteração ${++asked} dos requisitos.` }) });
}

export const reading: Operation = {
  name: 'GET /jobs/{id}',
  asks: ofJobs([0, 50], ({ token }, path) => read(token, path)),
};

/** Reads first; what leaves jobs behind comes last. */
export const operations: readonly Operation[] = [
  ...['/account', '/categories', '/regions', '/districts', '/options'].map(reads),
  ...['/jobs', '/jobs?status=active', '/jobs?status=expired'].map(reads),
  reading,
  {
    name: 'PATCH /jobs/{id}',
    asks: changes,
  },
  {
    name: 'DELETE /jobs/{id}',
    asks: ofJobs([75, 100], ({ token }, path) => ({ ...read(token, path), method: 'DELETE' })),
  },
  // The first answer to each company makes a job.
  { name: 'POST /jobs, repeated', asks: creations(() => 'asked-again-and-again') },
  { name: 'POST /jobs', makesJobs: true, asks: creations(randomUUID) },
];

/** A page of the company that has a tenth of all jobs. */
export const pageOfBig = (page: number, perPage: number): Operation => ({
  name: `page ${page.toLocaleString('en')} of ${perPage}`,
  asks: ({ big }) => inTurn(big ? [read(big.token, `/jobs?page=${page}&per_page=${perPage}`)] : []),
});
