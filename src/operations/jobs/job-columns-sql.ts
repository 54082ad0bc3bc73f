import { Prisma } from '../../../generated/prisma/client.ts';
import { rulesOf } from '../../domain/field-rules.ts';

/** The SQL that converts a column to a StoredJob's type, if the driver's type differs. */
type Read = (column: string) => string;

const plain: Read = (column) => column;
/** A day; the driver would return an instant. */
const text: Read = (column) => `${column}::text`;
/** A bigint within the safe integers; the driver would return a text. */
const number: Read = (column) => `${column}::float8`;
const utcText: Read = (column) => `(${column} AT TIME ZONE 'UTC')::text`;

const reads: readonly (readonly [column: string, read: Read])[] = [
  ['id', number],
  ['status', plain],
  ['is_anonymous', plain],
  ...[...rulesOf].map(([name, { kind, long }]) => [name, kind === 'date' ? text : long ? number : plain] as const),
  ['created_at', utcText],
  ['updated_at', utcText],
];

/** Quoted, because a contract's field may have a name reserved by SQL. `row` is empty or ends with a dot. */
const columnsOf = (row: string): Prisma.Sql =>
  Prisma.raw(reads.map(([column, read]) => `${read(`${row}"${column}"`)} AS "${column}"`).join(', '));

/** The columns of a StoredJob, in the order in which the contract shows them. */
export const storedJob = columnsOf('');

/** The same for a row called `job`. */
export const storedJobOfRow = columnsOf('(job).');
