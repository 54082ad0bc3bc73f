import { type Portal, Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type SessionIdHash = Bytes;

export interface NewSession {
  readonly portal: Portal;
  readonly idHash: SessionIdHash;
  /** Null only before sign-in, in sessions that the previous version stored. */
  readonly personId: bigint | null;
  readonly data: Prisma.InputJsonObject;
}

/**
 * Inserting a session deletes up to this many ended sessions, so that the table stays small without a timer. The LIMIT must be a literal: with
 * a parameter, PostgreSQL cannot see that the LIMIT is small and scans the whole table.
 */
const sweptAtOnce = Prisma.raw('20');

/** Returns the data of a session that has not ended. */
export async function findSession(db: Db, portal: Portal, idHash: SessionIdHash, now: Date): Promise<unknown> {
  const [session] = await db.$queryRaw<{ data: unknown }[]>`
    SELECT data FROM page_sessions
     WHERE realm = ${portal}::realm AND id_hash = ${idHash} AND expires_at > ${now}::timestamptz`;
  return session?.data;
}

/** The most sessions of one person: enough for a program that signs in every five minutes. One more session ends the oldest. */
const sessionsMax = 200;

/** Stores a new session that ends after `hours`. Deletes some ended sessions, and the person's oldest ones beyond the limit. */
export async function insertSession(db: Db, session: NewSession, now: Date, hours: number): Promise<void> {
  const { portal, idHash, personId, data } = session;
  await db.$executeRaw`
    WITH ended AS (
      DELETE FROM page_sessions WHERE (realm, id_hash) IN (
        SELECT realm, id_hash FROM page_sessions WHERE expires_at <= ${now}::timestamptz
         ORDER BY expires_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED)),
    beyond AS (
      DELETE FROM page_sessions WHERE (realm, id_hash) IN (
        SELECT realm, id_hash FROM page_sessions WHERE realm = ${portal}::realm AND person_id = ${personId}::bigint
         ORDER BY created_at DESC OFFSET ${sessionsMax - 1}::int FOR UPDATE SKIP LOCKED))
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

/** Deletes every session, or those of a company's people. Returns how many. */
export async function deleteSessions(tx: Tx, companyId?: bigint): Promise<number> {
  const people = companyId === undefined ? [] : await tx.user.findMany({ where: { companyId }, select: { id: true } });
  const ofCompany = { portal: 'company', personId: { in: people.map(({ id }) => id) } } as const;
  const { count } = await tx.pageSession.deleteMany({ where: companyId === undefined ? {} : ofCompany });
  return count;
}

const formTokensMax = 100;

/** Adds the token of a form that is shown. The latest 100 tokens are kept, and those of forms that were sent are removed. */
export async function addFormToken(db: Db, portal: Portal, idHash: SessionIdHash, token: string): Promise<void> {
  await db.$executeRaw`
    UPDATE page_sessions
       SET form_tokens = (form_tokens || ${token}::text)[cardinality(form_tokens) + 2 - ${formTokensMax}::int :]
     WHERE realm = ${portal}::realm AND id_hash = ${idHash}`;
}

interface StoredForms {
  /** What is stored about the latest form that was sent, encrypted. */
  readonly answer: Bytes | null;
  /** Whether the form with the token was shown, and not sent. */
  readonly isUnsent: boolean;
}

/** Undefined if the session has ended. */
export async function findForms(
  db: Db,
  portal: Portal,
  idHash: SessionIdHash,
  token: string,
): Promise<StoredForms | undefined> {
  const [found] = await db.$queryRaw<StoredForms[]>`
    SELECT form_answer AS answer, ${token}::text = ANY (form_tokens) AS "isUnsent" FROM page_sessions
     WHERE realm = ${portal}::realm AND id_hash = ${idHash}`;
  return found;
}

interface BegunForm {
  /** The token to remove. Null if the form needs none. */
  readonly token: string | null;
  readonly before: Bytes | null;
  readonly answer: Bytes;
}

/**
 * Begins a form: removes its token, as the previous version does, and replaces `before` with `answer`. Returns false if the token is
 * missing, or if another answer is stored than `before`.
 */
export async function beginForm(
  db: Db,
  portal: Portal,
  idHash: SessionIdHash,
  { token, before, answer }: BegunForm,
): Promise<boolean> {
  const begun = await db.$executeRaw`
    UPDATE page_sessions SET form_tokens = array_remove(form_tokens, ${token}::text), form_answer = ${answer}::bytea
     WHERE realm = ${portal}::realm AND id_hash = ${idHash} AND form_answer IS NOT DISTINCT FROM ${before}::bytea
       AND (${token}::text IS NULL OR ${token}::text = ANY (form_tokens))`;
  return begun > 0;
}

/** Undoes `beginForm`, so that the form may be sent again. Does nothing if another form was sent meanwhile. */
export async function undoForm(
  db: Db,
  portal: Portal,
  idHash: SessionIdHash,
  { token, before, answer }: BegunForm,
): Promise<void> {
  const tokens = token === null ? [] : [token];
  await db.$executeRaw`
    UPDATE page_sessions SET form_tokens = form_tokens || ${tokens}::text[], form_answer = ${before}::bytea
     WHERE realm = ${portal}::realm AND id_hash = ${idHash} AND form_answer = ${answer}::bytea`;
}

/** Replaces what is stored about a form that was begun. Does nothing if another form was sent meanwhile. */
export async function keepFormAnswer(
  db: Db,
  portal: Portal,
  idHash: SessionIdHash,
  begun: Bytes,
  answer: Bytes,
): Promise<void> {
  await db.pageSession.updateMany({ where: { portal, idHash, formAnswer: begun }, data: { formAnswer: answer } });
}
