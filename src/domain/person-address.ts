/**
 * The form of an e-mail address by which accounts are created and found. Compatibility forms, such as fullwidth or decomposed letters,
 * become one (NFKC), format characters are left out, and case does not count.
 */
export const personAddress = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
