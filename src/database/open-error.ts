/** A start that cannot go on; the message is one line, safe to show, and says what to do. */
export class StoreError extends Error {}

/** A server that cannot be reached or refuses us, as a StoreError. */
export const unusable = (error: unknown): StoreError =>
  error instanceof StoreError ? error : new StoreError(`the database cannot be used: ${firstLine(error)}`);

/** The first line of an error; connecting to several addresses fails with several errors and no message. */
export function firstLine(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return firstLine(error.errors[0]);
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
