import { randomUUID } from 'node:crypto';
import type { OperationId, Schemas } from '../../src/contract/types.ts';
import type { SampleData } from './sample-data.ts';

/** `/districts` is not measured: it is `/regions` under another name, run by the same function on every server. */
export type Measured = Exclude<OperationId, 'listDistricts'>;

/** What one request wants, whichever protocol carries it. */
export interface Ask {
  /** The job, where the path names one. */
  readonly id?: number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly key?: string;
  readonly job?: Partial<Schemas['JobInput']>;
}

/** A list is asked from its beginning again and again; a function is called for every request. */
type Asks = readonly Ask[] | (() => Ask);

interface Load {
  readonly kind: 'reference' | 'read' | 'create' | 'change';
  /** What a right answer has. */
  readonly status: 200 | 201 | 204;
  readonly company: 'reader' | 'writer';
  readonly asks: (sample: SampleData) => Asks;
}

/** Jobs that are read, and those at the end that are withdrawn; every connection prepares all before its first request. */
const some = 100;
const reading = { kind: 'read', status: 200, company: 'reader' } as const;
const reference = { ...reading, kind: 'reference', asks: () => [{}] } as const;
const changing = { kind: 'change', company: 'writer' } as const;
const asksFor = (ids: readonly number[]): Ask[] => ids.map((id) => ({ id }));

/** What a load asks of each operation. Complete by type: an operation of the contract that is not measured does not compile. */
export const loads: Readonly<Record<Measured, Load>> = {
  getAccount: { ...reading, asks: () => [{}] },
  listCategories: reference,
  listRegions: reference,
  listOptions: reference,
  listJobs: { ...reading, asks: () => [{ query: { page: 1, per_page: 25 } }] },
  getJob: { ...reading, asks: ({ reader }) => asksFor(reader.jobIds.slice(0, some)) },
  createJob: {
    ...changing,
    kind: 'create',
    status: 201,
    asks:
      ({ job }) =>
      () => ({ key: randomUUID(), job }),
  },
  updateJob: { ...changing, status: 200, asks: changes },
  withdrawJob: { ...changing, status: 204, asks: ({ writer }) => asksFor(writer.jobIds.slice(-some)) },
};

export const measured = Object.keys(loads) as Measured[];

/** One job after the other, so that no two requests in flight change the same one; each makes a difference. */
function changes({ writer }: SampleData): () => Ask {
  const ids = writer.jobIds.slice(0, -some);
  let asked = 0;
  return () => {
    const id = ids[asked++ % ids.length] ?? 0;
    return { id, job: { salary_max: 3200 + (asked % 1000), requirements: `Alteração ${asked} dos requisitos.` } };
  };
}
