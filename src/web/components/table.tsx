import { type ComponentChildren, cloneElement, createContext, isValidElement, toChildArray, type VNode } from 'preact';
import { useContext } from 'preact/hooks';

interface TableProps {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly heads: readonly string[];
  /** Each a TableRow. */
  readonly children: ComponentChildren;
}

const Heads = createContext<readonly string[]>([]);

/** On a narrow screen each row is a card. A table that is still too wide scrolls, also by keyboard. */
export const Table = ({ label, heads, children }: TableProps): VNode => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
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

/** Cells, each labelled with its column's head, which a card shows beside it. */
export function TableRow({ children }: { readonly children: ComponentChildren }) {
  const heads = useContext(Heads);
  const cells = toChildArray(children).filter((child) => isValidElement(child));
  return <tr>{cells.map((cell, column) => cloneElement(cell, { 'data-head': heads[column] }))}</tr>;
}
