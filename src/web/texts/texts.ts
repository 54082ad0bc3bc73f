import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { en } from './en.ts';

/** Every text of the pages in one language. English defines what there is; a text that another language lacks does not compile. */
export type Texts = typeof en;

export const TextsContext = createContext<Texts | undefined>(undefined);

/** The texts in the reader's language. */
export function useTexts(): Texts {
  const texts = useContext(TextsContext);
  if (!texts) throw new Error('a component was rendered outside of a page');
  return texts;
}
