/** Typographic marks, by the characters that people type instead. */
const marks: Readonly<Record<string, string>> = {
  "'": '`´ʹʻʼˈ‘’‚‛′‹›＇',
  '"': '«»“”„‟″＂',
  '-': '‐‑‒–—―−－',
  ' ': '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
  '...': '…',
  '': '\u00ad\u200b\u200c\u200d\u2060\ufeff',
};
const typed = new Map(Object.entries(marks).flatMap(([one, all]) => [...all].map((mark) => [mark, one] as const)));
const anyMark = new RegExp(`[${[...typed.keys()].join('')}]`, 'gu');

/** The longest text that is folded, in UTF-16 code units. Normalizing takes quadratic time in a run of combining marks. */
const lengthMax = 2000;

/**
 * Returns a text in lower case, without accents, and with the characters that people type instead of typographic marks. A final sigma
 * becomes a sigma. Leaves out what is past 2000 code units. The function folded_text in the database folds stored texts in the same way,
 * once, when they are written.
 */
export const foldedText = (text: string): string =>
  text
    .slice(0, lengthMax)
    .replace(anyMark, (mark) => typed.get(mark) ?? mark)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

/** The words of a text, folded. */
export const foldedWords = (text: string): string[] => foldedText(text).trim().split(/\s+/);

/** Returns a function that says whether a text contains each word of `searched`, in any order. */
export function wordSearch(searched: string): (text: string) => boolean {
  const words = foldedWords(searched);
  return (text) => {
    const folded = foldedText(text);
    return words.every((word) => folded.includes(word));
  };
}
