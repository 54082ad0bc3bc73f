import type { Context } from '../../context.ts';
import { retryAfterSecondsMax, writeMaintenance } from '../../queries/maintenance.ts';
import { wholeNumberOf } from '../check-input.ts';
import { recorded } from '../recorded.ts';

/** Closes the API of every process within a second; clients get `Retry-After` with these seconds. Throws `invalid_input`. */
export function startMaintenance(
  ctx: Context,
  { retryAfterSeconds }: { readonly retryAfterSeconds: number },
): Promise<void> {
  wholeNumberOf('retryAfterSeconds', retryAfterSeconds, 1, retryAfterSecondsMax);
  return recorded(ctx, async (tx) => {
    await writeMaintenance(tx, { retryAfterSeconds });
    const details = { retry_after_seconds: retryAfterSeconds };
    return { result: undefined, audit: { action: 'maintenance.started', details } };
  });
}

/** Opens the API again. */
export function endMaintenance(ctx: Context): Promise<void> {
  return recorded(ctx, async (tx) => {
    const changed = await writeMaintenance(tx, undefined);
    return { result: undefined, audit: changed ? { action: 'maintenance.ended', details: {} } : null };
  });
}
