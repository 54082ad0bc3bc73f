/**
 * The e-mail address of a person as accounts are created and found by: compatibility forms, such as fullwidth and decomposed letters, are
 * one (NFKC), format characters are left out, and case does not count.
 */
export const personAddress = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
