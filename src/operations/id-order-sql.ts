import { Prisma } from '../../generated/prisma/client.ts';

/** The order of a list by id, and its entry from which a page goes on. */
export interface IdOrder {
  readonly sort: 'newest' | 'oldest';
  /** The last entry of the page before. */
  readonly before?: bigint | undefined;
}

export const orderById = ({ sort }: IdOrder, id = 'id'): Prisma.Sql =>
  Prisma.raw(sort === 'newest' ? `${id} DESC` : id);

export const isBeyond = ({ sort, before }: IdOrder, id = 'id'): Prisma.Sql =>
  before === undefined
    ? Prisma.sql`true`
    : Prisma.sql`${Prisma.raw(id)} ${Prisma.raw(sort === 'newest' ? '<' : '>')} ${before}::bigint`;
