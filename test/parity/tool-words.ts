/** What REST says and a tool says otherwise: the only difference between the two. */
const words = {
  'Idempotency-Key': 'idempotency_key',
  'If-Match': 'if_match',
  request_body: 'job',
  'GET /categories': 'list_categories',
  'GET /regions': 'list_regions',
} as const;
/** Names of what is no field; as words they mean other things. */
const names = new Map<string, string>([...Object.entries(words), ['query', 'arguments']]);

/** An answer of REST as the tool gives it. */
export function inToolWords<T>(answer: T): T {
  const renamed = (text: string) =>
    Object.entries(words).reduce((said, [rest, tool]) => said.replaceAll(rest, tool), text);
  const { error, ...rest } = (answer ?? {}) as { error?: { message: string; details: object } };
  if (error === undefined) return answer;
  const details = Object.entries(error.details).map(([field, value]) => [
    names.get(field) ?? field,
    Array.isArray(value) ? value.map((text) => renamed(String(text))) : value,
  ]);
  // The same shape with other words in it.
  return { ...rest, error: { ...error, message: renamed(error.message), details: Object.fromEntries(details) } } as T;
}
