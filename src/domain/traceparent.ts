const format = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}/;

/** Characters of a traceparent of version 00. A later version may append more. */
const charactersMax = 55;

/** A client's trace context (W3C Trace Context), without what a later version appends; undefined if it is none. */
export function traceparentOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !format.test(value)) return undefined;
  const isWhole = value.length === charactersMax || (value[charactersMax] === '-' && !value.startsWith('00'));
  return isWhole ? value.slice(0, charactersMax) : undefined;
}
