import { hash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { type JobStatus, type Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { options } from '../../../src/contract/options.ts';
import type { OperationId, Schemas } from '../../../src/contract/types.ts';
import { hashSecret, readSecret } from '../../../src/domain/token.ts';
import { type Caller, present, rowOf } from './prisma-jobs.ts';

// What stands behind every framework, so that they alone differ: Prisma as its documentation shows it, nothing kept in memory.
// Left out is what this service does besides: request limits, plan and quota rules, rules between fields, sanitizing.

/** A request that a framework has validated; numbers in path and query may still be text. */
interface PeerRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly key: unknown;
  readonly body: unknown;
}

export interface PeerReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

type Operation = (caller: Caller, request: PeerRequest) => Promise<PeerReply>;

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) });
const environment = 'production';
const requestsPerMinute = Number(process.env.REQUESTS_PER_MINUTE ?? 60);

const ok = (data: object): PeerReply => ({ status: 200, body: { data } });
/** The error envelope of the contract. */
export const failed = (status: number, message: string): PeerReply => ({
  status,
  body: { error: { status, message, details: {} } },
});
export const unauthorized = failed(401, 'A valid credential is needed.');
export const readOnly = failed(403, 'The credential may only read.');
const noSuchJob = failed(404, 'There is no such job.');

/** The credential in force with its company, by the Authorization header. */
export async function findCaller(authorization = ''): Promise<Caller | undefined> {
  const token = authorization.replace(/^Bearer /, '');
  const tenant = readSecret(token);
  if (tenant?.environment !== environment) return undefined;
  const { companyId } = tenant;
  const inForce = { revokedAt: null, expiresAt: { gt: new Date() } };
  const caller = await prisma.credential.findFirst({
    where: { companyId, secretHash: hashSecret(token), environment, ...inForce },
    include: { company: true },
  });
  return caller?.company.productionApprovedAt ? caller : undefined;
}

/** The calendar month, on whose first day the subscriptions of the sample data begin. */
function usageKeyOf({ companyId }: Caller) {
  const now = new Date();
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return { companyId, allowance: 'subscription', periodStart } as const;
}

const getAccount: Operation = async (caller) => {
  const { companyId } = caller;
  const usageKey = usageKeyOf(caller);
  const [subscription, usage] = await Promise.all([
    prisma.subscription.findUnique({ where: { companyId }, include: { plan: true } }),
    prisma.postingUsage.findUnique({ where: { companyId_allowance_periodStart: usageKey } }),
  ]);
  if (!subscription) return failed(403, 'The company has no plan.');
  const { name: plan, postingLimit: limit } = subscription.plan;
  const used = usage?.used ?? 0;
  const start = usageKey.periodStart;
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0));
  const [period_start, period_end] = [start, end].map((date) => date.toISOString().slice(0, 10));
  const remaining = limit < 0 ? limit : Math.max(limit - used, 0);
  return ok({
    company_id: Number(companyId),
    plan,
    requests_per_minute: requestsPerMinute,
    jobs: { limit, used, remaining, period_start, period_end },
    access_type: 'subscription',
  });
};

export async function listCategories(): Promise<PeerReply> {
  const rows = await prisma.category.findMany({
    where: { active: true, OR: [{ parentId: null }, { parent: { active: true } }] },
    orderBy: { id: 'asc' },
  });
  return ok(rows.map(({ id, name, slug, parentId }) => ({ id, name, slug, parent_id: parentId })));
}

export const listRegions = async (): Promise<PeerReply> =>
  ok(await prisma.district.findMany({ orderBy: { id: 'asc' } }));

const findJob = ({ companyId }: Caller, { path }: PeerRequest) =>
  prisma.job.findFirst({ where: { companyId, environment, id: BigInt(String(path.id)) } });

const getJob: Operation = async (caller, request) => {
  const job = await findJob(caller, request);
  return job ? ok(present(job, caller)) : noSuchJob;
};

/** Newest first. Status as stored: no job of the sample data has expired. */
const listJobs: Operation = async (caller, { query }) => {
  const page = Number(query.page ?? 1);
  const perPage = Number(query.per_page ?? 25);
  // The framework has checked it against the contract's list.
  const status = query.status as JobStatus | undefined;
  const where = { companyId: caller.companyId, environment, ...(status && { status }) } as const;
  const [jobs, total] = await Promise.all([
    prisma.job.findMany({ where, orderBy: { id: 'desc' }, take: perPage, skip: (page - 1) * perPage }),
    prisma.job.count({ where }),
  ]);
  const meta = { current_page: page, per_page: perPage, total, last_page: Math.max(Math.ceil(total / perPage), 1) };
  return { status: 200, body: { data: jobs.map((job) => present(job, caller)), meta } };
};

/** One interactive transaction: look up the key, count the posting, create the job, create the key. */
const createJob: Operation = async (caller, { key: given, body }) => {
  const { companyId } = caller;
  const key = String(given);
  const digest = hash('sha256', JSON.stringify(body), 'base64');
  return prisma.$transaction(async (tx) => {
    const claimed = await tx.idempotencyKey.findUnique({
      where: { companyId_environment_key: { companyId, environment, key } },
    });
    if (claimed) {
      if ((claimed.fieldHashes as { body?: string }).body !== digest) return failed(409, 'The key has other JSON.');
      const job = await tx.job.findFirst({ where: { companyId, environment, id: claimed.jobId } });
      if (!job) return failed(410, 'The job was removed.');
      return { ...ok(present(job, caller)), headers: { 'Idempotent-Replayed': 'true' } };
    }
    const usageKey = usageKeyOf(caller);
    await tx.postingUsage.upsert({
      where: { companyId_allowance_periodStart: usageKey },
      create: { ...usageKey, used: 1 },
      update: { used: { increment: 1 } },
    });
    const now = new Date();
    // The framework has checked it against this schema.
    const row = rowOf(body as Schemas['JobInput']) as Prisma.JobUncheckedCreateInput;
    const job = await tx.job.create({
      data: { ...row, companyId, environment, status: 'pending', createdAt: now, updatedAt: now },
    });
    await tx.idempotencyKey.create({
      data: { companyId, environment, key, fieldHashes: { body: digest }, jobId: job.id, createdAt: now },
    });
    return { ...ok(present(job, caller)), status: 201, headers: { Location: `/v1/jobs/${job.id}` } };
  });
};

const reviewedAgain = new Set<JobStatus>(['active', 'denied']);

/** Reads the job for its status, then writes the supplied fields. */
const updateJob: Operation = async (caller, request) => {
  const job = await findJob(caller, request);
  if (!job) return noSuchJob;
  const { companyId, id } = job;
  const changed = await prisma.job.update({
    where: { companyId_environment_id: { companyId, environment, id } },
    data: {
      // The framework has checked it against this schema.
      ...rowOf(request.body as Schemas['JobPatch']),
      status: reviewedAgain.has(job.status) ? 'pending' : job.status,
      updatedAt: new Date(),
      revision: { increment: 1 },
    },
  });
  return ok(present(changed, caller));
};

/** Writes only where the job is not inactive already. */
const withdrawJob: Operation = async (caller, request) => {
  const job = await findJob(caller, request);
  if (!job) return noSuchJob;
  const { companyId, id } = job;
  if (job.status !== 'inactive')
    await prisma.job.update({
      where: { companyId_environment_id: { companyId, environment, id } },
      data: { status: 'inactive', updatedAt: new Date(), revision: { increment: 1 } },
    });
  return { status: 204 };
};

export const operations: Readonly<Record<OperationId, Operation>> = {
  getAccount,
  listCategories,
  listRegions,
  listDistricts: listRegions,
  listOptions: async () => ok(options),
  listJobs,
  createJob,
  getJob,
  updateJob,
  withdrawJob,
};
