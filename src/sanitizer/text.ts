import { hidingTags } from './html-rules.ts';

/** The elements that HTML defines or once defined, but those below. */
const textNames =
  'abbr acronym address article aside audio b bdi bdo big blink blockquote body br button caption center cite code col colgroup ' +
  'dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form frame frameset h[1-6] head header hgroup hr ' +
  'html i iframe ins kbd label legend li listing main mark marquee menu nav nobr noembed noframes noscript ol optgroup option output p ' +
  'plaintext pre q rb rp rt rtc ruby s samp script search section select selectedcontent small spacer span strike strong style ' +
  'sub summary sup table tbody td template textarea tfoot th thead time title tr tt u ul var video wbr xmp';
/** The elements of HTML that change nothing about their text unless they have attributes, those of SVG, and those of MathML except its Content Markup. */
const otherNames =
  'a applet area base basefont bgsound canvas data datalist embed img input isindex keygen link map menuitem meta meter object param ' +
  'picture progress slot source track ' +
  // SVG
  'altglyph(?:def|item)? animate(?:color|motion|transform)? circle clippath cursor defs desc discard ellipse fe[a-z]{4,16} filter foreignobject ' +
  'g glyph glyphref hatch(?:path)? hkern image line (?:linear|radial|mesh)gradient marker mask mesh(?:patch|row)? metadata mpath path pattern ' +
  'poly(?:gon|line) rect set stop svg switch symbol text textpath tref tspan use view vkern ' +
  // MathML
  'annotation maction maligngroup malignmark math menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv mmultiscripts mn mo mover ' +
  'mpadded mphantom mprescripts mroot mrow ms mscarr(?:y|ies) msgroup msline mspace msqrt msrow mstack mstyle msu[bp] msubsup mtable mtd mtext ' +
  'mtr munder(?:over)? none semantics';
/** Custom elements and other vocabularies, such as Word's `o:p`, but not `https://` or `tel:+351`. */
const madeName = '[a-z][a-z0-9]*(?:-\\w+|:[a-z]\\w*)+';
const anyOf = (names: string): string => `(?:${names.replaceAll(' ', '|')}|${madeName})`;

const nameEnd = '(?=[\\t\\n\\f\\r />])';
const tagName = anyOf(`${textNames} ${otherNames}`);
const notText = `/?${tagName}${nameEnd}|!--|(?:!doctype|!\\[|\\?[a-z])[^<>]*>`;
const verbatim = '<xmp\\b[^]*?(?:</xmp|$)|<plaintext\\b[^]*';
/** The `&` between the parameters of an address. Parsers read some names after it as characters: `&region=` would become `®ion=`. */
const ofAddress = '&(?=[a-z][a-z\\d]*=)';
/** Tags that hide everything up to their end tag. Only `svg` and `math` may end themselves. */
const hiding = `<(?=(${[...hidingTags, 'textarea'].join('|')})${nameEnd})(?!(?:svg|math)[^<>]*/>)`;
/** Tags that show nothing and say nothing about what follows, as `<input>`, `<Line Manager>` and `<company-name>`. */
const silent = `<(?=(${anyOf(otherNames)})(?:[\\t\\n\\f\\r ](?!hidden>)[^<>="'/]*)?>)`;
const textMarks = new RegExp(`${verbatim}|${hiding}|${silent}|<(?!${notText})|${ofAddress}`, 'gi');
const unfinishedReference = /&(?!(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);)/gi;
const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;' };

/**
 * Escapes each `<` that begins no tag, comment or declaration, as in `<rh@example.com>` and `List<String>`, and each `&` that is one of
 * an address. A hiding or silent tag without an end tag is a word: a job may be about `<title>` or `<input>`. In a body without a tag, only
 * a semicolon ends a reference: such a body is text.
 */
export function withTextEscaped(html: string): string {
  let endTags: ReadonlyMap<string, number> | undefined;
  const isEnded = (name: string, at: number): boolean => {
    endTags ??= lastEndTags(html);
    return (endTags.get(name.toLowerCase()) ?? -1) > at;
  };
  const escaped = html.replaceAll(textMarks, (found, hides?: string, silences?: string, at = 0) => {
    const name = hides ?? silences;
    return name !== undefined && isEnded(name, at) ? found : (escapes[found] ?? found);
  });
  return escaped.includes('<') ? escaped : escaped.replaceAll(unfinishedReference, '&amp;');
}

/** Where the last end tag of each element begins, by its name in lower case. */
const lastEndTags = (html: string): ReadonlyMap<string, number> =>
  new Map(
    [...html.matchAll(/<\/([a-z][^\t\n\f\r />]*)/gi)].map(({ 1: name = '', index }) => [name.toLowerCase(), index]),
  );

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
