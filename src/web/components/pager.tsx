import { usePageInfo } from '../page-info.ts';
import { useT } from '../texts/t.ts';

/** Filter parameters that a link keeps; empty ones are left out. */
type Query = Readonly<Record<string, string>>;

const queryString = (query: Query): string =>
  String(new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')));

interface PagerProps {
  /** Starts at 1. */
  readonly page: number;
  readonly lastPage: number;
  readonly query?: Query;
}

/** Links to the previous and the next page of a numbered list. */
export function Pager({ page, lastPage, query = {} }: PagerProps) {
  const { path } = usePageInfo();
  const t = useT();
  if (lastPage === 1 && page === 1) return null;
  const href = (to: number): string => `${path}?${queryString({ ...query, page: String(to) })}`;
  return (
    <nav aria-label={t('Pagination')} class="pager">
      {page > 1 && (
        <a href={href(Math.min(page - 1, lastPage))} rel="prev">
          {t('Previous page')}
        </a>
      )}
      <span>{t('Page {{page}} of {{last}}', { page, last: lastPage })}</span>
      {page < lastPage && (
        <a href={href(page + 1)} rel="next">
          {t('Next page')}
        </a>
      )}
    </nav>
  );
}

const pageMax = 1_000_000;

/** The page number in a query; 1 by default. */
export function pageIn(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), pageMax) : 1;
}

interface OlderLinkProps {
  /** The cursor of the next page; absent on the last one. */
  readonly next: bigint | null | undefined;
  /** Such as: Older requests. */
  readonly text: string;
  readonly query?: Query;
  /** Where the list is, if not on this page. */
  readonly path?: string;
}

/** Link to the entries before those on this page. */
export function OlderLink({ next, text, query = {}, path }: OlderLinkProps) {
  const info = usePageInfo();
  if (next === undefined || next === null) return null;
  return (
    <nav aria-label={text} class="pager">
      <a href={`${path ?? info.path}?${queryString({ ...query, before: String(next) })}`} rel="next">
        {text}
      </a>
    </nav>
  );
}
