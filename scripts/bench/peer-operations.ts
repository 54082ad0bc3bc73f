import type { JobStatus, PrismaClient } from '../../generated/prisma/client.ts';
import { options } from '../../src/contract/options.ts';
import type { OperationId, Schemas } from '../../src/contract/types.ts';
import { type Caller, readAccount } from './peer-caller.ts';
import { present } from './peer-job-row.ts';
import { createJob, findJob, listJobs, updateJob, withdrawJob } from './peer-jobs.ts';

/** A request that a framework has validated; numbers in path and query may still be text. */
export interface PeerRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly body: unknown;
}

export interface PeerReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

type Operation = (prisma: PrismaClient, caller: Caller, request: PeerRequest) => Promise<PeerReply>;

const ok = (data: object): PeerReply => ({ status: 200, body: { data } });

/** The error envelope of the contract. */
export const failed = (status: number, message: string): PeerReply => ({
  status,
  body: { error: { status, message, details: {} } },
});

const noSuchJob = failed(404, 'There is no such job.');
const idIn = ({ path }: PeerRequest): bigint => BigInt(String(path.id));

const getAccount: Operation = async (prisma, caller) => {
  const account = await readAccount(prisma, caller, new Date());
  return account ? ok(account) : failed(403, 'The company has no plan.');
};

const listCategories: Operation = async (prisma) => {
  const rows = await prisma.category.findMany({
    where: { active: true, OR: [{ parentId: null }, { parent: { active: true } }] },
    orderBy: { id: 'asc' },
  });
  return ok(rows.map(({ id, name, slug, parentId }) => ({ id, name, slug, parent_id: parentId })));
};

const listRegions: Operation = async (prisma) => ok(await prisma.district.findMany({ orderBy: { id: 'asc' } }));

const getJob: Operation = async (prisma, caller, request) => {
  const job = await findJob(prisma, caller, idIn(request));
  return job ? ok(present(job, caller)) : noSuchJob;
};

const getJobs: Operation = async (prisma, caller, { query }) => {
  const page = Number(query.page ?? 1);
  const perPage = Number(query.per_page ?? 25);
  // The framework has checked it against the contract's list.
  const { jobs, total } = await listJobs(prisma, caller, { page, perPage }, query.status as JobStatus | undefined);
  const meta = { current_page: page, per_page: perPage, total, last_page: Math.max(Math.ceil(total / perPage), 1) };
  return { status: 200, body: { data: jobs.map((job) => present(job, caller)), meta } };
};

const postJob: Operation = async (prisma, caller, { key, body }) => {
  // The framework has checked it against this schema.
  const outcome = await createJob(prisma, caller, key, body as Schemas['JobInput'], new Date());
  if (outcome.kind === 'conflict') return failed(409, 'The key was used with different JSON.');
  if (outcome.kind === 'gone') return failed(410, 'The job was removed.');
  const answer = { data: present(outcome.job, caller) };
  if (outcome.kind === 'replayed') return { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body: answer };
  return { status: 201, headers: { Location: `/v1/jobs/${outcome.job.id}` }, body: answer };
};

const patchJob: Operation = async (prisma, caller, request) => {
  // The framework has checked it against this schema.
  const job = await updateJob(prisma, caller, idIn(request), request.body as Schemas['JobPatch'], new Date());
  return job ? ok(present(job, caller)) : noSuchJob;
};

const deleteJob: Operation = async (prisma, caller, request) =>
  (await withdrawJob(prisma, caller, idIn(request), new Date())) ? { status: 204 } : noSuchJob;

/** What stands behind both frameworks, so that they alone differ: Prisma as its documentation shows it, nothing kept in memory. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  getAccount,
  listCategories,
  listRegions,
  listDistricts: listRegions,
  listOptions: async () => ok(options),
  listJobs: getJobs,
  createJob: postJob,
  getJob,
  updateJob: patchJob,
  withdrawJob: deleteJob,
};
