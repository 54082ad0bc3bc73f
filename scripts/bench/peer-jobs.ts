import { createHash } from 'node:crypto';
import type { components } from '../../generated/openapi.ts';
import { type Job, Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { hashSecret, readSecret } from '../../src/domain/token.ts';

type JobInput = components['schemas']['JobInput'];
type JobOutput = components['schemas']['Job'];

export type Caller = Prisma.CredentialGetPayload<{ include: { company: true } }>;

export type Created =
  | { readonly kind: 'created'; readonly job: Job }
  | { readonly kind: 'replayed'; readonly job: Job }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'gone' };

const environment = 'production';

/** The credential in force with its company, or undefined. */
export async function findCaller(prisma: PrismaClient, token: string, now: Date): Promise<Caller | undefined> {
  const tenant = readSecret(token);
  if (tenant?.environment !== environment) return undefined;
  const caller = await prisma.credential.findFirst({
    where: {
      companyId: tenant.companyId,
      secretHash: hashSecret(token),
      environment,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    include: { company: true },
  });
  return caller?.company.productionApprovedAt ? caller : undefined;
}

export const findJob = (prisma: PrismaClient, { companyId }: Caller, id: bigint): Promise<Job | null> =>
  prisma.job.findFirst({ where: { companyId, environment, id } });

/** One interactive transaction: look up the key, count the posting, create the job, create the key. */
export async function createJob(
  prisma: PrismaClient,
  caller: Caller,
  key: string,
  input: JobInput,
  now: Date,
): Promise<Created> {
  const { companyId } = caller;
  const digest = createHash('sha256').update(JSON.stringify(input)).digest('base64url');
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return prisma.$transaction(async (tx) => {
    const claimed = await tx.idempotencyKey.findUnique({
      where: { companyId_environment_key: { companyId, environment, key } },
    });
    if (claimed) {
      if ((claimed.fieldHashes as { body?: string }).body !== digest) return { kind: 'conflict' };
      const job = await tx.job.findFirst({ where: { companyId, environment, id: claimed.jobId } });
      return job ? { kind: 'replayed', job } : { kind: 'gone' };
    }
    const usage = { companyId, allowance: 'subscription' as const, periodStart };
    await tx.postingUsage.upsert({
      where: { companyId_allowance_periodStart: usage },
      create: { ...usage, used: 1 },
      update: { used: { increment: 1 } },
    });
    const job = await tx.job.create({
      data: { companyId, environment, status: 'pending', ...rowOf(input), createdAt: now, updatedAt: now },
    });
    await tx.idempotencyKey.create({
      data: { companyId, environment, key, fieldHashes: { body: digest }, jobId: job.id, createdAt: now },
    });
    return { kind: 'created', job };
  });
}

const listOf = (list: string[] | null | undefined) => list ?? Prisma.DbNull;

function rowOf(input: JobInput) {
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
