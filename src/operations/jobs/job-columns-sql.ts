import { Prisma } from '../../../generated/prisma/client.ts';
import { jobRules, type StoredJob } from './job.ts';

// A job is read as one JSON array, which is cheaper than its columns for the process and, in lists, for PostgreSQL (src/README.md). A JSON
// object costs PostgreSQL more: it writes and escapes the names in every row.

/** PostgreSQL passes a function at most so many arguments. */
const argumentsMax = 100;

/** The SQL of a JSON array; of more than 100 values, an array of arrays. */
export function jsonArrayOf(values: readonly string[]): string {
  const count = Math.ceil(values.length / argumentsMax);
  const arrays = Array.from({ length: count }, (_, nth) => {
    const own = values.slice(nth * argumentsMax, (nth + 1) * argumentsMax);
    return `json_build_array(${own.join(', ')})`;
  });
  return arrays.length === 1 ? arrays.join() : `json_build_array(${arrays.join(', ')})`;
}

/** The values of jsonArrayOf's array. */
export const valuesOf = (found: readonly unknown[], length: number): readonly unknown[] =>
  length > argumentsMax ? found.flat() : found;

/** The SQL that converts a column to a StoredJob's type, if its JSON differs. */
type Read = (column: string) => string;

const plain: Read = (column) => column;
/** A number would lose its zeros. */
const text: Read = (column) => `${column}::text`;
const utc: Read = (column) => `${column} AT TIME ZONE 'UTC'`;

const reads: readonly (readonly [column: string, read: Read])[] = [
  ['id', plain],
  ['status', plain],
  ['is_anonymous', plain],
  ...[...jobRules].map(([name, { kind }]) => [name, kind === 'decimal' ? text : plain] as const),
  ['created_at', utc],
  ['updated_at', utc],
];

/** Quoted, because a contract's field may have a name reserved by SQL. `row` is empty or ends with a dot. */
const jobIn = (row: string): Prisma.Sql =>
  Prisma.raw(jsonArrayOf(reads.map(([column, read]) => read(`${row}"${column}"`))));

/** A StoredJob, for storedJobOf. */
export const storedJob = jobIn('');

/** The same of a row called `job`; NULL if there is none. */
export const storedJobOfRow = Prisma.sql`CASE WHEN (job).id IS NOT NULL THEN ${jobIn('(job).')} END`;

/** What `storedJob` selects. */
export type JobValues = readonly unknown[];

/** A job without values. V8 keeps an object fast that is copied and filled, and makes a slow one of properties added one by one. */
const noValues = { ...Object.fromEntries(reads.map(([column]) => [column, null])) } as Record<string, unknown> &
  StoredJob;

/** The job, in the order in which the contract shows its fields. */
export const storedJobOf = (found: JobValues): StoredJob => filledJob(found);

function filledJob(found: JobValues) {
  const values = valuesOf(found, reads.length);
  const job = { ...noValues };
  for (const [place, [column]] of reads.entries()) job[column] = values[place];
  return job;
}

/** A text that may be longer is a column of its own in a list: a page of the longest jobs is 13 MB, and JSON would copy and escape it. */
const longMin = 1000;
const isLong = (name: string): boolean => (jobRules.get(name)?.maxLength ?? 0) > longMin;
const longTexts = reads.map(([column]) => column).filter(isLong);
const shortValues = reads.map(([column, read]) => (isLong(column) ? 'NULL' : read(`"${column}"`)));

/** A StoredJob for a list, as listedJobOf reads it: an array without the long texts, and these. */
export const listedJob = Prisma.raw(
  [`${jsonArrayOf(shortValues)} AS job`, ...longTexts.map((column, nth) => `"${column}" AS text_${nth}`)].join(', '),
);

/** What `listedJob` selects. */
export type ListedJobValues = { readonly job: JobValues } & { readonly [text: `text_${number}`]: string | null };

export function listedJobOf(found: ListedJobValues): StoredJob {
  const job = filledJob(found.job);
  for (const [nth, column] of longTexts.entries()) job[column] = found[`text_${nth}`];
  return job;
}
