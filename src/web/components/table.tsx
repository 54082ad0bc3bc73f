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

/** On a narrow screen each row is a card. A table that is still too wide scrolls, also by keyboard. */
export const Table = <T,>({ label, rows, columns, rowHead }: TableProps<T>): VNode => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
  <section class="overflow-auto" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {columns.map(([head]) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(([head, cell]) =>
              head === rowHead ? (
                <th key={head} scope="row" data-head={head}>
                  {cell(row)}
                </th>
              ) : (
                <td key={head} data-head={head}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
