import { textOf } from '../domain/thrown.ts';
import { nodeUnavailable } from './citus/node-errors.ts';

/** The database cannot be used. The message is one line, safe to show, and says what to do. */
export class DatabaseError extends Error {}

/** A statement was not sent, because too many others are waiting. */
export class TooManyWaiting extends Error {
  /** PostgreSQL's too_many_connections. */
  readonly code = '53300';
}

/** The first line of an error. Connecting to several addresses fails with an AggregateError without a message. */
export function firstLine(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return firstLine(error.errors[0]);
  return (error instanceof Error ? error.message : textOf(error)).split('\n', 1)[0] ?? '';
}

/** Prisma's codes for a database that cannot be reached, is too busy, or closed the connection. */
const prismaUnavailable = /^P(1001|1002|1008|1010|1011|1017|2024|2028|2034|2037)$/;

/** Error kinds of Prisma's driver adapter. */
const adapterUnavailable =
  /^(AuthenticationFailed|ConnectionClosed|DatabaseDoesNotExist|DatabaseNotReachable|SocketTimeout|TlsConnectionError|TooManyConnections|TransactionWriteConflict)$/;

/**
 * SQLSTATE classes 08 (connection), 28 (authorization), 40 (rollback), 53 (resources), 57 (operator intervention, statement timeout), and
 * 55P03 (lock timeout) and 25P04 (transaction timeout); after a failover 25006 (read-only transaction) and 3D000 (no such database).
 */
const postgresUnavailable = /^((08|28|53|57|40)[0-9A-Z]{3}|55P03|25006|25P04|3D000)$/;

const socketUnavailable =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;

/** Messages of `pg` for errors without a code. */
const driverUnavailable =
  /^(connection terminated|query read timeout|timeout expired|timeout exceeded when trying to connect|cannot use a pool after calling end|client (was closed|has encountered a connection error) and is not queryable)/i;

/** A standby's message about rate_limits, an unlogged table. Its code, feature_not_supported, is too general. */
const standbyUnavailable = /^cannot access temporary or unlogged relations during recovery$/;

/** PostgreSQL's disk_full. Reads still work. */
export const isDiskFull = (error: unknown): boolean => texts(error, ['code', 'originalCode']).includes('53100');

/** PostgreSQL's foreign_key_violation. If it happens on a node, it may be reported as XX000. */
export const isMissingReference = (error: unknown): boolean =>
  texts(error, ['code', 'originalCode']).includes('23503') ||
  texts(error, ['message', 'originalMessage']).some((message) => /violates foreign key constraint/.test(message));

/** Whether the database could not answer. The same request may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  // Compared by name, because importing Prisma here would delay the start of the embedded database.
  texts(error, ['name']).includes('PrismaClientInitializationError') ||
  texts(error, ['code', 'originalCode']).some(
    (code) => prismaUnavailable.test(code) || postgresUnavailable.test(code) || socketUnavailable.test(code),
  ) ||
  texts(error, ['kind']).some((kind) => adapterUnavailable.test(kind)) ||
  texts(error, ['message', 'originalMessage']).some(
    (message) => driverUnavailable.test(message) || nodeUnavailable.test(message) || standbyUnavailable.test(message),
  );

export const isUniqueViolation = (error: unknown): boolean =>
  texts(error, ['code', 'originalCode']).some((code) => code === 'P2002' || code === '23505');

/** What the driver reported: Prisma wraps its error, and says it at the end of a longer message. */
export function originalOf(error: unknown): { readonly code: string; readonly message: string } {
  const [code = ''] = [...texts(error, ['originalCode']), ...texts(error, ['code'])];
  const [message] = texts(error, ['originalMessage']);
  const isPrisma = texts(error, ['name']).some((name) => name.startsWith('PrismaClient'));
  const said = message ?? (isPrisma ? textOf(error).trim().split('\n').at(-1) : error);
  return { code, message: firstLine(said) };
}

type Link = Readonly<Record<string, unknown>>;

/** Returns the strings that an error and its causes have as properties of these names. Prisma wraps the driver's error several times. */
const texts = (error: unknown, names: readonly string[]): string[] =>
  chain(error).flatMap((link) => names.map((name) => link[name]).filter((value) => typeof value === 'string'));

function chain(error: unknown, depth = 0): Link[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const link = error as Link;
  return [link, ...[link.cause, link.meta, link.driverAdapterError].flatMap((inner) => chain(inner, depth + 1))];
}
