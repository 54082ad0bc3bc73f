import type { ComponentChildren } from 'preact';
import type { Listed } from '../../operations/paging.ts';
import { usePageRequest } from '../page.ts';
import { useT } from '../texts/t.ts';

/** Filter parameters that a link keeps; empty ones are left out. */
type Query = Readonly<Record<string, string>>;

const queryString = (query: Query): string =>
  String(new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')));

interface PagedProps {
  readonly list: Pick<Listed<unknown>, 'page' | 'lastPage' | 'total'>;
  /** Why the list is empty. */
  readonly none: ComponentChildren;
  readonly query: Query;
  readonly children: ComponentChildren;
}

/** One page of a numbered list with links to its neighbours. A page past the last one leads back to the last. */
export function Paged({ list: { page, lastPage, total }, none, query, children }: PagedProps) {
  const { path } = usePageRequest();
  const t = useT();
  if (total === 0 && page === 1) return <p>{none}</p>;
  const isPast = page > lastPage;
  const href = (to: number): string => `${path}?${queryString({ ...query, page: String(to) })}`;
  return (
    <>
      {!isPast && children}
      {(lastPage > 1 || isPast) && (
        <nav aria-label={t('Pagination')} class="pager">
          {page > 1 && (
            <a href={href(isPast ? lastPage : page - 1)} rel="prev">
              {isPast ? t('Go to the last page') : t('Previous page')}
            </a>
          )}
          <span>{t('Page {{page}} of {{last}}', { page, last: lastPage })}</span>
          {page < lastPage && (
            <a href={href(page + 1)} rel="next">
              {t('Next page')}
            </a>
          )}
        </nav>
      )}
    </>
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
  const info = usePageRequest();
  if (next === undefined || next === null) return null;
  return (
    <nav aria-label={text} class="pager">
      <a href={`${path ?? info.path}?${queryString({ ...query, before: String(next) })}`} rel="next">
        {text}
      </a>
    </nav>
  );
}
