import { emptyFields, htmlFields, maxima, type Operations } from '../../generated/client.ts';
import type { CallOptions } from './call.ts';
import type { Job, JobInput, JobPatch } from './contract.ts';
import { isKeptAs } from './kept-html.ts';
import { VagaError } from './vaga-error.ts';

/** One of your jobs. */
export interface OwnJob {
  /** Your own id of the job: 1 to 128 letters, digits and `._:-`, including `prefix`. Never reuse it for another job. */
  readonly id: string;
  /** Fields that are left out are emptied at the service. */
  readonly job: JobInput;
}

export interface SyncStep {
  /** Your own id. */
  readonly id: string;
  /**
   * `kept`: not updated. The job is inactive or expired, and the API cannot publish it again; or it is denied, and only the service can tell
   * whether it differs. `uncertain`: in a dry run, a sync would send `fields`, and only the service can tell whether they differ. `failed`:
   * refused, see `error`.
   */
  readonly action: 'created' | 'changed' | 'withdrawn' | 'unchanged' | 'kept' | 'uncertain' | 'failed';
  /** The job at the service, if there is one. */
  readonly job?: Job | undefined;
  /** The fields that differ or, if `uncertain`, may differ. */
  readonly fields?: readonly string[];
  readonly error?: VagaError;
}

export interface SyncOptions extends CallOptions {
  /** Changes nothing. The steps are what a sync would do, except that the service may refuse it. */
  readonly dryRun?: boolean | undefined;
  /** Called after each job. */
  readonly onProgress?: ((step: SyncStep) => void) | undefined;
  /**
   * The beginning of the idempotency keys of your list's jobs. The sync leaves jobs with other keys, or without a key, alone. By default, it
   * treats every job with a key as a job of your list.
   */
  readonly prefix?: string | undefined;
  /** The share of the published and pending jobs that may be withdrawn, from 0 to 1. Default 0.2. One job may always be withdrawn. */
  readonly withdrawShareMax?: number | undefined;
}

/** A sync would withdraw more jobs than it may, and has changed nothing. */
export class TooManyWithdrawals extends Error {
  override readonly name = 'TooManyWithdrawals';
}

type Service = Pick<Operations, 'listJobs' | 'getJob' | 'createJob' | 'updateJob' | 'withdrawJob'>;
type Step = Omit<SyncStep, 'id'>;
type Task = readonly [key: string, run: () => Promise<Step>];

/**
 * Makes the service's jobs match a list: creates missing jobs, changes those that differ, and withdraws those not in the list. A job's
 * idempotency key is the prefix and your own id, so an interrupted sync can simply be run again. Throws a TypeError for invalid ids,
 * TooManyWithdrawals, and a VagaError if the credential is refused or the service does not answer. An error of one job is in its step.
 */
export async function sync(service: Service, jobs: Iterable<OwnJob>, options: SyncOptions = {}): Promise<SyncStep[]> {
  const { dryRun = false, onProgress = () => {}, prefix = '', withdrawShareMax = 0.2, ...call } = options;
  const wanted = byKey(jobs, prefix);
  const listed = await listedJobs(service, prefix, call);
  const open = [...listed].filter(([, { status }]) => !isOver(status));
  const gone = open.filter(([key]) => !wanted.has(key));
  if (!dryRun && gone.length > Math.max(1, open.length * withdrawShareMax))
    throw new TooManyWithdrawals(`${gone.length} of ${open.length} jobs are not in the list and would be withdrawn.`);
  const { withdraw, change, create } = stepsOver(service, dryRun, call);
  const known = [...wanted].flatMap(([key, own]) => {
    const job = listed.get(key);
    return job ? [[key, () => change(job, own)] as const] : [];
  });
  const missing = [...wanted].filter(([key]) => !listed.has(key));
  const steps: SyncStep[] = [];
  // Withdrawals come first, because those jobs must leave the website, and creates last, because there may be many.
  const tasks: Task[] = [
    ...gone.map(([key, job]): Task => [key, () => withdraw(job)]),
    ...known,
    ...missing.map(([key, own]): Task => [key, () => create(key, own)]),
  ];
  await inOrder(tasks, async ([key, run]) => {
    const done = await run().catch((error: unknown): Step => {
      if (error instanceof VagaError && isOfOneJob(error)) return { action: 'failed', job: listed.get(key), error };
      throw error;
    });
    const step = { id: key.slice(prefix.length), ...done };
    steps.push(step);
    onProgress(step);
  });
  return steps;
}

/** The changes to one job. A dry run sends none of them. */
function stepsOver(service: Service, dryRun: boolean, call: CallOptions) {
  let overQuota: VagaError | undefined;
  const withdraw = async (job: Job): Promise<Step> => {
    if (!dryRun) await service.withdrawJob(job.id, call);
    return { action: 'withdrawn', job };
  };
  const change = async (job: Job, own: JobInput): Promise<Step> => {
    if (isOver(job.status)) return { action: 'kept', job };
    const { patch, certain } = differences(job, own);
    const fields = Object.keys(patch) as (keyof JobPatch)[];
    if (fields.length === 0) return { action: 'unchanged', job };
    const isCertain = certain.length > 0;
    // Every update of a denied job sends it to review again, even one that changes nothing.
    if (job.status === 'denied' && !isCertain) return { action: 'kept', job };
    if (dryRun) return isCertain ? { action: 'changed', job, fields: certain } : { action: 'uncertain', job, fields };
    const changed = await service.updateJob(job.id, patch, call);
    // The fields seemed to differ, but the service stores them as before.
    if (changed.updated_at === job.updated_at) return { action: 'unchanged', job };
    return { action: 'changed', job: changed, fields: fields.filter((name) => !isEqual(job[name], changed[name])) };
  };
  const create = async (key: string, own: JobInput): Promise<Step> => {
    if (dryRun) return { action: 'created' };
    if (overQuota) throw overQuota;
    try {
      return { action: 'created', job: await service.createJob(own, { ...call, idempotencyKey: key }) };
    } catch (error) {
      if (!(error instanceof VagaError)) throw error;
      if (error.reason === 'quota') overQuota = error;
      // Another sync has just created this job with different fields.
      const { job_id: jobId } = error.details;
      if (error.status !== 409 || typeof jobId !== 'number') throw error;
      return change(await service.getJob(jobId, call), own);
    }
  };
  return { withdraw, change, create };
}

/** Whether the service never publishes the job again. */
const isOver = (status: Job['status']): boolean => status === 'inactive' || status === 'expired';

/** Whether the error concerns only one job, so that the next one may succeed. */
const isOfOneJob = ({ status, reason, details }: VagaError): boolean =>
  [404, 409, 410, 413, 422].includes(status) || reason === 'quota' || (reason === 'permission' && 'field' in details);

function byKey(jobs: Iterable<OwnJob>, prefix: string): Map<string, JobInput> {
  const found = new Map<string, JobInput>();
  for (const { id, job } of jobs) {
    const key = `${prefix}${id}`;
    if (typeof id !== 'string' || !/^[A-Za-z0-9._:-]{1,128}$/.test(key))
      throw new TypeError(`the id ${JSON.stringify(id)} must be 1 to 128 letters, digits and ._:-, with the prefix`);
    if (found.has(key)) throw new TypeError(`the id ${id} is in the list twice`);
    found.set(key, job);
  }
  return found;
}

/** Returns the jobs whose keys begin with the prefix, by key. Reads them by change time, so that no page skips a job if others are removed. */
async function listedJobs(service: Service, prefix: string, call: CallOptions): Promise<Map<string, Job>> {
  const found = new Map<string, Job>();
  const query = {
    updated_since: '1970-01-01T00:00:00Z',
    include: 'idempotency_keys',
    per_page: maxima.listJobs.per_page,
  } as const;
  for (let position = {}; ; ) {
    const { data, meta } = await service.listJobs({ ...query, ...position }, call);
    for (const job of data) {
      const key = meta.idempotency_keys?.[job.id];
      if (key?.startsWith(prefix)) found.set(key, job);
    }
    if (!meta.next_cursor) return found;
    position = { cursor: meta.next_cursor };
  }
}

/** Returns the wanted values of the fields in which a job differs or may differ, and the names of those that certainly differ. */
function differences(job: Job, wanted: JobInput): { readonly patch: JobPatch; readonly certain: readonly string[] } {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const compared = Object.entries({ ...emptyFields, ...Object.fromEntries(given) }).map(
    ([name, value]) => [name, value, isKept(name, value, job[name as keyof Job])] as const,
  );
  const patch = compared.flatMap(([name, value, kept]) => (kept ? [] : [[name, value] as const]));
  const certain = compared.flatMap(([name, , kept]) => (kept === false ? [name] : []));
  return { patch: Object.fromEntries(patch), certain };
}

/** Whether the service keeps a wanted value as it is. Undefined if only the service can tell. */
function isKept(name: string, wanted: unknown, kept: unknown): boolean | undefined {
  if (typeof kept !== 'string') return isEqual(wanted, kept);
  // A decimal: 1200 is kept as "1200.00".
  if (typeof wanted === 'number') return wanted.toFixed(kept.split('.')[1]?.length ?? 0) === kept;
  return typeof wanted === 'string' && htmlFields.includes(name) ? isKeptAs(wanted, kept) : wanted === kept;
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** How many tasks run at once. The service runs two changes of a company at once. */
const workers = 4;

/** Starts tasks in order. After an error, starts no more, and throws the error when the running ones have ended. */
async function inOrder(tasks: readonly Task[], run: (task: Task) => Promise<void>): Promise<void> {
  // When one loop throws, it closes the generator, which ends the other loops, too.
  const rest = (function* () {
    yield* tasks;
  })();
  const work = async (): Promise<void> => {
    for (const task of rest) await run(task);
  };
  const ended = await Promise.allSettled(Array.from({ length: workers }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
