import { Prisma } from '../../generated/prisma/client.ts';
import { foldedText } from '../domain/folded-text.ts';

/** Whether a column contains a text, ignoring case and accents. */
export const contains = (column: string, text: string): Prisma.Sql =>
  Prisma.sql`position(${foldedText(text)} IN lower(regexp_replace(normalize(${Prisma.raw(column)}, NFD), '[\u0300-\u036f]', '', 'g'))) > 0`;

/** A text as an id; undefined if it is none. */
export const idOf = (text: string): bigint | undefined => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined);
