import pg from 'pg';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Tenant } from '../../domain/environment.ts';
import { foldedText, foldedWords } from '../../domain/folded-text.ts';

// SQL clauses that the statements of several nouns share.

/** The name of a table or a column, quoted: the contract may give a table a word of SQL, such as `order`. */
export const named = (name: string): Prisma.Sql => Prisma.raw(pg.escapeIdentifier(name));

/** The rows of one company and environment. */
export const owned = ({ companyId, environment }: Tenant): Prisma.Sql =>
  Prisma.sql`company_id = ${companyId} AND environment = ${environment}::environment`;

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** The number of the last page. A list without rows has one page. */
export const lastPageOf = (total: number, rowsPerPage: number): number => Math.max(Math.ceil(total / rowsPerPage), 1);

export const pageOf = ({ page, perPage }: Page): Prisma.Sql =>
  Prisma.sql`LIMIT ${perPage}::int OFFSET ${BigInt(page - 1) * BigInt(perPage)}::bigint`;

/** The condition for `value`, or `true` if `value` is undefined. */
export const when = <T>(value: T | undefined, condition: (value: T) => Prisma.Sql): Prisma.Sql =>
  value === undefined ? Prisma.sql`true` : condition(value);

/** These bound the cost of a search: it compares at most 8 pieces of the searched text, of at most 16 characters each. */
const [piecesMax, pieceMax] = [8, 16];

/** Whether a folded column contains a piece of a text. In its worst case, LIKE takes seven times as long as strpos. */
export const has = (column: string, piece: string): Prisma.Sql =>
  Prisma.sql`strpos(${Prisma.raw(column)}, ${piece}) > 0`;

/** Whether a folded column contains each word of a text, in any order. Long words are compared in pieces, the longest first. */
export const contains = (column: string, text: string): Prisma.Sql =>
  Prisma.join([Prisma.sql`true`, ...piecesOf(text).map((piece) => has(column, piece))], ' AND ');

/** The pieces of a searched text that rows must contain, the longest first. */
export function piecesOf(text: string): string[] {
  const pieces = foldedWords(text).flatMap(piecesOfWord);
  return [...new Set(pieces)].sort((a, b) => b.length - a.length).slice(0, piecesMax);
}

/** The last piece of a long word overlaps the one before: a full-length piece is found in fewer rows than a short one. */
function piecesOfWord(word: string): string[] {
  const letters = [...word];
  const last = Math.max(letters.length - pieceMax, 0);
  const starts = Array.from({ length: Math.ceil(letters.length / pieceMax) }, (_, n) => Math.min(n * pieceMax, last));
  return starts.map((start) => letters.slice(start, start + pieceMax).join(''));
}

/** Only the first 32 characters of a text are compared, by at most 12 of their trigrams. */
const [comparedMax, trigramsMax] = [32, 12];

/**
 * Compares names by trigrams. `trigrams` is the number of different trigrams that are compared; `text` gets a space at each end first.
 * `begun` is SQL that cuts the folded `column` and adds the same spaces. `shared` is SQL that counts how many of the trigrams are in
 * `column`, which must then have the values that `begun` returned.
 */
export function sharedTrigrams(column: string, text: string) {
  const letters = [...` ${foldedText(text).trim().replace(/\s+/g, ' ')} `].slice(0, comparedMax);
  const all = [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))];
  const step = Math.max(all.length / trigramsMax, 1);
  const trigrams = all.filter((_, at) => Math.floor(at % step) === 0);
  const has = trigrams.map((one) => Prisma.sql`(strpos(${Prisma.raw(column)}, ${one}) > 0)::int`);
  // `shared` begins with 0, because a text that consists of accents has no trigrams.
  const begun = Prisma.sql`concat(' ', left(${Prisma.raw(column)}, ${comparedMax}::int), ' ')`;
  return { shared: Prisma.join([Prisma.sql`0`, ...has], ' + '), trigrams: trigrams.length, begun };
}

/** Parses an id. Returns undefined for any other text. */
export const searchedId = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined);

/** An ORDER BY part that puts the row with the searched id first. */
export function idFirst(column: string, text: string | undefined): Prisma.Sql {
  const id = text === undefined ? undefined : searchedId(text);
  return id === undefined ? Prisma.empty : Prisma.sql`${Prisma.raw(column)} = ${id}::bigint DESC,`;
}
