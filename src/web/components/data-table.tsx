import type { ComponentChildren, VNode } from 'preact';

/** A column's head and the cell of each row. */
type Column<T> = readonly [head: string, cell: (row: T) => ComponentChildren];

interface TableProps<T> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  /** The head of the column that names the row. */
  readonly rowHead?: string;
}

/**
 * Shows rows as a table, and on a narrow screen each row as a card. Content that is too wide scrolls, by keyboard too. Columns of numbers
 * are aligned right.
 */
export function Table<T>({ label, rows, columns, rowHead }: TableProps<T>): VNode {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const columnClass = columns.map((_, at) =>
    cells.some((row) => typeof row[at] === 'number') ? 'align-right' : undefined,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section class="table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([head], at) => (
              <th key={head} scope="col" class={columnClass[at]}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((row) => (
            <tr>
              {columns.map(([head], at) =>
                head === rowHead ? (
                  <th key={head} scope="row" data-head={head}>
                    {row[at]}
                  </th>
                ) : (
                  <td key={head} data-head={head} class={columnClass[at]}>
                    {row[at]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
