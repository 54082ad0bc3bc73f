import { piecesOf } from './clauses-sql.ts';

/** How many rows a search reads at most. */
const rowsMax = 50_000;
/** A search for a text reads the first of one of these numbers of rows. So few, it always may: however long, they cost no more than the rest. */
const steps = [2500, 10_000, 25_000, rowsMax];
/** How many letters it compares at most, counting a row's letters for each piece of the text. */
const comparedMax = 4_000_000;

/** Some rows, and the number of letters in them that a search would compare. */
export interface Letters {
  readonly rows: number;
  readonly letters: number;
}

/** Finds how many rows a search may read: so many that it costs the same whatever they hold, and whatever is searched for. */
export async function rowsToSearch(
  text: string | undefined,
  lettersIn: (rows: { readonly limit: number; readonly offset: number }) => Promise<Letters>,
): Promise<number> {
  const pieces = text === undefined ? 0 : piecesOf(text).length;
  let [read, compared] = [0, 0];
  for (const step of pieces > 0 ? steps : []) {
    const limit = step - read;
    const { rows, letters } = await lettersIn({ limit, offset: read });
    compared += letters * pieces;
    if (read > 0 && compared > comparedMax) return read;
    if (rows < limit) break;
    read = step;
  }
  return rowsMax;
}
