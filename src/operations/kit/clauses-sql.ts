import { Prisma } from '../../../generated/prisma/client.ts';
import type { Tenant } from '../../domain/environment.ts';
import { foldedText, foldedWords } from '../../domain/folded-text.ts';

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

/** What a search may cost, whatever is searched for: a text is compared by so many pieces, of so many characters. */
const [piecesMax, pieceMax] = [8, 16];

/** Whether a folded column contains a piece of a text. In rows made for it, LIKE takes seven times as long as strpos. */
export const has = (column: string, piece: string): Prisma.Sql =>
  Prisma.sql`strpos(${Prisma.raw(column)}, ${piece}) > 0`;

/** Whether a folded column contains each word of a text, in any order. Long words are compared in pieces, the longest first. */
export const contains = (column: string, text: string): Prisma.Sql =>
  Prisma.join([Prisma.sql`true`, ...piecesOf(text).map((piece) => has(column, piece))], ' AND ');

/** The pieces of a text by which rows are compared. */
export function piecesOf(text: string): string[] {
  const pieces = foldedWords(text).flatMap(piecesOfWord);
  return [...new Set(pieces)].sort((a, b) => b.length - a.length).slice(0, piecesMax);
}

/** The last piece of a long word overlaps the one before, so that it is as rare. */
function piecesOfWord(word: string): string[] {
  const letters = [...word];
  const last = Math.max(letters.length - pieceMax, 0);
  const starts = Array.from({ length: Math.ceil(letters.length / pieceMax) }, (_, n) => Math.min(n * pieceMax, last));
  return starts.map((start) => letters.slice(start, start + pieceMax).join(''));
}

/** Longer texts are compared up to here, and by so many of their trigrams. */
const [comparedMax, trigramsMax] = [32, 12];

/**
 * `trigrams` is the number of different trigrams in a text, with a space at each end; `shared` counts those in a column whose values have
 * `begun` as a folded column.
 */
export function sharedTrigrams(column: string, text: string) {
  const letters = [...` ${foldedText(text).trim().replace(/\s+/g, ' ')} `].slice(0, comparedMax);
  const all = [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))];
  const step = Math.max(all.length / trigramsMax, 1);
  const trigrams = all.filter((_, at) => Math.floor(at % step) === 0);
  const has = trigrams.map((one) => Prisma.sql`(strpos(${Prisma.raw(column)}, ${one}) > 0)::int`);
  // A text of accents only has none.
  const begun = Prisma.sql`concat(' ', left(${Prisma.raw(column)}, ${comparedMax}::int), ' ')`;
  return { shared: Prisma.join([Prisma.sql`0`, ...has], ' + '), trigrams: trigrams.length, begun };
}

/** Parses an id. Undefined for other text. */
export const searchedId = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined);

/** An ORDER BY part that puts the row with the searched id first. */
export function idFirst(column: string, text: string | undefined): Prisma.Sql {
  const id = text === undefined ? undefined : searchedId(text);
  return id === undefined ? Prisma.empty : Prisma.sql`${Prisma.raw(column)} = ${id}::bigint DESC,`;
}
