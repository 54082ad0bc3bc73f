import type { ComponentChildren } from 'preact';
import { addDays } from '../../domain/dates.ts';
import { type AccessBlocker, type Entitlement, type Period, remaining, unlimited } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import { companyStateLabels } from '../../operations/companies/people/list-companies.ts';
import type { EnvironmentAccess } from '../../operations/companies/people/show-company.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { usePageRequest, useT } from '../page.ts';
import { Badge, CalendarDay } from './text.tsx';

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
  const ofLimit = { used, limit };
  const usage = period
    ? t('{{used}} of {{limit}} jobs used', ofLimit)
    : t('{{used}} of {{limit}} jobs used since the last reset', ofLimit);
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
      <Warning state={quotaState({ used, limit })} period={period} />
    </>
  );
}

const meterRange = (max: number) => ({ low: max * warnedShare - 0.1, high: max - 0.1, optimum: 0 });

function Warning({ state, period }: { readonly state: 'enough' | 'low' | 'full'; readonly period: Period | null }) {
  const t = useT();
  if (state === 'enough') return null;
  const day = period && <CalendarDay day={addDays(period.end, 1)} />;
  if (state === 'low')
    return day && <p class="alert waiting">{t('Nearly used up. The next period begins on {{day}}.', { day })}</p>;
  return (
    <p class="alert">
      {day
        ? t('Used up. New jobs are refused until the next period begins on {{day}}.', { day })
        : t('The sandbox is full. New jobs are refused until you reset it.')}
    </p>
  );
}
