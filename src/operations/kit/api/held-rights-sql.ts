import type { ApiContext } from '../../../context.ts';
import type { Tx } from '../../../database/transaction.ts';
import { requestTimeAt } from '../../../domain/dates.ts';
import { RightsChanged } from '../../../domain/errors.ts';

// Who may write was judged when the request was authenticated. Each write judges again, by comparing what that judgement was based on.

/** The parts of a request's context that say who writes. */
export type Writer = Pick<ApiContext, 'actor' | 'clock' | 'timeZone'>;

/** The facts for `hold_rights`, see prisma/functions.sql, as JSON. Throws RightsChanged if the rights have ended since. */
export function judgedRights({ actor, clock, timeZone }: Writer): string {
  const { facts, lastUntil } = actor.rights;
  if (!lastUntil(requestTimeAt(clock(), timeZone))) throw new RightsChanged();
  return JSON.stringify(facts);
}

/** Locks the caller's company against other changes, and keeps its rights as they are, until the transaction ends. Throws RightsChanged. */
export async function holdRights(tx: Tx, writer: Writer): Promise<void> {
  const { companyId } = writer.actor.tenant;
  const [row] = await tx.$queryRaw<
    { held: boolean }[]
  >`SELECT hold_rights(${companyId}, ${judgedRights(writer)}) AS held`;
  if (!row?.held) throw new RightsChanged();
}
