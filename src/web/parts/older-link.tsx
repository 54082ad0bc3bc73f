import { useFrame } from '../frame.tsx';
import { queryOf } from './pager.tsx';

interface OlderProps {
  /** The last entry of this page; undefined where there is nothing older. */
  readonly next: bigint | null | undefined;
  /** Of the filter; those that are empty are left out. */
  readonly query?: Readonly<Record<string, string>>;
  /** What the page lists. */
  readonly what: string;
  /** Where the entries are listed, if not on this page. */
  readonly path?: string;
}

/** The way to the entries before those of this page, with the filter kept. */
export function OlderLink({ next, query = {}, what, path }: OlderProps) {
  const frame = useFrame();
  if (next === undefined || next === null) return null;
  return (
    <nav aria-label={`Older ${what}`} class="pager">
      <a href={`${path ?? frame.path}?${queryOf({ ...query, before: String(next) })}`} rel="next">
        {`Older ${what}`}
      </a>
    </nav>
  );
}
