import type { Schemas } from '../../../src/contract/types.ts';

/** The columns of a job that a caller writes, with the type that PostgreSQL takes them as. Complete by type. */
const columns: Readonly<Record<keyof Schemas['JobInput'], string>> = {
  title: 'text',
  body: 'text',
  contact_instructions: 'text',
  category_id: 'int',
  district_id: 'int',
  application_method: 'text',
  contact_email: 'text',
  contact_phone: 'text',
  external_application_url: 'text',
  requirements: 'text',
  salary_benefits: 'text',
  remote_policy: 'text',
  valid_until: 'date',
  salary_min: 'numeric',
  salary_max: 'numeric',
  salary_negotiable: 'boolean',
  salary_type: 'text',
  experience_years: 'int',
  education_details: 'jsonb',
  professional_requirements: 'jsonb',
  language_requirements: 'jsonb',
  contract_type: 'text',
  work_modality: 'text',
  education_level: 'text',
};

export const jobColumns: Readonly<Record<string, string>> = columns;
