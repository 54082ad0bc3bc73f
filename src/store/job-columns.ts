import type { components } from '../../generated/openapi.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { StoredJob } from '../domain/job.ts';
import type { TextRow } from './open.ts';

type Input = keyof components['schemas']['JobInput'];

/** A value of the text that PostgreSQL writes for it, where that is not null. */
type Read = (text: string) => unknown;

const text: Read = (written) => written;
const number: Read = Number;
const boolean: Read = (written) => written === 't';
const json: Read = (written) => JSON.parse(written);

/** The columns that a caller writes. Complete by type: a property of the contract without a column does not compile. */
const writable: Readonly<Record<Input, Read>> = {
  title: text,
  body: text,
  contact_instructions: text,
  category_id: number,
  district_id: number,
  application_method: text,
  contact_email: text,
  contact_phone: text,
  external_application_url: text,
  requirements: text,
  salary_benefits: text,
  remote_policy: text,
  valid_until: text,
  salary_min: text,
  salary_max: text,
  salary_negotiable: boolean,
  salary_type: text,
  experience_years: number,
  education_details: json,
  professional_requirements: json,
  language_requirements: json,
  contract_type: text,
  work_modality: text,
  education_level: text,
};

const identity = { id: number, status: text, is_anonymous: boolean } as const;
const instants = { created_at: text, updated_at: text } as const;
const columns: Readonly<Record<keyof StoredJob, Read>> = { ...identity, ...writable, ...instants };

const names = Object.keys(writable);

/** `title, body, …` for the left side of an INSERT or UPDATE. */
export const writableColumns = Prisma.raw(names.join(', '));

/** `sent.title, sent.body, …` from a record named `sent`. */
export const sentColumns = Prisma.raw(names.map((name) => `sent.${name}`).join(', '));

/** What readJob reads; PostgreSQL takes thrice the time to make JSON of it. */
export const storedJob = Prisma.raw(
  ['revision', ...Object.keys(columns).map((name) => (name in instants ? `${name} AT TIME ZONE 'UTC'` : name))].join(
    ', ',
  ),
);

const readers = Object.entries(columns);

/** A job, for its reader alone, with `revision`, which counts the changes; `from` is where in the row `storedJob` begins. */
export function readJob(row: TextRow, from = 0): { job: StoredJob; revision: number } {
  const job: Record<string, unknown> = {};
  let at = from;
  for (const [name, read] of readers) {
    const written = row[++at] ?? null;
    job[name] = written === null ? null : read(written);
  }
  // Complete by the type of `columns`.
  return { job: job as StoredJob, revision: Number(row[from]) };
}
