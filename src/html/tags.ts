/** A start tag (+1) or an end tag (-1), its name in lower case. */
export interface Tag {
  name: string;
  step: 1 | -1;
}

const rawTextTags = new Set('script style xmp iframe noembed noframes textarea title plaintext'.split(' '));

const startTag = /<([a-z][^\t\n\f\r />]*)/gi;
const token =
  /<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/?)([a-z][^\t\n\f\r />]*)|<[!?/][^>]*/gi;

// Attributes as the HTML standard reads them (13.2.5.32 to 13.2.5.40): a quote counts only after an equals sign.
const attribute =
  /[\t\n\f\r /]*[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r >"'][^\t\n\f\r >]*)?)?/y;

function afterAttributes(html: string, from: number): number {
  attribute.lastIndex = from;
  let end = from;
  while (attribute.test(html)) end = attribute.lastIndex;
  return end;
}

function* startTags(html: string): Generator<Tag> {
  for (const [, name = ''] of html.matchAll(startTag)) yield { name: name.toLowerCase(), step: 1 };
}

/** Where the raw text that begins at `from` ends: its end tag, or the end of all. */
function afterRawText(html: string, name: string, from: number): number {
  const length = html.slice(from).search(new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'i'));
  return length < 0 ? html.length : from + length;
}

/**
 * The tags of `html` in linear time, erring on one side: a start tag is told wherever it could be one, also in comments, attributes
 * and raw text; an end tag only where the parser sees one.
 */
export function* tags(html: string): Generator<Tag> {
  const tokens = new RegExp(token);
  for (let match = tokens.exec(html); match; match = tokens.exec(html)) {
    const name = match[2]?.toLowerCase() ?? '';
    const isEnd = match[1] === '/';
    let end = tokens.lastIndex;
    if (name !== '') end = afterAttributes(html, end);
    if (isEnd) yield { name, step: -1 };
    else if (rawTextTags.has(name)) end = afterRawText(html, name, end);
    yield* startTags(html.slice(match.index, end));
    tokens.lastIndex = end;
  }
}
