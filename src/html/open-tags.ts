/** Elements open at once, summed over all names; honest rich text was seen to reach 5. */
export const openTagsMax = 100;

/** The same for elements whose end tag is optional (an unclosed list of 30,000 characters has at most 7,500 items). */
export const openOptionalTagsMax = 3000;

const voidTags = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const optionalEndTags = new Set('p li td tr th dt dd'.split(' '));
const rawTextTags = new Set('script style xmp iframe noembed noframes textarea title plaintext'.split(' '));

const startTag = /<([a-z][^\t\n\f\r />]*)/gi;
const token = /<!--(?:-?>|[^]*?(?:--!?>|$))|<!\[CDATA\[[^]*?(?:\]\]>|$)|<(\/?)([a-z][^\t\n\f\r />]*)|<[!?/][^>]*/gi;
// A tag's attributes as the HTML standard reads them (13.2.5.32 to 13.2.5.40): quotes count only after an equals sign.
const attribute =
  /[\t\n\f\r /]*[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r >"'][^\t\n\f\r >]*)?)?/y;

interface Tag {
  name: string;
  step: 1 | -1;
}

function afterAttributes(html: string, from: number): number {
  attribute.lastIndex = from;
  let end = from;
  while (attribute.test(html)) end = attribute.lastIndex;
  return end;
}

/** Start tags wherever they could be one, also in comments and attributes; end tags only where the parser sees one. */
function* tags(html: string): Generator<Tag> {
  const startsIn = (from: number, to: number): Tag[] =>
    [...html.slice(from, to).matchAll(startTag)].map((match) => ({ name: String(match[1]).toLowerCase(), step: 1 }));
  let rawText = '';
  let match: RegExpExecArray | null;
  token.lastIndex = 0;
  for (match = token.exec(html); match; match = token.exec(html)) {
    const name = match[2]?.toLowerCase() ?? '';
    const end = name === '' ? token.lastIndex : afterAttributes(html, token.lastIndex);
    const isEnd = match[1] === '/';
    if (rawText !== '' && !(isEnd && name === rawText)) {
      yield* startsIn(match.index, token.lastIndex);
      continue;
    }
    rawText = '';
    if (isEnd) yield { name, step: -1 };
    yield* startsIn(match.index, end);
    if (!isEnd && rawTextTags.has(name)) rawText = name;
    token.lastIndex = end;
  }
}

/**
 * Whether more elements may be open at once than a parser handles in reasonable time. One pass without a parser: a counter per
 * name, never below zero, and the sum. It may count too many in absurd HTML; what slips through meets the worker's deadline.
 */
export function opensTooManyTags(html: string): boolean {
  const counts = new Map<string, number>();
  let open = 0;
  let openOptional = 0;
  for (const { name, step } of tags(html)) {
    const count = counts.get(name) ?? 0;
    if (voidTags.has(name) || count + step < 0) continue;
    counts.set(name, count + step);
    if (optionalEndTags.has(name)) openOptional += step;
    else open += step;
    if (open > openTagsMax || openOptional > openOptionalTagsMax) return true;
  }
  return false;
}
