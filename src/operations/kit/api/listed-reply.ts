/** A page with more characters is streamed rather than serialized in memory: 100 of the largest jobs are 13 MB. */
const heldMax = 1024 * 1024;

/** Answers with one page of rows, each as `present` makes it. A large page is streamed, and its rows are made while they are sent. */
export function listedReply<Row extends object, Item extends object, Meta extends object>(
  rows: readonly Row[],
  meta: Meta,
  present: (row: Row) => Item,
) {
  const length = charactersOf(rows);
  if (length <= heldMax) return { status: 200 as const, body: { data: rows.map(present), meta } };
  const list = { data: { [Symbol.iterator]: () => mapped(rows, present) }, meta };
  return { status: 200 as const, pieces: { length, list, [Symbol.iterator]: () => piecesOf(list) } };
}

/** Counts the characters of all texts in a value, however deep. They make up nearly all of its JSON. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + charactersOf(inner), 0);
}

function* mapped<T, U>(items: readonly T[], change: (item: T) => U): Generator<U> {
  for (const item of items) yield change(item);
}

function* piecesOf({ data, meta }: { readonly data: Iterable<object>; readonly meta: object }): Generator<string> {
  let before = '{"data":[';
  for (const item of data) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}
