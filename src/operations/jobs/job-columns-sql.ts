import { Prisma } from '../../../generated/prisma/client.ts';
import type { WantedFields } from '../../context.ts';
import { jobRules, type StoredJob } from './job.ts';

// A job is read as one JSON array. This is cheaper for the process than separate columns, and in lists for PostgreSQL, too (src/README.md).
// A JSON object would cost PostgreSQL more, because PostgreSQL would write and escape the names in every row.

/** The maximum number of arguments that PostgreSQL passes to a function. */
const argumentsMax = 100;

/** The SQL of a JSON array of the values. More than 100 values make an array of arrays. */
export function jsonArrayOf(values: readonly string[]): string {
  const count = Math.ceil(values.length / argumentsMax);
  const arrays = Array.from({ length: count }, (_, nth) => {
    const own = values.slice(nth * argumentsMax, (nth + 1) * argumentsMax);
    return `json_build_array(${own.join(', ')})`;
  });
  return arrays.length === 1 ? arrays.join() : `json_build_array(${arrays.join(', ')})`;
}

/** Returns the values from an array that jsonArrayOf's SQL has built; `length` is their number. */
export const valuesOf = (found: readonly unknown[], length: number): readonly unknown[] =>
  length > argumentsMax ? found.flat() : found;

/** Returns the SQL that reads a column. The SQL converts a column whose JSON would not have the type of the StoredJob's property. */
type Read = (column: string) => string;

const plain: Read = (column) => column;
/** For decimals: a JSON number would lose its trailing zeros. */
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

/** Columns are quoted, because a field of the contract may have a name that SQL reserves. `row` is empty or ends with a dot. */
const jobIn = (row: string): Prisma.Sql =>
  Prisma.raw(jsonArrayOf(reads.map(([column, read]) => read(`${row}"${column}"`))));

/** The SQL of a job's JSON array, which storedJobOf turns into a StoredJob. */
export const storedJob = jobIn('');

/** Like `storedJob`, for the job in a row value called `job`. NULL if there is no job. */
export const storedJobOfRow = Prisma.sql`CASE WHEN (job).id IS NOT NULL THEN ${jobIn('(job).')} END`;

/** The JSON array that `storedJob` selects. */
export type JobValues = readonly unknown[];

/** A job whose values are all null. In V8, a filled copy of it stays fast; an object that gets its properties one by one becomes slow. */
const noValues = { ...Object.fromEntries(reads.map(([column]) => [column, null])) } as Record<string, unknown> &
  StoredJob;

/** Turns the values into a job whose fields are in the contract's order. */
export const storedJobOf = (found: JobValues): StoredJob => filledJob(found);

function filledJob(found: JobValues) {
  const values = valuesOf(found, reads.length);
  const job = { ...noValues };
  for (const [place, [column]] of reads.entries()) job[column] = values[place];
  return job;
}

/** In lists, a text that may be longer is a separate column: a page of the longest jobs is 13 MB, which JSON would copy and escape. */
const longMin = 1000;
const isLong = (name: string): boolean => (jobRules.get(name)?.maxLength ?? 0) > longMin;
const longTexts = reads.map(([column]) => column).filter(isLong);

const listedIf = (isRead: (column: string) => boolean): Prisma.Sql => {
  const values = reads.map(([column, read]) => (isRead(column) && !isLong(column) ? read(`"${column}"`) : 'NULL'));
  const texts = longTexts.flatMap((column, nth) => (isRead(column) ? [`"${column}" AS text_${nth}`] : []));
  return Prisma.raw([`${jsonArrayOf(values)} AS job`, ...texts].join(', '));
};
const wholeJob = listedIf(() => true);

/**
 * The SQL of a job in a list, for listedJobOf: a JSON array without the long texts, and a column for each long text. Other fields than the
 * wanted ones are not read; they become null, except those from which presentJob makes others.
 */
export const listedJob = (wanted?: WantedFields): Prisma.Sql =>
  wanted
    ? listedIf((column) => wanted.includes(column) || column === 'valid_until' || !jobRules.has(column))
    : wholeJob;

/** The columns that `listedJob` selects. */
export type ListedJobValues = { readonly job: JobValues } & { readonly [text: `text_${number}`]: string | null };

export function listedJobOf(found: ListedJobValues): StoredJob {
  const job = filledJob(found.job);
  for (const [nth, column] of longTexts.entries()) job[column] = found[`text_${nth}`] ?? null;
  return job;
}
