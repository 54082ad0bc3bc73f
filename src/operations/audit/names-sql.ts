import type { Tx } from '../../database/transaction.ts';
import type { ActorNames } from '../../domain/actor.ts';

/** Finds the labels of a company's credentials and the e-mail addresses of its people. */
export async function findNames(tx: Tx, companyId: bigint, actors: readonly string[]): Promise<ActorNames> {
  const wanted = (kind: string) => {
    const ids = actors.flatMap((actor) =>
      new RegExp(`^${kind}:\\d{1,18}$`).test(actor) ? [actor.split(':')[1] ?? ''] : [],
    );
    const unique = [...new Set(ids)].map(BigInt);
    return { where: { companyId, id: { in: unique } }, take: unique.length };
  };
  const credentials = await tx.credential.findMany({ select: { id: true, label: true }, ...wanted('credential') });
  const users = await tx.user.findMany({ select: { id: true, email: true }, ...wanted('user') });
  return new Map([
    ...credentials.map(({ id, label }) => [`credential:${id}`, label] as const),
    ...users.map(({ id, email }) => [`user:${id}`, email] as const),
  ]);
}
