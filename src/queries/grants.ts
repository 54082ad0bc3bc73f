import type { Tx } from '../database/transaction.ts';
import { type Day, dateToDay, dayToDate } from '../domain/dates.ts';

/** Complimentary production access; `expiresOn` is the last day on which it holds. */
export interface Grant {
  /** Postings a month; -1 means unlimited. */
  readonly monthlyLimit: number;
  readonly startedOn: Day;
  readonly expiresOn: Day | null;
}

/** The grant that holds on `today`, if there is one. */
export async function findGrantInForce(tx: Tx, companyId: bigint, today: Day): Promise<Grant | undefined> {
  const grant = await tx.complimentaryGrant.findUnique({ where: { companyId } });
  if (!grant || (grant.expiresOn && dateToDay(grant.expiresOn) < today)) return undefined;
  const expiresOn = grant.expiresOn && dateToDay(grant.expiresOn);
  return { monthlyLimit: grant.monthlyLimit, startedOn: dateToDay(grant.startedOn), expiresOn };
}

/** A company has one grant at most: a new one takes the place of the old. */
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

export async function deleteGrant(tx: Tx, companyId: bigint): Promise<void> {
  await tx.complimentaryGrant.deleteMany({ where: { companyId } });
}
