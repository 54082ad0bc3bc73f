import type { ComponentChildren, VNode } from 'preact';

interface TableProps {
  /** What the table lists, for those who do not see it. */
  readonly label: string;
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}

/** A table that scrolls by itself where a screen is narrow, also by keyboard. Its rows are `tr`. */
export const Table = ({ label, heads, children }: TableProps): VNode => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part of a page that scrolls must be within reach of the keyboard.
  <section class="overflow-auto" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);
