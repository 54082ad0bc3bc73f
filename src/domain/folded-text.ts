/** Typographic marks, and the character that people type instead. */
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

/**
 * A text without case and accents, with typographic marks as they are typed. The function folded_text in the database folds stored texts in
 * the same way, once, when they are written. A final sigma is a sigma.
 */
export const foldedText = (text: string): string =>
  text
    .replace(anyMark, (mark) => typed.get(mark) ?? mark)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

/** The words of a text, folded. */
export const foldedWords = (text: string): string[] => foldedText(text).trim().split(/\s+/);

/** Whether texts contain each word of the searched one, in any order. */
export function wordSearch(searched: string): (text: string) => boolean {
  const words = foldedWords(searched);
  return (text) => {
    const folded = foldedText(text);
    return words.every((word) => folded.includes(word));
  };
}
