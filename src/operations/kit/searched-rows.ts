import { piecesOf } from './clauses-sql.ts';

/** The maximum number of rows that a search reads. */
const rowsMax = 50_000;
/** A search for a text reads one of these numbers of rows. Even the longest rows do not make the smallest number too expensive. */
const steps = [2500, 10_000, 25_000, rowsMax];

/** The maximum cost of a search, in compared letters. PostgreSQL compares these in about 90 ms, in the worst case. */
const costMax = 10_000_000;
/** The cost of reading one row, in compared letters; `joined` is for a row with a text from a second table. */
export const rowCosts = { alone: 150, joined: 225 } as const;

/** A number of rows, and the number of letters in them that a search would compare. */
export interface Letters {
  readonly rows: number;
  readonly letters: number;
}

/** Finds how many rows a search may read, so that its cost is bounded for rows of any length and for any text. */
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
