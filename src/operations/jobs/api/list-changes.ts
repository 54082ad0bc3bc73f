import type { ApiContext } from '../../../context.ts';
import { addDays, instantOf, type RequestTime, startOfDay } from '../../../domain/dates.ts';
import type { FieldError } from '../../../domain/message.ts';
import { currentStatus, type JobStatus, presentJob, type StoredJob } from '../job.ts';
import * as queries from '../job-changes-sql.ts';

/**
 * A change is dated at the start of its request, but becomes visible at its commit. A slow body (30 s), a busy sanitizer (20 s), lost
 * attempts, a lock, or clocks that differ by seconds can delay the commit. So each synchronisation starts this long before the start of the
 * previous one.
 */
const overlapMs = 5 * 60_000;

/** `next_cursor` contains the start of the next synchronisation, the total, and the time and id of the page's last job. */
const cursorPattern = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.(\d{1,16})$/;

/** Checks the rules between `updated_since`, `cursor` and `page`. */
export function changesErrors({ updated_since: since, cursor, page }: Readonly<Record<string, unknown>>): FieldError[] {
  const isPaged = since !== undefined && typeof page === 'number' && page > 1;
  const errors: FieldError[] = [];
  const add = (field: string, text: string) => errors.push([field, { text }]);
  if (isPaged) add('page', 'must be 1 with updated_since; send next_cursor as cursor');
  if (typeof cursor !== 'string') return errors;
  if (since === undefined) add('cursor', 'needs updated_since, the same as for the page before');
  if (!cursorPattern.test(cursor))
    add('cursor', 'must be the next_cursor of the page before; leave it out for the first page');
  return errors;
}

interface ChangesQuery {
  readonly since: string;
  readonly cursor: string | undefined;
  readonly perPage: number;
  readonly status: JobStatus | undefined;
}

/** One page of a synchronisation; `position` is its addition to the list's `meta`. All pages have the first page's `synced_until`. */
export async function listChanges(
  ctx: ApiContext,
  { since, cursor, perPage, status }: ChangesQuery,
): Promise<{ jobs: StoredJob[]; total: number; position: { next_cursor: string | null; synced_until: string } }> {
  const [, until, known, at, id] = cursorPattern.exec(cursor ?? '') ?? [];
  const after = id === undefined ? undefined : { at: bounded(Number(at)), id: BigInt(id), total: Number(known) };
  const asked = { since: bounded(instantOf(since)), after, perPage, status };
  const { jobs, total, next } = await queries.listChanges(ctx.db, ctx.actor.tenant, asked, ctx);
  const begunMs = ctx.now.getTime() - overlapMs;
  const syncedUntil = Math.min(begunMs, Number(until ?? begunMs));
  const position = {
    next_cursor: next ? `${syncedUntil}.${total}.${next.at.getTime()}.${next.id}` : null,
    synced_until: new Date(syncedUntil).toISOString(),
  };
  return { jobs, total, position };
}

/** The addition to `meta` for a list of changes that fits on one page. */
export const onlyPage = ({ now }: RequestTime) => ({
  next_cursor: null,
  synced_until: new Date(now.getTime() - overlapMs).toISOString(),
});

/** Whether a job changed or expired at or after an instant, by the same rule as the list of changes. */
export function hasChangedSince(job: StoredJob, since: string, { today, timeZone }: RequestTime): boolean {
  const { status, valid_until: lastDay } = job;
  const isExpired = status === 'active' && currentStatus(job, today) === 'expired';
  const expiryMs = isExpired && lastDay ? startOfDay(timeZone, addDays(lastDay, 1)).getTime() : 0;
  return Math.max(Date.parse(presentJob(job, null, today).updated_at ?? ''), expiryMs) >= instantOf(since);
}

const latestMs = Date.UTC(9999, 0);

/** Limits a time to years that the database and JavaScript write alike. No job has changed outside them. */
const bounded = (ms: number): Date => new Date(Math.min(Math.max(ms, 0), latestMs));
