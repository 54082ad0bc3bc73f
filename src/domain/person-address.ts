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

/**
 * The addresses that an account found by a typed one may have: as typed, because older accounts keep their own spelling, and the form
 * above. None if the text is no address.
 */
export const addressesMeant = (typed: string): string[] =>
  [...new Set([typed.toLowerCase(), personAddress(typed)])].filter((address) => address.includes('@'));
