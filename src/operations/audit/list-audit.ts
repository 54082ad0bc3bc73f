import type { Context } from '../../context.ts';
import { addDays, type Day, startOfDay } from '../../domain/dates.ts';
import { invalidInput } from '../../domain/errors.ts';
import { type AuditFilter, type AuditRow, listAudit as entries } from '../../queries/audit.ts';
import { dayOf } from '../check-input.ts';

const entriesPerPage = 50;
/** How many entries a search for a text reads. */
export const searchedAuditMax = 5000;

export interface AuditQuestion extends Omit<AuditFilter, 'from' | 'until'> {
  /** Both days are included, in the service's time zone. */
  readonly firstDay?: Day | undefined;
  readonly lastDay?: Day | undefined;
  /** Part of a detail, ignoring case and accents. */
  readonly text?: string | undefined;
  readonly sort?: 'newest' | 'oldest' | undefined;
  /** The `next` of the page before. */
  readonly before?: bigint | undefined;
}

interface AuditPage {
  readonly entries: readonly AuditRow[];
  /** The `before` of the next page, if there is one. */
  readonly next: bigint | undefined;
}

/** Lists the audit trail, newest first unless `sort` says otherwise. Throws `invalid_input` for an invalid day, and for a last day before the first. */
export async function listAudit(
  ctx: Context,
  { firstDay, lastDay, text, sort = 'newest', before, ...filter }: AuditQuestion,
): Promise<AuditPage> {
  if (firstDay !== undefined) dayOf('firstDay', firstDay);
  if (lastDay !== undefined) dayOf('lastDay', lastDay);
  if (firstDay !== undefined && lastDay !== undefined && lastDay < firstDay)
    throw invalidInput('lastDay', { kind: 'not_before_first' });
  const from = firstDay === undefined ? undefined : startOfDay(ctx.timeZone, firstDay);
  const until = lastDay === undefined ? undefined : startOfDay(ctx.timeZone, addDays(lastDay, 1));
  const range = { text, sort, before, searchedMax: searchedAuditMax, limit: entriesPerPage + 1 };
  const found = await entries(ctx.db, { ...filter, from, until }, range);
  const page = found.slice(0, entriesPerPage);
  return { entries: page, next: found.length > page.length ? page.at(-1)?.id : undefined };
}
