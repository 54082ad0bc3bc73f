import type { Schemas } from '../../contract/types.ts';
import { Facts } from './facts.tsx';
import { CalendarDay } from './when.tsx';

interface JobFactsProps {
  readonly job: Schemas['Job'];
  readonly category: { readonly name: string; readonly parent: { readonly name: string } | null } | null;
  readonly region: string | null;
}

/** Every field of a job besides its title, its body and its times. What was left out is left out here too. */
export const JobFacts = ({ job, category, region }: JobFactsProps) => (
  <Facts
    facts={[
      ['Category', category && [category.parent?.name, category.name].filter(Boolean).join(', ')],
      ['Region', region],
      ['Last day', job.valid_until && <CalendarDay day={job.valid_until} />],
      ['How to apply', job.contact_instructions],
      ['Application method', words(job.application_method)],
      ['Contact e-mail', job.contact_email],
      ['Contact phone', job.contact_phone],
      ['Application page', job.external_application_url],
      ['Requirements', job.requirements],
      ['Salary', salary(job)],
      ['Salary and benefits', job.salary_benefits],
      ['Contract', words(job.contract_type)],
      ['Work modality', words(job.work_modality)],
      ['Remote policy', job.remote_policy],
      ['Experience', job.experience_years === null ? null : `${job.experience_years} years`],
      ['Education level', words(job.education_level)],
      ['Education', lines(job.education_details)],
      ['Professional requirements', lines(job.professional_requirements)],
      ['Languages', lines(job.language_requirements)],
    ]}
  />
);

/** A value of the contract's lists as words: full_time is Full time. */
function words(value: string | null): string | null {
  const spaced = value?.replaceAll('_', ' ');
  return spaced ? spaced.charAt(0).toUpperCase() + spaced.slice(1) : null;
}

const lines = (values: readonly string[] | null): string | null => (values?.length ? values.join('\n') : null);

function salary({
  salary_min: min,
  salary_max: max,
  salary_type: type,
  salary_negotiable: negotiable,
}: Schemas['Job']) {
  const amounts = [min && `from ${min} EUR`, max && `to ${max} EUR`, words(type)?.toLowerCase()];
  const said = [...amounts, negotiable && 'negotiable'].filter(Boolean);
  return said.length > 0 ? said.join(', ') : null;
}
