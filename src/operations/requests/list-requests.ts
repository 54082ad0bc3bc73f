import type { Context } from '../../context.ts';
import type { Tenant } from '../../domain/environment.ts';
import { invalidInput } from '../../domain/errors.ts';
import { type Protocol, requestLogDays } from '../../domain/request-entry.ts';
import {
  countByMinute,
  type MinuteCount,
  type RequestRow,
  listRequests as readRequests,
} from '../../queries/request-log.ts';

const entriesPerPage = 50;
const dayMs = 86_400_000;

export interface RequestListInput extends Tenant {
  /** One status (`404`) or a class (`4xx`). */
  readonly status?: string | undefined;
  readonly operation?: string | undefined;
  readonly credentialId?: number | undefined;
  readonly protocol?: Protocol | undefined;
  /** A request id or a trace id. */
  readonly text?: string | undefined;
  readonly sort?: 'newest' | 'oldest' | undefined;
  /** The `next` of the page before. */
  readonly before?: bigint | undefined;
}

export interface RequestList {
  readonly requests: readonly RequestRow[];
  /** Where the next page begins; null on the last page. */
  readonly next: bigint | null;
}

/** Lists a company's requests of the last 7 days in one environment, newest first unless `sort` says otherwise. Throws `invalid_input`. */
export async function listRequests(ctx: Context, input: RequestListInput): Promise<RequestList> {
  const { companyId, environment, status, operation, credentialId, protocol, text, sort = 'newest', before } = input;
  const statuses = status === undefined ? undefined : statusesOf(status);
  const filter = { protocol, operation, credentialId, statuses, text };
  const since = new Date(ctx.now.getTime() - requestLogDays * dayMs);
  // One row more than shown tells whether there is a next page.
  const range = { since, sort, before, rowsMax: entriesPerPage + 1 };
  const rows = await readRequests(ctx.db, { companyId, environment }, filter, range);
  const requests = rows.slice(0, entriesPerPage);
  return { requests, next: rows.length > entriesPerPage ? (requests.at(-1)?.id ?? null) : null };
}

function statusesOf(status: string): [number, number] {
  const hundred = Number(status[0]) * 100;
  if (/^[1-5]xx$/.test(status)) return [hundred, hundred + 99];
  if (/^[1-5]\d\d$/.test(status)) return [Number(status), Number(status)];
  throw invalidInput('status', { kind: 'status_or_class' });
}

const minutes = 60;
const minuteMs = 60_000;

/** Counts the requests of the last hour by minute: 60 entries, oldest first, ending with the current minute. */
export const requestsPerMinute = (ctx: Context, { companyId, environment }: Tenant): Promise<MinuteCount[]> =>
  countByMinute(ctx.db, { companyId, environment }, new Date(ctx.now.getTime() - (minutes - 1) * minuteMs), ctx.now);
