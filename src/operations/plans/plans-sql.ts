import type { Plan } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';

export type PlanRow = Plan;

const plansMax = 1000;

export const listPlans = (tx: Tx): Promise<PlanRow[]> => tx.plan.findMany({ orderBy: { id: 'asc' }, take: plansMax });

export const readPlan = (tx: Tx, id: number): Promise<PlanRow | null> => tx.plan.findUnique({ where: { id } });

/** Finds a plan by name, ignoring case. */
export async function findPlan(tx: Tx, name: string): Promise<PlanRow | undefined> {
  const rows = await tx.$queryRaw<PlanRow[]>`
    SELECT id, name, posting_limit AS "postingLimit", api_eligible AS "apiEligible"
      FROM plans WHERE lower(name) = lower(${name}) ORDER BY id LIMIT 1`;
  return rows[0];
}

/** Blocks other changes of plans until this transaction ends, but not readers. */
export async function lockPlans(tx: Tx): Promise<void> {
  await tx.$executeRaw`LOCK TABLE plans IN SHARE ROW EXCLUSIVE MODE`;
}

/** Plans of the reference data have smaller ids than those created by operators. */
const ownPlanIdMin = 1000;

/** Requires lockPlans in the same transaction. */
export async function insertPlan(tx: Tx, plan: Omit<PlanRow, 'id'>): Promise<PlanRow> {
  const greatest = await tx.plan.aggregate({ _max: { id: true } });
  return tx.plan.create({ data: { id: Math.max(ownPlanIdMin, (greatest._max.id ?? 0) + 1), ...plan } });
}

export const updatePlan = (tx: Tx, id: number, change: Partial<Omit<PlanRow, 'id'>>): Promise<PlanRow> =>
  tx.plan.update({ where: { id }, data: change });
