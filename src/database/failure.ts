import { Prisma } from '../../generated/prisma/client.ts';

/** Prisma's own codes for a database that cannot be reached, is too busy or has closed the connection. */
const prismaUnavailable = new Set([
  'P1001',
  'P1002',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  'P2037',
]);

/** What Prisma's driver adapter makes of the driver's errors. */
const adapterUnavailable = new Set([
  'AuthenticationFailed',
  'ConnectionClosed',
  'DatabaseDoesNotExist',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'TransactionWriteConflict',
]);

/**
 * PostgreSQL's classes 08 (connection), 28 (authorization), 53 (resources), 57 (operator intervention, statement timeout), retryable 40,
 * and after a failover 25006 (read-only transaction) and 3D000 (no such database).
 */
const postgresUnavailable = /^((08|28|53|57|40)[0-9A-Z]{3}|25006|3D000)$/;

const socketUnavailable =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** What the driver says without a code: no connection became free, an answer did not come, the pool is closing. */
const driverUnavailable =
  /^(connection terminated|query read timeout|timeout expired|timeout exceeded when trying to connect|cannot use a pool after calling end)/i;

/** Whether the database could not answer, so that the same request may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientInitializationError ||
  texts(error, ['code', 'originalCode']).some(
    (code) => prismaUnavailable.has(code) || postgresUnavailable.test(code) || socketUnavailable.test(code),
  ) ||
  texts(error, ['kind']).some((kind) => adapterUnavailable.has(kind)) ||
  texts(error, ['message', 'originalMessage']).some((message) => driverUnavailable.test(message));

export const isUniqueViolation = (error: unknown): boolean =>
  texts(error, ['code', 'originalCode']).some((code) => code === 'P2002' || code === '23505');

type Link = Readonly<Record<string, unknown>>;

/** Strings under these names in an error and in what caused it; Prisma wraps the driver's error several times. */
const texts = (error: unknown, names: readonly string[]): string[] =>
  chain(error).flatMap((link) => names.map((name) => link[name]).filter((value) => typeof value === 'string'));

function chain(error: unknown, depth = 0): Link[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const link = error as Link;
  return [link, ...[link.cause, link.meta, link.driverAdapterError].flatMap((inner) => chain(inner, depth + 1))];
}
