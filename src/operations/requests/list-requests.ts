import type { Tenant } from '../../domain/environment.ts';
import { type Protocol, requestLogDays } from '../../domain/request-entry.ts';
import {
  countByMinute,
  type MinuteCount,
  type RequestRow,
  listRequests as readRequests,
} from '../../queries/request-log.ts';
import { wholeNumberOf } from '../check-input.ts';
import { invalidInput } from '../errors.ts';
import type { ActionContext } from '../recorded.ts';

const perPageMax = 100;
const dayMs = 86_400_000;

export interface RequestListInput extends Tenant {
  /** One status (`404`) or a class of them (`4xx`). */
  readonly status?: string | undefined;
  readonly operation?: string | undefined;
  readonly credentialId?: number | undefined;
  readonly protocol?: Protocol | undefined;
  /** The `next` of the page before this one. */
  readonly before?: bigint | undefined;
  readonly perPage?: number | undefined;
}

export interface RequestList {
  readonly requests: readonly RequestRow[];
  /** Where the next page begins; null where this is the last. */
  readonly next: bigint | null;
}

/** A company's requests of the last 7 days in one environment, newest first. Refuses with `invalid_input`. */
export async function listRequests(ctx: ActionContext, input: RequestListInput): Promise<RequestList> {
  const { companyId, environment, status, operation, credentialId, protocol, before } = input;
  const perPage = wholeNumberOf('perPage', input.perPage ?? 50, 1, perPageMax);
  const filter = { protocol, operation, credentialId, statuses: status === undefined ? undefined : statusesOf(status) };
  const since = new Date(ctx.now.getTime() - requestLogDays * dayMs);
  // One more than is shown tells whether there is a next page.
  const range = { since, before, rowsMax: perPage + 1 };
  const rows = await readRequests(ctx.db, { companyId, environment }, filter, range);
  const requests = rows.slice(0, perPage);
  return { requests, next: rows.length > perPage ? (requests.at(-1)?.id ?? null) : null };
}

function statusesOf(status: string): [number, number] {
  const hundred = Number(status[0]) * 100;
  if (/^[1-5]xx$/.test(status)) return [hundred, hundred + 99];
  if (/^[1-5]\d\d$/.test(status)) return [Number(status), Number(status)];
  throw invalidInput('status', 'must be a status such as 404, or a class such as 4xx');
}

const minutes = 60;
const minuteMs = 60_000;

/** The requests of the last hour by the minute, oldest first: 60 entries, of which the last is the minute that runs. */
export const requestsPerMinute = (ctx: ActionContext, { companyId, environment }: Tenant): Promise<MinuteCount[]> =>
  countByMinute(ctx.db, { companyId, environment }, new Date(ctx.now.getTime() - (minutes - 1) * minuteMs), ctx.now);
