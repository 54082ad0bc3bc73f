import { createHash } from 'node:crypto';
import type { Job, JobStatus, PrismaClient } from '../../generated/prisma/client.ts';
import type { Schemas } from '../../src/contract/types.ts';
import { type Caller, periodStartOf } from './peer-caller.ts';
import { changesOf, rowOf } from './peer-job-row.ts';

export type Created =
  | { readonly kind: 'created'; readonly job: Job }
  | { readonly kind: 'replayed'; readonly job: Job }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'gone' };

const environment = 'production';

export const findJob = (prisma: PrismaClient, { companyId }: Caller, id: bigint): Promise<Job | null> =>
  prisma.job.findFirst({ where: { companyId, environment, id } });

export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** Newest first. Status as stored: no job of the sample data has expired. */
export async function listJobs(
  prisma: PrismaClient,
  { companyId }: Caller,
  { page, perPage }: Page,
  status: JobStatus | undefined,
): Promise<{ jobs: Job[]; total: number }> {
  const where = { companyId, environment, ...(status && { status }) } as const;
  const [jobs, total] = await Promise.all([
    prisma.job.findMany({ where, orderBy: { id: 'desc' }, take: perPage, skip: (page - 1) * perPage }),
    prisma.job.count({ where }),
  ]);
  return { jobs, total };
}

/** One interactive transaction: look up the key, count the posting, create the job, create the key. */
export async function createJob(
  prisma: PrismaClient,
  { companyId }: Caller,
  key: string,
  input: Schemas['JobInput'],
  now: Date,
): Promise<Created> {
  const digest = createHash('sha256').update(JSON.stringify(input)).digest('base64url');
  const periodStart = periodStartOf(now);
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

const reviewedAgain = new Set<JobStatus>(['active', 'denied']);

/** Reads the job for its status, then writes the supplied fields; rules between fields are left out. */
export async function updateJob(
  prisma: PrismaClient,
  caller: Caller,
  id: bigint,
  patch: Schemas['JobPatch'],
  now: Date,
): Promise<Job | null> {
  const job = await findJob(prisma, caller, id);
  if (!job) return null;
  return prisma.job.update({
    where: { companyId_environment_id: { companyId: job.companyId, environment, id } },
    data: {
      ...changesOf(patch),
      status: reviewedAgain.has(job.status) ? 'pending' : job.status,
      updatedAt: now,
      revision: { increment: 1 },
    },
  });
}

/** Writes only where the job is not inactive already; false where there is no such job. */
export async function withdrawJob(prisma: PrismaClient, caller: Caller, id: bigint, now: Date): Promise<boolean> {
  const job = await findJob(prisma, caller, id);
  if (!job || job.status === 'inactive') return job !== null;
  await prisma.job.update({
    where: { companyId_environment_id: { companyId: job.companyId, environment, id } },
    data: { status: 'inactive', updatedAt: now, revision: { increment: 1 } },
  });
  return true;
}
