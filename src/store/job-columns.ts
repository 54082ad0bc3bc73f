import type { components } from '../../generated/openapi.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { StoredJob } from '../domain/job.ts';

/** The columns that a caller writes. Complete by type: a property of the contract without a column does not compile. */
const writable: Readonly<Record<keyof components['schemas']['JobInput'], true>> = {
  title: true,
  body: true,
  contact_instructions: true,
  category_id: true,
  district_id: true,
  application_method: true,
  contact_email: true,
  contact_phone: true,
  external_application_url: true,
  requirements: true,
  salary_benefits: true,
  remote_policy: true,
  valid_until: true,
  salary_min: true,
  salary_max: true,
  salary_negotiable: true,
  salary_type: true,
  experience_years: true,
  education_details: true,
  professional_requirements: true,
  language_requirements: true,
  contract_type: true,
  work_modality: true,
  education_level: true,
};

const names = Object.keys(writable);

/** `title, body, …` for the left side of an INSERT or UPDATE. */
export const writableColumns = Prisma.raw(names.join(', '));

/** `sent.title, sent.body, …` from a record named `sent`. */
export const sentColumns = Prisma.raw(names.map((name) => `sent.${name}`).join(', '));

const internal = ['id', 'status', 'is_anonymous'];
const money = new Set(['salary_min', 'salary_max']);
const instants = ['created_at', 'updated_at'];

const members = [
  ...[...internal, ...names].map((name) => `'${name}', ${money.has(name) ? `${name}::text` : name}`),
  ...instants.map((name) => `'${name}', ${name} AT TIME ZONE 'UTC'`),
];

/** One text in place of thirty columns, whose types the driver and Prisma would look at in every answer. */
export const storedJob = Prisma.raw(`json_build_object(${members})::text AS job, revision`);

/** A row of `SELECT ${storedJob}`; `revision` counts the changes. */
export interface JobRow {
  readonly job: string;
  readonly revision: number;
}

/** The job of a row, for its reader alone. */
export const readJob = ({ job }: JobRow): StoredJob => JSON.parse(job);
