/** The words in which REST and tools differ: the only difference between the two. */
const words = {
  'Idempotency-Key': 'idempotency_key',
  'If-Match': 'if_match',
  request_body: 'job',
  'GET /categories': 'list_categories',
  'GET /regions': 'list_regions',
} as const;
/** Names that are not fields; elsewhere these words have other meanings. */
const names = new Map<string, string>([...Object.entries(words), ['query', 'arguments']]);

/** Translates REST's answer into the tool's. */
export function inToolWords<T>(answer: T): T {
  const renamed = (text: string) =>
    Object.entries(words).reduce((said, [rest, tool]) => said.replaceAll(rest, tool), text);
  const { error, ...rest } = (answer ?? {}) as { error?: { message: string; details: object } };
  if (error === undefined) return answer;
  const details = Object.entries(error.details).map(([field, value]) => [
    names.get(field) ?? field,
    Array.isArray(value) ? value.map((text) => renamed(String(text))) : value,
  ]);
  // The same shape with other words.
  return { ...rest, error: { ...error, message: renamed(error.message), details: Object.fromEntries(details) } } as T;
}
