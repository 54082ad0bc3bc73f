import type { Context } from '../../context.ts';
import { sandboxCapacity } from '../../domain/eligibility.ts';
import { clearSandbox, readSandboxUsage } from '../../queries/usage.ts';
import type { CompanyRef } from '../companies/change-company.ts';
import { recordedFor } from '../recorded.ts';

/**
 * Section 1: deletes the sandbox's jobs and idempotency keys, which restores its capacity; credentials stay.
 * A simultaneous create happens entirely before or after. Throws `unknown_company`.
 */
export function resetSandbox(ctx: Context, { companyId }: CompanyRef): Promise<{ jobs: number; keys: number }> {
  return recordedFor(ctx, companyId, async (tx) => {
    const { jobs, keys } = await clearSandbox(tx, companyId);
    const details = { jobs, keys };
    return { result: details, audit: { action: 'sandbox.reset', environment: 'sandbox', details } };
  });
}

export interface SandboxUsage {
  /** Jobs created since the last reset. */
  readonly used: number;
  readonly capacity: number;
}

export async function showSandbox(ctx: Context, { companyId }: CompanyRef): Promise<SandboxUsage> {
  return { used: await readSandboxUsage(ctx.db, companyId), capacity: sandboxCapacity };
}
