import type { components } from '../../generated/openapi.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { StoredJob } from '../domain/job.ts';

type Input = keyof components['schemas']['JobInput'];

/** How a column is read where the driver's own type for it is not the stored job's. */
type Read = (column: string) => string;

const plain: Read = (column) => column;
/** A day; the driver would make an instant of it. */
const text: Read = (column) => `${column}::text AS ${column}`;
/** A bigint that JavaScript holds exactly; the driver would make a text of it. */
const number: Read = (column) => `${column}::float8 AS ${column}`;
const utcText: Read = (column) => `(${column} AT TIME ZONE 'UTC')::text AS ${column}`;

/** The columns that a caller writes. Complete by type: a property of the contract without a column does not compile. */
const writable: Readonly<Record<Input, Read>> = {
  title: plain,
  body: plain,
  contact_instructions: plain,
  category_id: plain,
  district_id: plain,
  application_method: plain,
  contact_email: plain,
  contact_phone: plain,
  external_application_url: plain,
  requirements: plain,
  salary_benefits: plain,
  remote_policy: plain,
  valid_until: text,
  salary_min: plain,
  salary_max: plain,
  salary_negotiable: plain,
  salary_type: plain,
  experience_years: plain,
  education_details: plain,
  professional_requirements: plain,
  language_requirements: plain,
  contract_type: plain,
  work_modality: plain,
  education_level: plain,
};

const columns: Readonly<Record<keyof StoredJob, Read>> = {
  id: number,
  status: plain,
  is_anonymous: plain,
  ...writable,
  created_at: utcText,
  updated_at: utcText,
};

const names = Object.keys(writable);

/** `title, body, …` for the left side of an INSERT or UPDATE. */
export const writableColumns = Prisma.raw(names.join(', '));

/** `sent.title, sent.body, …` from a record named `sent`. */
export const sentColumns = Prisma.raw(names.map((name) => `sent.${name}`).join(', '));

/** The columns of a StoredJob, in the order in which the contract shows them. */
export const storedJob = Prisma.raw(
  Object.entries(columns)
    .map(([name, read]) => read(name))
    .join(', '),
);
