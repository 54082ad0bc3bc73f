import { Prisma } from '../../generated/prisma/client.ts';

/** Prisma's own codes for a database that cannot be reached, is too busy or has closed the connection. */
const prismaUnavailable = new Set(['P1001', 'P1002', 'P1008', 'P1010', 'P1011', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);

/** PostgreSQL's classes 08 (connection), 53 (resources), 57 (operator intervention, statement timeout) and retryable 40. */
const postgresUnavailable = /^(08|53|57|40)[0-9A-Z]{3}$/;

const socketUnavailable = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Whether the database could not answer, so that the same request may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientInitializationError ||
  error instanceof Prisma.PrismaClientRustPanicError ||
  codes(error).some(
    (code) => prismaUnavailable.has(code) || postgresUnavailable.test(code) || socketUnavailable.test(code),
  ) ||
  messages(error).some((message) => /connection (terminated|timeout)|timeout exceeded when trying to connect/i.test(message));

export const isUniqueViolation = (error: unknown): boolean =>
  codes(error).some((code) => code === 'P2002' || code === '23505');

/** The codes of an error and of what caused it; Prisma wraps the driver's error under several names. */
function codes(error: unknown): string[] {
  return chain(error).flatMap((link) => [link.code, link.originalCode].filter((code) => typeof code === 'string'));
}

const messages = (error: unknown): string[] =>
  chain(error).flatMap((link) => [link.message, link.originalMessage].filter((text) => typeof text === 'string'));

type Link = Partial<Record<'code' | 'originalCode' | 'message' | 'originalMessage' | 'cause' | 'meta' | 'driverAdapterError', unknown>>;

function chain(error: unknown, depth = 0): Link[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const link: Link = error;
  return [link, ...[link.cause, link.meta, link.driverAdapterError].flatMap((inner) => chain(inner, depth + 1))];
}
