import { Prisma } from '../../generated/prisma/client.ts';
import { rulesOf } from '../domain/job-rules.ts';

/** The SQL that reads a column as a StoredJob has it, if the driver's type differs. */
type Read = (column: string) => string;

const plain: Read = (column) => column;
/** A day; the driver would return an instant. */
const text: Read = (column) => `${column}::text AS ${column}`;
/** A bigint within the safe integers; the driver would return a text. */
const number: Read = (column) => `${column}::float8 AS ${column}`;
const utcText: Read = (column) => `(${column} AT TIME ZONE 'UTC')::text AS ${column}`;

function readOf(field: string): Read {
  const rules = rulesOf.get(field);
  if (rules?.kind === 'date') return text;
  return rules?.long ? number : plain;
}

const names = [...rulesOf.keys()];

const columns: readonly string[] = [
  number('id'),
  plain('status'),
  plain('is_anonymous'),
  ...names.map((name) => readOf(name)(name)),
  utcText('created_at'),
  utcText('updated_at'),
];

/** The columns of a StoredJob, in the order in which the contract shows them. */
export const storedJob = Prisma.raw(columns.join(', '));
