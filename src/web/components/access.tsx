import type { ComponentChildren, VNode } from 'preact';
import { addDays, type Day, lastDayBefore, startOfDay } from '../../domain/dates.ts';
import { type AccessBlocker, type Entitlement, type Period, remaining, unlimited } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import { companyStateLabels } from '../../operations/companies/people/list-companies.ts';
import type { EnvironmentAccess, showCompany } from '../../operations/companies/people/show-company.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { usePageRequest, useT } from '../page.ts';
import type { Translate } from '../texts/language.ts';
import { Badge, CalendarDay, Instant } from './text.tsx';

interface EnvironmentCardProps {
  readonly environment: Environment;
  readonly access: EnvironmentAccess;
  readonly children: ComponentChildren;
}

/** Shows whether an environment is open to a company, and how much of the quota is used. */
export function EnvironmentCard({ environment, access, children }: EnvironmentCardProps) {
  const t = useT();
  return (
    <article class="col-6" aria-labelledby={environment}>
      <h2 id={environment}>
        {t(environmentLabels[environment])} <AccessBadge access={access} />
      </h2>
      {access.kind === 'open' && <Quota id={`${environment}-quota`} used={access.used} {...access.entitlement} />}
      {children}
    </article>
  );
}

const blockerLabels: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'Company suspended',
  unverified: 'Company not verified',
  plan: 'No plan that includes production',
  approval: 'Not approved',
};

const quotaLabels = { enough: 'Open', low: 'Quota nearly used up', full: 'Quota used up' };
const quotaTones = { enough: 'good', low: 'waiting', full: 'bad' } as const;

const nothing: Pick<Extract<EnvironmentAccess, { kind: 'closed' }>, 'blockers' | 'requestedAt'> = {
  blockers: [],
  requestedAt: null,
};

/** Says whether an environment is open to a company's requests now: open (and whether quota is left), or closed and why. */
export function AccessBadge({ access }: { readonly access: EnvironmentAccess }) {
  const { t, maintenance } = usePageRequest();
  if (access.kind === 'open' && !maintenance) {
    const state = quotaState({ used: access.used, limit: access.entitlement.limit });
    return <Badge tone={quotaTones[state]} text={t(quotaLabels[state])} />;
  }
  return <ClosedBadge {...(access.kind === 'open' ? nothing : access)} maintenance={maintenance !== undefined} />;
}

/** Says by what an environment is closed: by what keeps a company from using it, and by maintenance. */
function ClosedBadge({ blockers, requestedAt, maintenance }: typeof nothing & { readonly maintenance: boolean }) {
  const t = useT();
  const label = (blocker: AccessBlocker) =>
    blocker === 'approval' && requestedAt ? companyStateLabels.waiting : blockerLabels[blocker];
  const reasons = [...(maintenance ? [t('Maintenance')] : []), ...blockers.map((blocker) => t(label(blocker)))];
  const tone = maintenance || blockers.includes('suspended') ? 'bad' : 'waiting';
  return <Badge tone={tone} text={t('Closed: {{reasons}}', { reasons: reasons.join(', ') })} />;
}

interface ClosedToProps extends Partial<Pick<typeof nothing, 'requestedAt'>>, Pick<typeof nothing, 'blockers'> {
  readonly suspensionReason: string | null;
}

/** Says why an environment is closed to a company, and why the company is suspended. Empty if nothing closes it. */
export function ClosedTo({ blockers, requestedAt = null, suspensionReason }: ClosedToProps) {
  const t = useT();
  if (blockers.length === 0) return null;
  return (
    <>
      <ClosedBadge {...{ blockers, requestedAt }} maintenance={false} />
      {suspensionReason && ` ${t('Reason: {{reason}}', { reason: suspensionReason })}`}
    </>
  );
}

interface QuotaProps extends Pick<Entitlement, 'allowance'> {
  readonly id: string;
  readonly used: number;
  readonly limit: number;
  /** Null for the sandbox, which has no period: its jobs are counted from the last reset. */
  readonly period: Period | null;
}

/** The allowances of production. Each counts only its own postings. */
const allowanceLabels: { readonly [A in Entitlement['allowance']]?: string } = {
  subscription: 'Plan',
  complimentary: 'Complimentary access',
};

/** From this share on, a quota counts as nearly used up. */
const warnedShare = 0.8;

function quotaState({ used, limit }: Pick<QuotaProps, 'used' | 'limit'>): 'enough' | 'low' | 'full' {
  if (limit === unlimited || used < limit * warnedShare) return 'enough';
  return used < limit ? 'low' : 'full';
}

/** Shows how much of a quota is used, in words and as a bar, and warns if it is used up or nearly so. */
export function Quota({ id, used, limit, period, allowance }: QuotaProps) {
  const t = useT();
  const label = allowanceLabels[allowance];
  const max = Math.max(limit, 1);
  const usage = period
    ? t('{{used}} of {{count}} jobs used', { used, count: limit, one: '{{used}} of {{count}} job used' })
    : t('{{used}} of {{limit}} jobs used since the last reset', { used, limit });
  const left = t('{{count}} left', { count: remaining(limit, used), one: '{{count}} left' });
  return (
    <>
      <p id={id}>
        {label && `${t(label)}: `}
        {limit === unlimited
          ? t('{{count}} jobs posted, no limit', { count: used, one: '{{count}} job posted, no limit' })
          : `${usage}, ${left}`}
        {period &&
          t(', from {{start}} to {{end}}', {
            start: <CalendarDay day={period.start} />,
            end: <CalendarDay day={period.end} />,
          })}
        .
      </p>
      {limit !== unlimited && (
        // Green up to `low`, amber up to `high`, then red.
        <meter value={Math.min(used, limit)} max={max} {...meterRange(max)} aria-labelledby={id} />
      )}
      <Warning state={quotaState({ used, limit })} period={period} allowance={allowance} />
    </>
  );
}

const meterRange = (max: number) => ({ low: max * warnedShare - 0.1, high: max - 0.1, optimum: 0 });

/** The warnings while another period follows, and the ones that name the last day of the plan or grant. */
const warnings = {
  low: {
    next: 'Nearly used up. The next period begins on {{day}}.',
    subscription: 'Nearly used up. The plan ends on {{day}}.',
    complimentary: 'Nearly used up. Complimentary access ends on {{day}}.',
  },
  full: {
    next: 'Used up. New jobs are refused until the next period begins on {{day}}.',
    subscription: 'Used up. New jobs are refused. The plan ends on {{day}}.',
    complimentary: 'Used up. New jobs are refused. Complimentary access ends on {{day}}.',
  },
} as const;

interface WarningProps extends Pick<QuotaProps, 'allowance' | 'period'> {
  readonly state: ReturnType<typeof quotaState>;
}

function Warning({ state, period, allowance }: WarningProps) {
  const t = useT();
  if (state === 'enough') return null;
  if (!period || allowance === 'sandbox')
    return (
      state === 'full' && <p class="alert">{t('The sandbox is full. New jobs are refused until you reset it.')}</p>
    );
  const day = <CalendarDay day={period.isLast ? period.end : addDays(period.end, 1)} />;
  return (
    <p class={state === 'low' ? 'alert waiting' : 'alert'}>
      {t(warnings[state][period.isLast ? allowance : 'next'], { day })}
    </p>
  );
}

type Company = Awaited<ReturnType<typeof showCompany>>;

/** Names the plan with its first day, and the last day if it has one. */
export function planText(subscription: Company['subscription'], t: Translate, timeZone: string): ComponentChildren {
  if (!subscription) return t('No plan');
  const { plan, startedOn, endsAt, inForce } = subscription;
  const name = plan.apiEligible ? plan.name : t('{{plan}} (does not include production)', { plan: plan.name });
  return sinceText(name, startedOn, inForce, endsAt && endOf(endsAt, timeZone), t);
}

/** The last day, if the end is at midnight. A plan that somebody ended has an instant. */
function endOf(at: Date, timeZone: string): VNode {
  const lastDay = lastDayBefore(timeZone, at);
  const isWhole = startOfDay(timeZone, addDays(lastDay, 1)).getTime() === at.getTime();
  return isWhole ? <CalendarDay day={lastDay} /> : <Instant at={at} />;
}

/** Says how many jobs complimentary access allows, since when, and until when. */
export function grantText(grant: Company['grant'], t: Translate): ComponentChildren {
  if (!grant) return t('None');
  const { monthlyLimit, startedOn, expiresOn, inForce } = grant;
  const name =
    monthlyLimit === unlimited
      ? t('Unlimited')
      : t('{{count}} jobs per month', { count: monthlyLimit, one: '{{count}} job per month' });
  // A grant that was ended on its first day expires the day before: show its first day instead.
  const end = expiresOn !== null && expiresOn < startedOn ? startedOn : expiresOn;
  return sinceText(name, startedOn, inForce, end === null ? null : <CalendarDay day={end} />, t);
}

const sinceText = (name: string, startedOn: Day, inForce: boolean, end: VNode | null, t: Translate) => (
  <>
    {t('{{name}} since {{start}}', { name, start: <CalendarDay day={startedOn} /> })}
    {end && (inForce ? t(', until {{end}}', { end }) : t(', ended {{end}}', { end }))}
  </>
);
