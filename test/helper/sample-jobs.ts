import type { Schemas } from '../../src/contract/types.ts';
import { addDays, dayIn } from '../../src/domain/dates.ts';
import { clock } from './clock.ts';

const today = (): string => dayIn('Europe/Lisbon', clock.now());
export const inDays = (days: number): string => addDays(today(), days);

/** The required fields, with ids from the reference data. */
export const minimalJob: Schemas['JobInput'] = {
  title: 'Eletricista',
  body: 'Procuramos eletricista para obras no Porto.',
  contact_instructions: 'Envie o seu currículo.',
  category_id: 303,
  district_id: 13,
  application_method: 'system',
};

/** Every field of JobInput, in the form in which it is returned. */
export const fullJob = (): Schemas['JobInput'] => ({
  ...minimalJob,
  body: '<p>Procuramos <strong>eletricista</strong>.</p>',
  application_method: 'email',
  contact_email: 'recrutamento@example.com',
  contact_phone: '+351 220 000 000',
  external_application_url: 'https://example.com/vagas/1',
  requirements: 'Carta de condução.',
  salary_benefits: 'Subsídio de alimentação.',
  remote_policy: 'Trabalho em obra.',
  valid_until: inDays(30),
  salary_min: 1200.5,
  salary_max: 1500,
  salary_negotiable: true,
  salary_type: 'monthly',
  experience_years: 2,
  education_details: ['12.º ano'],
  professional_requirements: ['Certificação de eletricista'],
  language_requirements: ['Português'],
  contract_type: 'full_time',
  work_modality: 'presencial',
  education_level: 'ensino_profissional',
});

/** Every long field near its limit: 120 KB of JSON, close to the largest request. */
export const largeJob = {
  ...minimalJob,
  body: 'a'.repeat(30_000),
  contact_instructions: 'b'.repeat(10_000),
  requirements: 'c"\\\n\u2028é😀'.repeat(1200),
  salary_benefits: 'd'.repeat(5000),
  remote_policy: 'e'.repeat(5000),
  education_details: Array(50).fill('f'.repeat(500)),
  professional_requirements: Array(50).fill('g'.repeat(500)),
};

/** Errors of every kind: schema, rules between fields, dates, references, HTML. */
export const jobWithManyErrors = {
  title: 7,
  body: '<script>x</script>',
  category_id: 1,
  district_id: 13,
  application_method: 'email',
  salary_min: 10,
  salary_max: 5,
  valid_until: inDays(-1),
  contract_type: 'forever',
  unknown_field: true,
};

/** Changes of `fullJob` that no schema refuses, with the field that the refusal names. */
export const patchesAgainstRules: readonly [patch: object, field: string][] = [
  [{ salary_min: 1500.01 }, 'salary_min'],
  [{ salary_max: 1200.49 }, 'salary_max'],
  [{ salary_min: 20, salary_max: 10 }, 'salary_max'],
  [{ contact_email: null }, 'contact_email'],
  [{ application_method: 'phone', contact_phone: null }, 'contact_phone'],
  [{ valid_until: inDays(0) }, 'valid_until'],
  [{ category_id: 1 }, 'category_id'],
  [{ body: '<img src=x>' }, 'body'],
];
