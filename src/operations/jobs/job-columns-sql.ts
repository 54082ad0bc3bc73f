import { Prisma } from '../../../generated/prisma/client.ts';
import { rulesOf } from '../../domain/field-rules.ts';

/** The SQL that reads a column as a StoredJob has it, if the driver's type differs. `row` is empty or ends with a dot. */
type Read = (column: string, row: string) => string;

const plain: Read = (column, row) => row + column;
/** A day; the driver would return an instant. */
const text: Read = (column, row) => `${row}${column}::text AS ${column}`;
/** A bigint within the safe integers; the driver would return a text. */
const number: Read = (column, row) => `${row}${column}::float8 AS ${column}`;
const utcText: Read = (column, row) => `(${row}${column} AT TIME ZONE 'UTC')::text AS ${column}`;

const reads: readonly (readonly [column: string, read: Read])[] = [
  ['id', number],
  ['status', plain],
  ['is_anonymous', plain],
  ...[...rulesOf].map(([name, { kind, long }]) => [name, kind === 'date' ? text : long ? number : plain] as const),
  ['created_at', utcText],
  ['updated_at', utcText],
];

const columnsOf = (row: string): Prisma.Sql => Prisma.raw(reads.map(([column, read]) => read(column, row)).join(', '));

/** The columns of a StoredJob, in the order in which the contract shows them. */
export const storedJob = columnsOf('');

/** The same of a row called `job`. */
export const storedJobOfRow = columnsOf('(job).');
