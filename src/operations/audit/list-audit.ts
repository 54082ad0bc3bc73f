import { addDays, type Day, startOfDay } from '../../domain/dates.ts';
import { type AuditFilter, type AuditRow, listAudit as entries } from '../../queries/audit.ts';
import { dayOf } from '../check-input.ts';
import { invalidInput } from '../errors.ts';
import type { ActionContext } from '../recorded.ts';

const entriesPerPage = 50;

export interface AuditQuestion extends Omit<AuditFilter, 'from' | 'until'> {
  /** Both days belong to the answer, in the service's time zone. */
  readonly firstDay?: Day | undefined;
  readonly lastDay?: Day | undefined;
  /** The last entry of the page before. */
  readonly before?: bigint | undefined;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditRow[];
  /** What the next page's `before` is, where there is more. */
  readonly next: bigint | undefined;
}

/** The audit trail. Refuses with `invalid_input` what is no day, and a last day before the first. */
export async function listAudit(
  ctx: ActionContext,
  { firstDay, lastDay, before, ...filter }: AuditQuestion,
): Promise<AuditPage> {
  if (firstDay !== undefined) dayOf('firstDay', firstDay);
  if (lastDay !== undefined) dayOf('lastDay', lastDay);
  if (firstDay !== undefined && lastDay !== undefined && lastDay < firstDay)
    throw invalidInput('lastDay', 'must not be before the first day');
  const from = firstDay === undefined ? undefined : startOfDay(ctx.timeZone, firstDay);
  const until = lastDay === undefined ? undefined : startOfDay(ctx.timeZone, addDays(lastDay, 1));
  const found = await entries(ctx.db, { ...filter, from, until }, { before, limit: entriesPerPage + 1 });
  const page = found.slice(0, entriesPerPage);
  return { entries: page, next: found.length > page.length ? page.at(-1)?.id : undefined };
}
