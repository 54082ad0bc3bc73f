import type { Context } from '../../context.ts';
import { insertCompany } from '../../queries/companies.ts';
import { replaceSubscription } from '../../queries/plans.ts';
import { lineOf } from '../check-input.ts';
import { recorded } from '../recorded.ts';
import { planNamed } from './set-subscription.ts';

interface NewCompany {
  readonly name: string;
  /** The name of a plan; the subscription begins today. */
  readonly plan?: string | undefined;
  readonly verified?: boolean | undefined;
  readonly productionApproved?: boolean | undefined;
  readonly autoPublish?: boolean | undefined;
}

/** Creates a company; an absent flag is off. Throws `invalid_input` and `unknown_plan`. */
export function createCompany(ctx: Context, input: NewCompany): Promise<{ companyId: bigint }> {
  const name = lineOf('name', input.name, 255);
  const { verified = false, productionApproved = false, autoPublish = false } = input;
  return recorded(ctx, async (tx) => {
    const plan = input.plan === undefined ? null : await planNamed(tx, input.plan);
    const productionApprovedAt = productionApproved ? ctx.now : null;
    const facts = { verified, autoPublish, suspendedAt: null, productionApprovedAt };
    const companyId = await insertCompany(tx, { name, ...facts, createdAt: ctx.now });
    if (plan) await replaceSubscription(tx, companyId, { planId: plan.id, startedOn: ctx.today, endsAt: null });
    const details = {
      verified,
      auto_publish: autoPublish,
      production_approved: productionApproved,
      plan: plan?.name ?? null,
    };
    return { result: { companyId }, audit: { action: 'company.created', companyId, details } };
  });
}
