import { addDays, addMonths, type Day, dayToDate, lastDayBefore, type RequestTime } from './dates.ts';
import type { Environment } from './environment.ts';
import { forbidden } from './errors.ts';

/** The facts about a company that decide its access. Days are in the service's time zone. */
export interface AccessFacts {
  readonly verified: boolean;
  readonly suspended: boolean;
  readonly approved: boolean;
  readonly plan: {
    readonly name: string;
    readonly postingLimit: number;
    readonly apiEligible: boolean;
    readonly startedOn: Day;
    readonly endsAt: Date | string | null;
  } | null;
  readonly grant: { readonly monthlyLimit: number; readonly startedOn: Day; readonly expiresOn: Day | null } | null;
}

type Days = Pick<RequestTime, 'today' | 'timeZone'>;

/** The same facts as stored. A stored plan or grant may have ended. */
interface StoredFacts extends Pick<AccessFacts, 'plan' | 'grant'> {
  readonly company: {
    readonly verified: boolean;
    readonly suspendedAt: Date | string | null;
    readonly approvedAt: Date | string | null;
  };
}

/** Leaves out a plan or grant that has ended. The same rule in SQL: company-search-sql.ts. */
export const accessFactsOf = ({ company, plan, grant }: StoredFacts, { now, today }: RequestTime): AccessFacts => ({
  verified: company.verified,
  suspended: company.suspendedAt !== null,
  approved: company.approvedAt !== null,
  plan: plan && isSubscribed(plan.endsAt, now) ? plan : null,
  grant: grant && isGranted(grant.expiresOn, today) ? grant : null,
});

/** The limit that postings count against. `period` is null for the sandbox, which counts until its reset. */
export interface Entitlement {
  readonly allowance: 'subscription' | 'complimentary' | 'sandbox';
  readonly accessType: 'subscription' | 'complimentary';
  readonly limit: number;
  readonly period: Period | null;
}

/** `endsAt` is exclusive. */
export const isSubscribed = (endsAt: Date | string | null, now: Date): boolean =>
  endsAt === null || new Date(endsAt) > now;

/** `expiresOn` is inclusive. */
export const isGranted = (expiresOn: Day | null, today: Day): boolean => expiresOn === null || expiresOn >= today;

/** `expiresAt` is exclusive. The same rule in SQL: credentials-sql.ts. */
export const isValidCredential = (
  { revokedAt, expiresAt }: { readonly revokedAt: Date | string | null; readonly expiresAt: Date | string },
  now: Date,
): boolean => revokedAt === null && new Date(expiresAt) > now;

/** Everything that can block access, with the API's reason and message. */
const accessBlockers = {
  suspended: ['permission', 'This company account is suspended.'],
  unverified: ['permission', 'The sandbox is open to verified company accounts only.'],
  plan: ['plan', 'The plan of this company does not include production access.'],
  approval: ['approval', "This company's production access needs an administrator's approval."],
} as const;

export type AccessBlocker = keyof typeof accessBlockers;

/** Returns everything that blocks a company's access to an environment; the API names the first. Sections 5.8 and 5.10. */
export function accessBlockersOf(environment: Environment, facts: AccessFacts): AccessBlocker[] {
  const { suspended, verified, approved, plan, grant } = facts;
  const found: AccessBlocker[] = suspended ? ['suspended'] : [];
  if (environment === 'sandbox') return verified ? found : [...found, 'unverified'];
  if (!grant && !plan?.apiEligible) found.push('plan');
  return approved ? found : [...found, 'approval'];
}

/** Returns the limit that applies in an environment. Throws 403 `permission`, `plan` or `approval`. */
export function entitlementOf(environment: Environment, facts: AccessFacts, days: Days): Entitlement {
  const [blocker] = accessBlockersOf(environment, facts);
  const entitlement = environment === 'sandbox' ? sandbox(facts, days) : production(facts, days);
  if (!blocker && entitlement) return entitlement;
  const [reason, message] = accessBlockers[blocker ?? 'plan'];
  throw forbidden(reason, message);
}

function sandbox(facts: AccessFacts, days: Days): Entitlement {
  return { allowance: 'sandbox', accessType: accessTypeOf(facts, days), limit: sandboxCapacity, period: null };
}

/** Where production's limit comes from, even while something blocks production. */
export const accessTypeOf = (facts: AccessFacts, days: Days): Entitlement['accessType'] =>
  production(facts, days)?.accessType ?? 'subscription';

/**
 * Uses the larger limit of plan and grant, and the plan's if they are equal, so that a grant never lowers a limit. Compares the limits, not
 * the postings left: plan and grant count their own postings, in periods from their own first days.
 */
function production({ grant, plan }: AccessFacts, { today, timeZone }: Days): Entitlement | undefined {
  const byPlan = plan?.apiEligible
    ? monthly('subscription', plan.postingLimit, () =>
        monthlyPeriod(plan.startedOn, today, plan.endsAt && lastDayBefore(timeZone, plan.endsAt)),
      )
    : undefined;
  if (!grant || (byPlan && postings(byPlan.limit) >= postings(grant.monthlyLimit))) return byPlan;
  const { monthlyLimit, startedOn, expiresOn } = grant;
  return monthly('complimentary', monthlyLimit, () => monthlyPeriod(startedOn, today, expiresOn));
}

const postings = (limit: number): number => (limit === unlimited ? Number.POSITIVE_INFINITY : limit);

/** The period is computed only when read: most requests do not need it. */
const monthly = (by: Entitlement['accessType'], limit: number, period: () => Period): Entitlement => ({
  allowance: by,
  accessType: by,
  limit,
  get period() {
    return period();
  },
});

export const unlimited = -1;
export const sandboxCapacity = 100;

/** Both days are inclusive. */
export interface Period {
  readonly start: Day;
  readonly end: Day;
  /** The plan or grant ends with this period, which may be shorter than a month. */
  readonly isLast?: true;
}

/**
 * Returns the monthly period that contains `today`. `anchor` and `lastDay` are the first and the last day of the subscription or grant. The
 * period's first day, by which postings are counted, does not depend on the last day.
 */
export function monthlyPeriod(anchor: Day, today: Day, lastDay: Day | null = null): Period {
  const [anchorYear, anchorMonth] = anchor.split('-').map(Number) as [number, number];
  const [year, month] = today.split('-').map(Number) as [number, number];
  let months = (year - anchorYear) * 12 + (month - anchorMonth);
  if (addMonths(anchor, months) > today) months -= 1;
  const start = addMonths(anchor, Math.max(months, 0));
  const end = addDays(addMonths(anchor, Math.max(months, 0) + 1), -1);
  return lastDay !== null && lastDay <= end ? { start, end: lastDay, isLast: true } : { start, end };
}

/** The first day of an entitlement's period, as the database stores it. An entitlement without periods always has the same day. */
export const periodKey = ({ period }: Entitlement): Date => dayToDate(period?.start ?? '1970-01-01');

/** Postings left; -1 means unlimited. */
export const remaining = (limit: number, used: number): number =>
  limit === unlimited ? unlimited : Math.max(limit - used, 0);
