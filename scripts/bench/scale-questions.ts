import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/types.ts';
import type { Asked } from './ask-in-turn.ts';
import type { Ask } from './operations.ts';
import { restRequest } from './questions.ts';
import type { SampleCompany } from './sample-data.ts';
import type { ScaleData } from './scale-data.ts';

/** One operation as it is asked of one database. */
export interface Operation {
  readonly name: string;
  /** Whether what it leaves behind is to be deleted after each load. */
  readonly makesJobs?: boolean;
  asks(data: ScaleData): () => Asked;
}

/** One after the other over all connections: were each to begin with the first, all would wait for the lock of one job. */
function inTurn<T>(items: readonly T[]): () => T {
  let next = 0;
  return () => {
    const found = items[next++ % items.length];
    if (found === undefined) throw new Error('there is nothing to ask');
    return found;
  };
}

type Turn = readonly [SampleCompany, Ask];

/** Asks what `turnsOf` tells, with `more` of its own in every request. */
const operation = (
  name: string,
  operationId: OperationId,
  turnsOf: (data: ScaleData) => readonly Turn[],
  more: (data: ScaleData) => Partial<Ask> = () => ({}),
): Operation => ({
  name,
  asks: (data) => {
    const next = inTurn(turnsOf(data));
    return () => {
      const [{ token }, ask] = next();
      return restRequest(operationId, token, { ...ask, ...more(data) });
    };
  },
});

const ofCompanies =
  (ask: Ask) =>
  ({ sampled }: ScaleData): Turn[] =>
    sampled.map((company) => [company, ask]);

/** Those of each company's jobs; what is read is not changed. */
const ofJobs =
  (from: number, to: number) =>
  ({ sampled }: ScaleData): Turn[] =>
    sampled.flatMap((company) => company.jobIds.slice(from, to).map((id): Turn => [company, { id }]));

const reads = (path: string, operationId: OperationId, ask: Ask = {}): Operation =>
  operation(`GET ${path}`, operationId, ofCompanies(ask));

export const reading = operation('GET /jobs/{id}', 'getJob', ofJobs(0, 50));

let changed = 0;

/** Reads first; what leaves jobs behind comes last. */
export const operations: readonly Operation[] = [
  reads('/account', 'getAccount'),
  reads('/categories', 'listCategories'),
  reads('/regions', 'listRegions'),
  reads('/districts', 'listDistricts'),
  reads('/options', 'listOptions'),
  reads('/jobs', 'listJobs'),
  reads('/jobs?status=active', 'listJobs', { query: { status: 'active' } }),
  reads('/jobs?status=expired', 'listJobs', { query: { status: 'expired' } }),
  reading,
  // Each makes a difference: a change of nothing writes nothing.
  operation('PATCH /jobs/{id}', 'updateJob', ofJobs(50, 75), () => ({
    job: { requirements: `Alteração ${++changed} dos requisitos.` },
  })),
  operation('DELETE /jobs/{id}', 'withdrawJob', ofJobs(75, 100)),
  // The first answer to each company makes a job.
  operation('POST /jobs, repeated', 'createJob', ofCompanies({ key: 'asked-again-and-again' }), ({ job }) => ({ job })),
  {
    ...operation('POST /jobs', 'createJob', ofCompanies({}), ({ job }) => ({ job, key: randomUUID() })),
    makesJobs: true,
  },
];

/** A page of the company that has a tenth of all jobs. */
export const pageOfBig = (page: number, per_page: number): Operation =>
  operation(`page ${page.toLocaleString('en')} of ${per_page}`, 'listJobs', ({ big }) =>
    big ? [[big, { query: { page, per_page } }]] : [],
  );
