/** The elements that HTML defines or once defined, those of SVG, and those of MathML except its Content Markup. */
const elementNames =
  // HTML
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption ' +
  'center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form ' +
  'frame frameset h[1-6] head header hgroup hr html i iframe img input ins isindex kbd keygen label legend li link listing main map mark marquee ' +
  'menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp ' +
  'rt rtc ruby s samp script search section select selectedcontent slot small source spacer span strike strong style sub summary sup table ' +
  'tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp ' +
  // SVG
  'altglyph(?:def|item)? animate(?:color|motion|transform)? circle clippath cursor defs desc discard ellipse fe[a-z]{4,16} filter foreignobject ' +
  'g glyph glyphref hatch(?:path)? hkern image line (?:linear|radial|mesh)gradient marker mask mesh(?:patch|row)? metadata mpath path pattern ' +
  'poly(?:gon|line) rect set stop svg switch symbol text textpath tref tspan use view vkern ' +
  // MathML
  'annotation maction maligngroup malignmark math menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv mmultiscripts mn mo mover ' +
  'mpadded mphantom mprescripts mroot mrow ms mscarr(?:y|ies) msgroup msline mspace msqrt msrow mstack mstyle msu[bp] msubsup mtable mtd mtext ' +
  'mtr munder(?:over)? none semantics';

/** Matches the names above, and those of custom elements and other vocabularies, such as Word's `o:p`, but not `https://` or `tel:+351`. */
const tagName = `(?:${elementNames.replaceAll(' ', '|')}|[a-z][a-z0-9]*(?:-\\w+|:[a-z]\\w*)+)`;
const notText = `/?${tagName}(?=[\\t\\n\\f\\r />])|!--|(?:!doctype|!\\[|\\?[a-z])[^<>]*>`;
const verbatim = '<xmp\\b[^]*?(?:</xmp|$)|<plaintext\\b[^]*';
/** The `&` between the parameters of an address. Parsers read some names after it as characters: `&region=` would become `®ion=`. */
const ofAddress = '&(?=[a-z][a-z\\d]*=)';
/** Elements that hide everything up to their end tag. Without one, such a tag is a word: a job may be about `<title>` or `<template>`. */
const hiding = '<(?=(iframe|noembed|noframes|script|style|template|title)[\\t\\n\\f\\r />])';
const textMarks = new RegExp(`${verbatim}|${hiding}|<(?!${notText})|${ofAddress}`, 'gi');
const unfinishedReference = /&(?!(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);)/gi;
const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;' };

/**
 * Escapes each `<` that begins no tag, comment or declaration, as in `<rh@example.com>` and `List<String>`, and each `&` that is one of
 * an address. In a body without a tag, only a semicolon ends a reference: such a body is text.
 */
export function withTextEscaped(html: string): string {
  const endOf = lastEndTags(html);
  const escaped = html.replaceAll(textMarks, (found, hides: string | undefined, at: number) =>
    hides !== undefined && endOf(hides) > at ? found : (escapes[found] ?? found),
  );
  return escaped.includes('<') ? escaped : escaped.replaceAll(unfinishedReference, '&amp;');
}

/** Returns a function that finds the last end tag of an element, or -1. */
function lastEndTags(html: string): (name: string) => number {
  const found = new Map<string, number>();
  let lowerCase: string | undefined;
  return (name) => {
    const endTag = `</${name.toLowerCase()}`;
    // toLowerCase() makes some other letters longer.
    lowerCase ??= html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
    const at = found.get(endTag) ?? lowerCase.lastIndexOf(endTag);
    found.set(endTag, at);
    return at;
  };
}

const firstTag = new RegExp(`^\\s*&lt;(${tagName})(?=[\\s/]|&gt;)`, 'i');
const lineTags = /&lt;(?:br\s*(?:\/\s*)?|\/(?:p|div|li|ul|ol|h[1-6]|tr|table|section)\s*)&gt;/gi;

/** Whether escaped text without a tag is HTML that was escaped once too often, rather than text that mentions a tag. */
export function isEscapedHtml(escaped: string): boolean {
  const [, first] = firstTag.exec(escaped) ?? [];
  const isClosed = first !== undefined && escaped.toLowerCase().includes(`&lt;/${first.toLowerCase()}&gt;`);
  return isClosed || (escaped.match(lineTags) ?? []).length > 1;
}

const blankLines = /\n(?:\s|&nbsp;)*\n/;

/** Turns escaped text into HTML: blank lines separate paragraphs, and other line ends become `<br>`. A single line stays as it is. */
export function textAsHtml(escaped: string): string {
  const paragraphs = escaped
    .replaceAll(/[\v\u0085\u2028\u2029]/g, '\n')
    .trim()
    .split(blankLines);
  if (paragraphs.length === 1 && !paragraphs[0]?.includes('\n')) return escaped;
  return paragraphs.map((lines) => `<p>${lines.replaceAll('\n', '<br>')}</p>`).join('');
}
