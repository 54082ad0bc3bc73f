import type { Tx } from '../database/transaction.ts';
import type { ActorNames } from '../domain/actor.ts';

/** Finds the labels of companies' credentials and the e-mail addresses of their people; for others than the company, of administrators too. */
export async function findNames(
  tx: Tx,
  companyIds: readonly bigint[],
  actors: readonly string[],
  { hasAdministrators = false } = {},
): Promise<ActorNames> {
  const idsOf = (kind: string) => {
    const ids = actors.flatMap((actor) =>
      new RegExp(`^${kind}:\\d{1,18}$`).test(actor) ? [actor.split(':')[1] ?? ''] : [],
    );
    return [...new Set(ids)].map(BigInt);
  };
  const credentialIds = idsOf('credential');
  const credentials = await tx.$queryRaw<{ id: bigint; label: string }[]>`
    SELECT id, label FROM credentials WHERE company_id = ANY (${companyIds}::bigint[]) AND id = ANY (${credentialIds}::bigint[])
    LIMIT ${credentialIds.length}`;
  const id = { in: idsOf('user') };
  const users = await tx.user.findMany({
    where: { companyId: { in: [...companyIds] }, id },
    select: { id: true, email: true },
    take: id.in.length,
  });
  const administratorIds = hasAdministrators ? idsOf('administrator') : [];
  const administrators = await tx.administrator.findMany({
    where: { id: { in: administratorIds } },
    select: { id: true, email: true },
    take: administratorIds.length,
  });
  return new Map([
    ...administrators.map(({ id, email }) => [`administrator:${id}`, email] as const),
    ...credentials.map(({ id, label }) => [`credential:${id}`, label] as const),
    ...users.map(({ id, email }) => [`user:${id}`, email] as const),
  ]);
}
