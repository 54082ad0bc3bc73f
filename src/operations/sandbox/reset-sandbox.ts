import { sandboxCapacity } from '../../domain/eligibility.ts';
import { clearSandbox, readSandboxUsage } from '../../queries/usage.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

/**
 * Section 1: clears the sandbox's jobs and idempotency keys, and so its capacity is whole again; credentials stay.
 * A simultaneous create falls before or after as a whole. Refuses with `unknown_company`.
 */
export function resetSandbox(
  ctx: ActionContext,
  { companyId }: { readonly companyId: bigint },
): Promise<{ jobs: number; keys: number }> {
  return recordedFor(ctx, companyId, async (tx) => {
    const cleared = await clearSandbox(tx, companyId);
    return { result: cleared, audit: { action: 'sandbox.reset', environment: 'sandbox', details: cleared } };
  });
}

export interface SandboxUsage {
  /** Jobs made since the last reset. */
  readonly used: number;
  /** The most there can be until the next. */
  readonly capacity: number;
}

/** How full a company's sandbox is. */
export async function showSandbox(
  ctx: ActionContext,
  { companyId }: { readonly companyId: bigint },
): Promise<SandboxUsage> {
  return { used: await readSandboxUsage(ctx.db, companyId), capacity: sandboxCapacity };
}
