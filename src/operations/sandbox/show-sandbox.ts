import { sandboxCapacity } from '../../domain/quota.ts';
import { readSandboxUsage } from '../../queries/sandbox.ts';
import type { ActionContext } from '../recorded.ts';

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
