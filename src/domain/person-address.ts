/** The greatest length of a person's e-mail address, in UTF-16 code units. */
export const addressLengthMax = 255;

/**
 * Returns the form of an e-mail address under which accounts are created and found: in NFKC, which turns fullwidth and decomposed letters
 * into plain ones, without format characters, trimmed, and in lower case. Returns a text that is too long for an address unchanged, because
 * normalizing takes quadratic time in a run of combining marks.
 */
export const personAddress = (typed: string): string =>
  typed.length > addressLengthMax
    ? typed
    : typed
        .normalize('NFKC')
        .replace(/\p{Cf}/gu, '')
        .trim()
        .toLowerCase();

/**
 * Returns the addresses under which the account of a typed address may be stored: the typed text in lower case, because older accounts keep
 * their own spelling, and the form that personAddress returns. Empty if the text is no address.
 */
export const addressesMeant = (typed: string): string[] =>
  [...new Set([typed.toLowerCase(), personAddress(typed)])].filter((address) => address.includes('@'));
