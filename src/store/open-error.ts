/** A start that cannot go on; the message is one line, safe to show, and says what to do. */
export class StoreError extends Error {}
