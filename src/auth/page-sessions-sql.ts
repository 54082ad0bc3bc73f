import { type Portal, Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';

export type SessionIdHash = Uint8Array<ArrayBuffer>;

export interface NewSession {
  readonly portal: Portal;
  readonly idHash: SessionIdHash;
  /** Null before sign-in. */
  readonly personId: bigint | null;
  readonly data: Prisma.InputJsonObject;
}

/**
 * Each new session deletes this many ended ones, so that the table stays small without a timer. The LIMIT must be a literal: with a
 * parameter, PostgreSQL cannot see that it is small and scans the whole table.
 */
const sweptAtOnce = Prisma.raw('20');

/** Returns the data of a session that has not ended. */
export async function findSession(db: Db, portal: Portal, idHash: SessionIdHash, now: Date): Promise<unknown> {
  const [session] = await db.$queryRaw<{ data: unknown }[]>`
    SELECT data FROM page_sessions
     WHERE realm = ${portal}::realm AND id_hash = ${idHash} AND expires_at > ${now}::timestamptz`;
  return session?.data;
}

/** Stores a new session that ends after `hours`, and deletes some ended ones. */
export async function insertSession(db: Db, session: NewSession, now: Date, hours: number): Promise<void> {
  const { portal, idHash, personId, data } = session;
  await db.$executeRaw`
    WITH ended AS (
      DELETE FROM page_sessions WHERE (realm, id_hash) IN (
        SELECT realm, id_hash FROM page_sessions WHERE expires_at <= ${now}::timestamptz
         ORDER BY expires_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED))
    INSERT INTO page_sessions (realm, id_hash, person_id, data, created_at, expires_at)
    VALUES (${portal}::realm, ${idHash}, ${personId}::bigint, ${JSON.stringify(data)}::jsonb, ${now}::timestamptz,
            ${now}::timestamptz + make_interval(hours => ${hours}::int))`;
}

/** Updates an existing session. Does not recreate one that was deleted meanwhile. */
export async function updateSession(db: Db, session: NewSession): Promise<void> {
  const { portal, idHash, personId, data } = session;
  await db.$executeRaw`
    UPDATE page_sessions
       SET person_id = ${personId}::bigint, data = ${JSON.stringify(data)}::jsonb
     WHERE realm = ${portal}::realm AND id_hash = ${idHash}`;
}

export async function deleteSession(db: Db, portal: Portal, idHash: SessionIdHash): Promise<void> {
  await db.pageSession.deleteMany({ where: { portal, idHash } });
}

/** Deletes every session of one person. */
export async function deleteSessionsOf(db: Tx, portal: Portal, personId: bigint): Promise<void> {
  await db.pageSession.deleteMany({ where: { portal, personId } });
}

const formTokensMax = 20;

/** Adds a one-time token and keeps the latest 20. */
export async function addFormToken(db: Db, portal: Portal, idHash: SessionIdHash, token: string): Promise<void> {
  await db.$executeRaw`
    UPDATE page_sessions
       SET form_tokens = (form_tokens || ${token}::text)[cardinality(form_tokens) + 2 - ${formTokensMax}::int :]
     WHERE realm = ${portal}::realm AND id_hash = ${idHash}`;
}

/** Consumes a one-time token; returns false if it does not exist or was already consumed. */
export async function takeFormToken(db: Db, portal: Portal, idHash: SessionIdHash, token: string): Promise<boolean> {
  const taken = await db.$executeRaw`
    UPDATE page_sessions SET form_tokens = array_remove(form_tokens, ${token}::text)
     WHERE realm = ${portal}::realm AND id_hash = ${idHash} AND ${token}::text = ANY (form_tokens)`;
  return taken > 0;
}
