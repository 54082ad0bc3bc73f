import { deleteGrant, findGrantInForce } from '../../queries/grants.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

/** Takes complimentary access away at once; without any, nothing changes. Refuses with `unknown_company`. */
export function endComplimentary(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx) => {
    const inForce = await findGrantInForce(tx, companyId, ctx.today);
    await deleteGrant(tx, companyId);
    return { result: undefined, audit: inForce ? { action: 'grant.ended', details: {} } : null };
  });
}
