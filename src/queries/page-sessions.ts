import { type Portal, Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';

export type SessionIdHash = Uint8Array<ArrayBuffer>;

/** When a session ends: after this time without a request, and after this time in any case. */
export interface SessionLimits {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

export interface NewSession {
  readonly portal: Portal;
  readonly idHash: SessionIdHash;
  /** Null before sign-in. */
  readonly personId: bigint | null;
  readonly data: Prisma.InputJsonObject;
}

/**
 * Each new session deletes this many ended ones, so that the table stays small without a timer. A literal, not a parameter: PostgreSQL
 * scans the whole table if it cannot see how small the LIMIT is.
 */
const sweptAtOnce = Prisma.raw('20');

/** A session lives by the later of two clocks, so that it does not live longer if one of them steps back. */
const later = (now: Date): Prisma.Sql => Prisma.sql`greatest(${now}::timestamptz, now())`;

/** Returns the data of a session that has not ended. */
export async function findSession(db: Db, portal: Portal, idHash: SessionIdHash, now: Date): Promise<unknown> {
  const [session] = await db.$queryRaw<{ data: unknown }[]>`
    SELECT data FROM page_sessions
     WHERE realm = ${portal}::realm AND id_hash = ${idHash} AND expires_at > ${later(now)}`;
  return session?.data;
}

/** Stores a new session and deletes some ended ones. */
export async function insertSession(db: Db, session: NewSession, now: Date, limits: SessionLimits): Promise<void> {
  const { portal, idHash, personId, data } = session;
  await db.$executeRaw`
    WITH ended AS (
      DELETE FROM page_sessions WHERE (realm, id_hash) IN (
        SELECT realm, id_hash FROM page_sessions WHERE expires_at <= ${later(now)}
         ORDER BY expires_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED))
    INSERT INTO page_sessions (realm, id_hash, person_id, data, created_at, expires_at)
    VALUES (${portal}::realm, ${idHash}, ${personId}::bigint, ${JSON.stringify(data)}::jsonb, ${later(now)},
            ${later(now)} + make_interval(secs => ${limits.idleSeconds}::int))`;
}

/** The end of a session that is used at `now`. */
const endOf = (now: Date, { idleSeconds, absoluteSeconds }: SessionLimits): Prisma.Sql => Prisma.sql`
  LEAST(${later(now)} + make_interval(secs => ${idleSeconds}::int),
        created_at + make_interval(secs => ${absoluteSeconds}::int))`;

/** Updates an existing session; one that was deleted meanwhile is not created again. */
export async function updateSession(db: Db, session: NewSession, now: Date, limits: SessionLimits): Promise<void> {
  const { portal, idHash, personId, data } = session;
  await db.$executeRaw`
    UPDATE page_sessions
       SET person_id = ${personId}::bigint, data = ${JSON.stringify(data)}::jsonb,
           expires_at = ${endOf(now, limits)}
     WHERE realm = ${portal}::realm AND id_hash = ${idHash}`;
}

/** Extends the idle limit, at most once a minute. */
export async function prolongSession(
  db: Db,
  portal: Portal,
  idHash: SessionIdHash,
  now: Date,
  limits: SessionLimits,
): Promise<void> {
  await db.$executeRaw`
    UPDATE page_sessions
       SET expires_at = ${endOf(now, limits)}
     WHERE realm = ${portal}::realm AND id_hash = ${idHash}
       AND expires_at < ${later(now)} + make_interval(secs => ${limits.idleSeconds - 60}::int)`;
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
