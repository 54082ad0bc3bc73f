import { Prisma } from '../../../../generated/prisma/client.ts';
import type { ApiContext } from '../../../context.ts';
import type { Tx } from '../../../database/transaction.ts';
import { RightsChanged } from '../../../domain/errors.ts';

// Who may write was judged when the request was authenticated. Each write judges again, by comparing what that judgement was based on.

/** The parts of a request's context that say who writes. */
export type Writer = Pick<ApiContext, 'actor' | 'clock'>;

/**
 * The call of `hold_rights`, see prisma/functions.sql: it returns one row, the company's id, or none if the rights have changed. Throws
 * RightsChanged if some of them have ended since.
 */
export function heldRights({ actor, clock }: Writer): Prisma.Sql {
  const { facts, endAt } = actor.rights;
  if (clock() >= endAt) throw new RightsChanged();
  return Prisma.sql`hold_rights(${Prisma.join([actor.tenant.companyId, ...facts])})`;
}

/** Keeps the caller's rights as they are until the transaction ends. Throws RightsChanged. */
export async function holdRights(tx: Tx, writer: Writer): Promise<void> {
  const held = await tx.$queryRaw<object[]>`SELECT held FROM ${heldRights(writer)} AS held`;
  if (held.length === 0) throw new RightsChanged();
}
