import { randomUUID } from 'node:crypto';
import type { OperationId, Schemas } from '../../src/contract/types.ts';
import type { SampleCompany, SampleData } from './sample-data.ts';

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
export type Asks = readonly Ask[] | (() => Ask);

interface Load {
  readonly kind: 'reference' | 'read' | 'create' | 'change';
  /** What a right answer has. */
  readonly status: 200 | 201 | 204;
  readonly company: (sample: SampleData) => SampleCompany;
  readonly asks: (sample: SampleData) => Asks;
}

/** Every connection prepares all of them before its first request. */
const readsMax = 100;

const reader = (sample: SampleData) => sample.reader;
const writer = (sample: SampleData) => sample.writer;
const reading = { kind: 'read', status: 200, company: reader } as const;
const reference = { kind: 'reference', status: 200, company: reader, asks: () => [{}] } as const;

/** The jobs that are withdrawn again and again; those before them are changed, and no job both. */
const toWithdraw = ({ jobIds }: SampleCompany) => jobIds.slice(-readsMax);
const toChange = ({ jobIds }: SampleCompany) => jobIds.slice(0, -readsMax);

/** What a load asks of each operation. Complete by type: an operation of the contract that is not measured does not compile. */
export const loads: Readonly<Record<Measured, Load>> = {
  getAccount: { ...reading, asks: () => [{}] },
  listCategories: reference,
  listRegions: reference,
  listOptions: reference,
  listJobs: { ...reading, asks: () => [{ query: { page: 1, per_page: 25 } }] },
  getJob: { ...reading, asks: (sample) => sample.reader.jobIds.slice(0, readsMax).map((id) => ({ id })) },
  createJob: {
    kind: 'create',
    status: 201,
    company: writer,
    asks: (sample) => () => ({ key: randomUUID(), job: sample.job }),
  },
  updateJob: { kind: 'change', status: 200, company: writer, asks: changes },
  withdrawJob: {
    kind: 'change',
    status: 204,
    company: writer,
    asks: (sample) => toWithdraw(sample.writer).map((id) => ({ id })),
  },
};

export const measured = Object.keys(loads) as Measured[];

/** One job after the other, so that no two requests in flight change the same one; each makes a difference. */
function changes(sample: SampleData): () => Ask {
  const ids = toChange(sample.writer);
  let asked = 0;
  return () => {
    const id = ids[asked++ % ids.length] ?? 0;
    return { id, job: { salary_max: 3200 + (asked % 1000), requirements: `Alteração ${asked} dos requisitos.` } };
  };
}
