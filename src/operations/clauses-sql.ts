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
  return Prisma.sql`(${folded(column)}) LIKE ALL (${patterns}::text[])`;
}

/** A column as `foldedText` folds a text. ASCII needs only lower, which makes a search of 100,000 names take 120 ms instead of 280. */
export const folded = (column: string): Prisma.Sql => {
  const text = Prisma.raw(column);
  return Prisma.sql`CASE WHEN octet_length(${text}) = length(${text}) THEN lower(${text})
    ELSE replace(lower(regexp_replace(normalize(${text}, NFD), '[\u0300-\u036f]', '', 'g')), 'ς', 'σ') END`;
};

/** Longer texts are compared up to here. */
const comparedMax = 64;

/** `trigrams` is the number of different trigrams in a text, with a space at each end; `shared` counts those in a folded column. */
export function sharedTrigrams(column: string, text: string): { shared: Prisma.Sql; trigrams: number } {
  const letters = [...` ${foldedText(text).trim().replace(/\s+/g, ' ')} `].slice(0, comparedMax);
  const trigrams = [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))];
  const has = trigrams.map((one) => Prisma.sql`(strpos(${Prisma.raw(column)}, ${one}) > 0)::int`);
  // A text of accents only has none.
  return { shared: Prisma.join([Prisma.sql`0`, ...has], ' + '), trigrams: trigrams.length };
}

/** Parses an id. Undefined for other text. */
export const searchedId = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined);

/** An ORDER BY part that puts the row with the searched id first. */
export function idFirst(column: string, text: string | undefined): Prisma.Sql {
  const id = text === undefined ? undefined : searchedId(text);
  return id === undefined ? Prisma.empty : Prisma.sql`${Prisma.raw(column)} = ${id}::bigint DESC,`;
}
