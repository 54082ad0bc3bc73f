import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Portal } from '../domain/actor.ts';

/** What the layout and the components know about the page around them. */
export interface PageInfo {
  readonly portal: Portal;
  /** Called only by forms, because it creates a session; undefined where there is no session, and so no form. */
  readonly csrfToken: (() => string) | undefined;
  /** The page's own path, without the query. */
  readonly path: string;
  /** The page's path and query; undefined for the answer to a form, which cannot be shown again. */
  readonly address: string | undefined;
  readonly timeZone: string;
  readonly person: { readonly email: string; readonly description: string } | undefined;
  readonly notice: string | undefined;
}

export const PageInfoContext = createContext<PageInfo | undefined>(undefined);

export function usePageInfo(): PageInfo {
  const info = useContext(PageInfoContext);
  if (!info) throw new Error('a component was rendered outside of a page');
  return info;
}
