import type { Day } from './dates.ts';
import type { Environment } from './environment.ts';
import { forbidden } from './errors.ts';
import { monthlyPeriod, type Period, sandboxCapacity } from './quota.ts';

/** What the service knows of a company when it decides whether its credentials may work. Days are in the service's time zone. */
export interface Standing {
  readonly verified: boolean;
  readonly suspended: boolean;
  readonly approved: boolean;
  readonly plan: { name: string; postingLimit: number; apiEligible: boolean; startedOn: Day } | null;
  readonly grant: { monthlyLimit: number; startedOn: Day } | null;
}

/** What a posting counts against. `period` is null where the count runs until a reset. */
export interface Entitlement {
  readonly allowance: 'subscription' | 'complimentary' | 'sandbox';
  readonly accessType: 'subscription' | 'complimentary';
  readonly limit: number;
  readonly period: Period | null;
}

/** Sections 5.8 and 5.10: refuses with 403 `permission`, `plan` or `approval`. A grant in force goes before the plan. */
export function entitlementOf(environment: Environment, standing: Standing, today: Day): Entitlement {
  if (standing.suspended) throw forbidden('permission', 'This company account is suspended.');
  return environment === 'sandbox' ? sandboxEntitlement(standing) : productionEntitlement(standing, today);
}

function sandboxEntitlement(standing: Standing): Entitlement {
  if (!standing.verified) throw forbidden('permission', 'The sandbox is open to verified company accounts only.');
  const accessType = standing.grant ? 'complimentary' : 'subscription';
  return { allowance: 'sandbox', accessType, limit: sandboxCapacity, period: null };
}

function productionEntitlement({ grant, plan, approved }: Standing, today: Day): Entitlement {
  const entitlement = grant ? complimentary(grant, today) : subscription(plan, today);
  if (!entitlement) throw forbidden('plan', 'The plan of this company does not include production access.');
  if (!approved)
    throw forbidden('approval', 'Production access of this company waits for approval by an administrator.');
  return entitlement;
}

const complimentary = (grant: NonNullable<Standing['grant']>, today: Day): Entitlement => ({
  allowance: 'complimentary',
  accessType: 'complimentary',
  limit: grant.monthlyLimit,
  period: monthlyPeriod(grant.startedOn, today),
});

function subscription(plan: Standing['plan'], today: Day): Entitlement | undefined {
  if (!plan?.apiEligible) return undefined;
  const period = monthlyPeriod(plan.startedOn, today);
  return { allowance: 'subscription', accessType: 'subscription', limit: plan.postingLimit, period };
}
