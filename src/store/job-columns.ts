import type { components } from '../../generated/openapi.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { StoredJob } from '../domain/job.ts';

type Input = keyof components['schemas']['JobInput'];

/** Makes a value of the text that PostgreSQL writes for it, where that is not null. */
type Read = (text: string) => unknown;

const text: Read = (written) => written;
const number: Read = Number;
const boolean: Read = (written) => written === 'true';
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

const identity = { id: number, status: text, is_anonymous: boolean };
const instants = { created_at: text, updated_at: text };
const columns: Readonly<Record<keyof StoredJob, Read>> = { ...identity, ...writable, ...instants };

const names = Object.keys(writable);

/** `title, body, …` for the left side of an INSERT or UPDATE. */
export const writableColumns = Prisma.raw(names.join(', '));

/** `sent.title, sent.body, …` from a record named `sent`. */
export const sentColumns = Prisma.raw(names.map((name) => `sent.${name}`).join(', '));

const expressions = Object.keys(columns).map((name) => (name in instants ? `(${name} AT TIME ZONE 'UTC')` : name));

/**
 * A job as one text for readJob: a JSON array of what PostgreSQL writes for each column. Of texts alone, because it looks the type of each
 * value of a JSON object up anew, which takes it half as long again; and one column, because the driver looks at each in every answer.
 */
export const storedJob = Prisma.raw(
  `array_to_json(ARRAY[${[...expressions, 'revision'].map((expression) => `${expression}::text`)}])::text AS job`,
);

/** A row of `SELECT ${storedJob}`. */
export interface JobRow {
  readonly job: string;
}

const readers = Object.entries(columns);

/** A job, for its reader alone, with `revision`, which counts the changes. */
export function readJob(row: JobRow): { job: StoredJob; revision: number } {
  const texts: (string | null)[] = JSON.parse(row.job);
  const job: Record<string, unknown> = {};
  readers.forEach(([name, read], place) => {
    const written = texts[place];
    job[name] = typeof written === 'string' ? read(written) : null;
  });
  // Complete by the type of `columns`.
  return { job: job as StoredJob, revision: Number(texts[readers.length]) };
}
