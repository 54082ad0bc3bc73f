import { Prisma } from '../../generated/prisma/client.ts';
import { byKeys, type OwnedKey } from '../database/by-keys.ts';
import type { Tx } from '../database/transaction.ts';
import type { ActorNames } from '../domain/actor.ts';

/** An actor, and the company that its credential or person belongs to. */
export interface KnownActor {
  readonly companyId: bigint;
  readonly actor: string;
}

/** Finds the labels of companies' credentials, and the e-mail addresses of their people and of the given `administrators`. */
export async function findNames(
  tx: Tx,
  known: readonly KnownActor[],
  administrators: readonly string[] = [],
): Promise<ActorNames> {
  const keysOf = (kind: string): OwnedKey[] => {
    const keys = known.flatMap(({ companyId, actor }) => idsOf(kind, [actor]).map((id) => ({ companyId, id })));
    return [...new Map(keys.map((key) => [`${key.companyId} ${key.id}`, key])).values()];
  };
  const [credentialKeys, userKeys] = [keysOf('credential'), keysOf('user')];
  const credentials = await tx.$queryRaw<{ id: bigint; label: string }[]>`
    SELECT id, label FROM ${byKeys(Prisma.sql`credentials`, credentialKeys)} LIMIT ${credentialKeys.length}`;
  const users = await tx.$queryRaw<{ id: bigint; email: string }[]>`
    SELECT id, email FROM ${byKeys(Prisma.sql`users`, userKeys)} LIMIT ${userKeys.length}`;
  const ids = idsOf('administrator', administrators);
  const named = await tx.administrator.findMany({
    where: { id: { in: ids } },
    select: { id: true, email: true },
    take: ids.length,
  });
  return new Map([
    ...named.map(({ id, email }) => [`administrator:${id}`, email] as const),
    ...credentials.map(({ id, label }) => [`credential:${id}`, label] as const),
    ...users.map(({ id, email }) => [`user:${id}`, email] as const),
  ]);
}

/** Returns the distinct ids of the actors of one kind. */
export function idsOf(kind: string, actors: readonly string[]): bigint[] {
  const ids = actors.flatMap((actor) =>
    new RegExp(`^${kind}:\\d{1,18}$`).test(actor) ? [actor.split(':')[1] ?? ''] : [],
  );
  return [...new Set(ids)].map(BigInt);
}
