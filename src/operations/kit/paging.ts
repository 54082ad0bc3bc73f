import { lastPageOf } from './clauses-sql.ts';
import type { ListedPage } from './declare.ts';

/** Items on one page of a list. */
export const perPage = 25;

export type Listed<T> = Required<Pick<ListedPage<T>, 'items' | 'page' | 'lastPage' | 'total'>>;

/** One page of a list; a page past the last is empty. */
export const listed = <T>(items: readonly T[], page: number, total: number): Listed<T> => ({
  items,
  page,
  lastPage: lastPageOf(total, perPage),
  total,
});

/** A row that includes the total number of found rows, the same in every row. */
export interface Counted {
  readonly total: number;
}

/** The rows with these keys, in the order of the keys. A key whose row was removed meanwhile is skipped. */
export function inOrder<Row extends { readonly id: bigint | number }>(
  keys: readonly (Counted & { readonly id: bigint })[],
  rows: readonly Row[],
): (Row & Counted)[] {
  const byId = new Map(rows.map((row) => [BigInt(row.id), row]));
  return keys.flatMap(({ id, total }) => {
    const row = byId.get(id);
    return row ? [{ ...row, total }] : [];
  });
}

/** One page of a list whose rows each include the total. A page past the last has no rows, so its total is read from the first page. */
export async function listedRows<Row extends Counted>(
  page: number,
  read: (page: number) => Promise<readonly Row[]>,
): Promise<Listed<Omit<Row, 'total'>>> {
  const rows = await read(page);
  const [first] = rows.length > 0 || page === 1 ? rows : await read(1);
  const items = rows.map(({ total: _, ...row }) => row);
  return listed(items, page, first?.total ?? 0);
}
