import { type Job, Prisma } from '../../generated/prisma/client.ts';
import type { Schemas } from '../../src/contract/types.ts';
import type { Caller } from './peer-caller.ts';

type JobInput = Schemas['JobInput'];
type JobOutput = Schemas['Job'];

const listOf = (list: string[] | null | undefined) => list ?? Prisma.DbNull;

/** A new job as Prisma writes it. */
export function rowOf(input: JobInput) {
  return {
    title: input.title,
    body: input.body,
    contactInstructions: input.contact_instructions,
    categoryId: input.category_id,
    districtId: input.district_id,
    applicationMethod: input.application_method,
    contactEmail: input.contact_email ?? null,
    contactPhone: input.contact_phone ?? null,
    externalApplicationUrl: input.external_application_url ?? null,
    requirements: input.requirements ?? null,
    salaryBenefits: input.salary_benefits ?? null,
    remotePolicy: input.remote_policy ?? null,
    validUntil: input.valid_until ? new Date(input.valid_until) : null,
    salaryMin: input.salary_min ?? null,
    salaryMax: input.salary_max ?? null,
    salaryNegotiable: input.salary_negotiable ?? false,
    salaryType: input.salary_type ?? null,
    experienceYears: input.experience_years ?? null,
    educationDetails: listOf(input.education_details),
    professionalRequirements: listOf(input.professional_requirements),
    languageRequirements: listOf(input.language_requirements),
    contractType: input.contract_type ?? null,
    workModality: input.work_modality ?? null,
    educationLevel: input.education_level ?? null,
  };
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The supplied fields alone, as Prisma writes them. */
export function changesOf(patch: Schemas['JobPatch']): Partial<ReturnType<typeof rowOf>> {
  const supplied = new Set(Object.keys(patch).map(camelCase));
  // What a patch leaves out is filtered away again.
  const row = rowOf(patch as JobInput);
  return Object.fromEntries(Object.entries(row).filter(([name]) => supplied.has(name)));
}

/** The job as the contract shows it; values that only this program writes are taken at their word. */
export function present(job: Job, caller: Caller): JobOutput {
  return {
    id: Number(job.id),
    company_name: job.isAnonymous ? null : caller.company.name,
    status: job.status,
    is_active: job.status === 'active',
    is_anonymous: job.isAnonymous,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    title: job.title,
    body: job.body,
    contact_instructions: job.contactInstructions,
    category_id: job.categoryId,
    district_id: job.districtId,
    application_method: job.applicationMethod as JobOutput['application_method'],
    contact_email: job.contactEmail,
    contact_phone: job.contactPhone,
    external_application_url: job.externalApplicationUrl,
    requirements: job.requirements,
    salary_benefits: job.salaryBenefits,
    remote_policy: job.remotePolicy,
    valid_until: job.validUntil?.toISOString().slice(0, 10) ?? null,
    salary_min: job.salaryMin?.toFixed(2) ?? null,
    salary_max: job.salaryMax?.toFixed(2) ?? null,
    salary_negotiable: job.salaryNegotiable,
    salary_type: job.salaryType as JobOutput['salary_type'],
    experience_years: job.experienceYears,
    education_details: job.educationDetails as string[] | null,
    professional_requirements: job.professionalRequirements as string[] | null,
    language_requirements: job.languageRequirements as string[] | null,
    contract_type: job.contractType as JobOutput['contract_type'],
    work_modality: job.workModality as JobOutput['work_modality'],
    education_level: job.educationLevel as JobOutput['education_level'],
  };
}
