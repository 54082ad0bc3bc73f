import { piecesOf } from './clauses-sql.ts';

/** How many rows a search reads at most. */
const rowsMax = 50_000;
/** A search for a text reads one of these numbers of rows. The smallest it may always read: its rows cost no more, however long they are. */
const steps = [2500, 10_000, 25_000, rowsMax];

/** What a search may cost, in letters that PostgreSQL compares in rows that are made for it: some 90 ms. */
const costMax = 10_000_000;
/** Reading a row costs as much as so many letters; with a text from a second table, half as much again. */
export const rowCosts = { alone: 150, joined: 225 } as const;

/** Some rows, and the number of letters in them that a search would compare. */
export interface Letters {
  readonly rows: number;
  readonly letters: number;
}

/** Finds how many rows a search may read: so many that it costs the same whatever they hold, and whatever is searched for. */
export async function rowsToSearch(
  text: string | undefined,
  rowCost: number,
  lettersIn: (rows: { readonly limit: number; readonly offset: number }) => Promise<Letters>,
): Promise<number> {
  const pieces = text === undefined ? 0 : piecesOf(text).length;
  let [read, cost] = [0, 0];
  for (const step of pieces > 0 ? steps : []) {
    if (read > 0 && cost + (step - read) * rowCost > costMax) return read;
    const { rows, letters } = await lettersIn({ limit: step - read, offset: read });
    cost += rows * rowCost + letters * pieces;
    if (read > 0 && cost > costMax) return read;
    if (rows < step - read) break;
    read = step;
  }
  return rowsMax;
}
