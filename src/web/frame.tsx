import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Portal } from '../domain/actor.ts';
import type { NavLink } from './page.ts';

/** What stands around the content of a page. */
export interface Frame {
  readonly portal: Portal;
  /** Asked for by forms alone, because it makes a session; undefined where there can be none, and so no form. */
  readonly csrfToken: (() => string) | undefined;
  /** Of this page, without the query. */
  readonly path: string;
  readonly timeZone: string;
  readonly links: readonly NavLink[];
  readonly person: { readonly email: string; readonly description: string } | undefined;
  readonly notice: string | undefined;
}

export const FrameContext = createContext<Frame | undefined>(undefined);

export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (!frame) throw new Error('a component was rendered outside of a frame');
  return frame;
}
