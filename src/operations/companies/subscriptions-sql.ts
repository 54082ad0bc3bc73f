import type { Plan } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';
import { type Day, dateToDay, dayToDate } from '../../domain/dates.ts';
import { isGranted, isSubscribed } from '../../domain/eligibility.ts';

/** Returns the current subscription, if there is one. */
export async function findSubscriptionInForce(
  tx: Tx,
  companyId: bigint,
  now: Date,
): Promise<{ plan: Plan; startedOn: Day; endsAt: Date | null } | undefined> {
  const found = await tx.subscription.findUnique({ where: { companyId }, include: { plan: true } });
  return found && isSubscribed(found.endsAt, now)
    ? { plan: found.plan, startedOn: dateToDay(found.startedOn), endsAt: found.endsAt }
    : undefined;
}

/** Returns the first day of a company's subscription, even if it has ended. */
export async function findFirstDay(tx: Tx, companyId: bigint): Promise<Day | undefined> {
  const found = await tx.subscription.findUnique({ where: { companyId }, select: { startedOn: true } });
  return found ? dateToDay(found.startedOn) : undefined;
}

/** Replaces a company's subscription: it has at most one. */
export async function replaceSubscription(
  tx: Tx,
  companyId: bigint,
  subscription: { readonly planId: number; readonly startedOn: Day; readonly endsAt: Date | null },
): Promise<void> {
  const columns = { ...subscription, startedOn: dayToDate(subscription.startedOn) };
  await tx.subscription.upsert({
    where: { companyId },
    create: { companyId, ...columns },
    update: columns,
    select: { companyId: true },
  });
}

export async function endSubscription(tx: Tx, companyId: bigint, now: Date): Promise<void> {
  await tx.subscription.update({ where: { companyId }, data: { endsAt: now }, select: { companyId: true } });
}

/** Complimentary production access, up to and including `expiresOn`. */
export interface Grant {
  /** Postings per month; -1 means unlimited. */
  readonly monthlyLimit: number;
  readonly startedOn: Day;
  readonly expiresOn: Day | null;
}

/** Returns the grant that is current on `today`, if there is one. */
export async function findGrantInForce(tx: Tx, companyId: bigint, today: Day): Promise<Grant | undefined> {
  const grant = await tx.complimentaryGrant.findUnique({ where: { companyId } });
  const expiresOn = grant?.expiresOn ? dateToDay(grant.expiresOn) : null;
  if (!grant || !isGranted(expiresOn, today)) return undefined;
  return { monthlyLimit: grant.monthlyLimit, startedOn: dateToDay(grant.startedOn), expiresOn };
}

/** Returns the first day of a company's grant, even if it has ended. */
export async function findFirstDayOfGrant(tx: Tx, companyId: bigint): Promise<Day | undefined> {
  const found = await tx.complimentaryGrant.findUnique({ where: { companyId }, select: { startedOn: true } });
  return found ? dateToDay(found.startedOn) : undefined;
}

/** Replaces a company's grant: it has at most one. */
export async function replaceGrant(tx: Tx, companyId: bigint, grant: Grant): Promise<void> {
  const { monthlyLimit, startedOn, expiresOn } = grant;
  const columns = { monthlyLimit, startedOn: dayToDate(startedOn), expiresOn: expiresOn && dayToDate(expiresOn) };
  await tx.complimentaryGrant.upsert({
    where: { companyId },
    create: { companyId, ...columns },
    update: columns,
    select: { companyId: true },
  });
}

/** Ends a company's grant. Keeps its first day, because the counting periods of postings start from it. */
export async function endGrant(tx: Tx, companyId: bigint, lastDay: Day): Promise<void> {
  const data = { expiresOn: dayToDate(lastDay) };
  await tx.complimentaryGrant.update({ where: { companyId }, data, select: { companyId: true } });
}
