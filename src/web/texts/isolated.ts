/** Letters that are written from right to left, and characters that set the direction of a text. */
const directed =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const [isolate, end] = ['\u2068', '\u2069'];

/**
 * Keeps a text's direction from turning around what stands beside it (Unicode's UAX 9). An element such as `bdi` does not: a text that contains
 * the end of an isolate leaves it. Any other text is returned unchanged.
 */
export function isolated(text: string): string {
  if (!directed.test(text)) return text;
  let open = 0;
  const closed = text.replaceAll(/[\u2066-\u2069]/g, (mark) => {
    if (mark === end && open === 0) return '';
    open += mark === end ? -1 : 1;
    return mark;
  });
  return isolate + closed + end.repeat(open + 1);
}
