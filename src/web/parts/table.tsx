import { type ComponentChildren, cloneElement, createContext, isValidElement, toChildArray, type VNode } from 'preact';
import { useContext } from 'preact/hooks';

interface TableProps {
  /** What the table lists, for those who do not see it. */
  readonly label: string;
  readonly heads: readonly string[];
  /** Each a TableRow. */
  readonly children: ComponentChildren;
}

const Heads = createContext<readonly string[]>([]);

/** A table whose rows are cards where a screen is narrow; where one is still too wide, it scrolls, also by keyboard. */
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
      <tbody>
        <Heads.Provider value={heads}>{children}</Heads.Provider>
      </tbody>
    </table>
  </section>
);

/** Cells, each with the head of its column, which a card shows beside it. */
export function TableRow({ children }: { readonly children: ComponentChildren }) {
  const heads = useContext(Heads);
  const cells = toChildArray(children).filter((child) => isValidElement(child));
  return <tr>{cells.map((cell, column) => cloneElement(cell, { 'data-head': heads[column] }))}</tr>;
}
