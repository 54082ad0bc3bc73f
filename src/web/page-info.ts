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
  /** The page's path and query; for the answer to a form, those of the form's page. */
  readonly address: string;
  readonly timeZone: string;
  readonly person: { readonly email: string; readonly description: string } | undefined;
  /** Whether it is a page of a company that is suspended. */
  readonly isSuspended: boolean;
  readonly notice: string | undefined;
}

export const PageInfoContext = createContext<PageInfo | undefined>(undefined);

export function usePageInfo(): PageInfo {
  const info = useContext(PageInfoContext);
  if (!info) throw new Error('a component was rendered outside of a page');
  return info;
}
