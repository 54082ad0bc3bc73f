import { Prisma } from '../../generated/prisma/client.ts';
import type { Tenant } from '../domain/environment.ts';
import { foldedText } from '../domain/folded-text.ts';

// Parts of statements that several nouns share.

/** The rows of one company and environment. */
export const owned = ({ companyId, environment }: Tenant): Prisma.Sql =>
  Prisma.sql`company_id = ${companyId} AND environment = ${environment}::environment`;

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

export const pageOf = ({ page, perPage }: Page): Prisma.Sql =>
  Prisma.sql`LIMIT ${perPage}::int OFFSET ${BigInt(page - 1) * BigInt(perPage)}::bigint`;

/** The condition for a value. Without a value, all rows meet it. */
export const when = <T>(value: T | undefined, condition: (value: T) => Prisma.Sql): Prisma.Sql =>
  value === undefined ? Prisma.sql`true` : condition(value);

/** Whether a column or expression contains each word of a text, in any order, ignoring case and accents. */
export function contains(column: string, text: string): Prisma.Sql {
  const words = foldedText(text).trim().split(/\s+/);
  const patterns = [...new Set(words)].map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  return Prisma.sql`lower(regexp_replace(normalize(${Prisma.raw(column)}, NFD), '[\u0300-\u036f]', '', 'g')) LIKE ALL (${patterns}::text[])`;
}

/** Parses an id. Undefined for other text. */
export const searchedId = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined);

/** An ORDER BY part that puts the row with the searched id first. */
export function idFirst(column: string, text: string | undefined): Prisma.Sql {
  const id = text === undefined ? undefined : searchedId(text);
  return id === undefined ? Prisma.empty : Prisma.sql`${Prisma.raw(column)} = ${id}::bigint DESC,`;
}
