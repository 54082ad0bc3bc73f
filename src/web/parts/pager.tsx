import { useFrame } from '../frame.tsx';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly lastPage: number;
  /** Of the filter; those that are empty are left out. */
  readonly query?: Readonly<Record<string, string>>;
}

/** The way to the pages before and after this one, with the filter kept. */
export function Pager({ page, lastPage, query = {} }: PagerProps) {
  const { path } = useFrame();
  if (lastPage === 1 && page === 1) return null;
  const href = (to: number): string => `${path}?${queryOf({ ...query, page: String(to) })}`;
  return (
    <nav aria-label="More" class="pager">
      {page > 1 && (
        <a href={href(Math.min(page - 1, lastPage))} rel="prev">
          Previous page
        </a>
      )}
      <span>{`Page ${page} of ${lastPage}`}</span>
      {page < lastPage && (
        <a href={href(page + 1)} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

/** A query string without what is empty. */
export const queryOf = (fields: Readonly<Record<string, string>>): string =>
  String(new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')));

const pageMax = 1_000_000;

/** The number of the page that a query asks for; 1 where it asks for none. */
export function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), pageMax) : 1;
}
