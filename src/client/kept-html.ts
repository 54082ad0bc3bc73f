// The service stores different HTML than it was sent: few attributes, other tag names, and lines as paragraphs. So two bodies are rewritten in
// one notation, which keeps their words, tags and links, and then compared. What this cannot decide, only the service can.

/**
 * Whether the service stores `sent` as `kept`. True only if words, kept tags and links are the same, false only if words or links differ.
 * Otherwise undefined: only the service can tell.
 */
export function isKeptAs(sent: string, kept: string): boolean | undefined {
  if (sent === kept) return true;
  const own = shapeOf(sent);
  const stored = shapeOf(kept);
  if (own === undefined || stored === undefined) return undefined;
  if (own === stored) return true;
  if (wordsIn(own) !== wordsIn(stored)) return false;
  const [sentLinks, keptLinks] = [new Set(linksIn(own)), new Set(linksIn(stored))];
  const isSame =
    [...keptLinks].every((link) => sentLinks.has(link)) &&
    [...sentLinks].every((link) => keptLinks.has(link) || !surelyKept.test(link));
  return isSame ? undefined : false;
}

/** Addresses that the service keeps, whatever its rules for others are. */
const surelyKept = /^<a https:\/\/(?:[a-z]+\.)+[a-z]{2,}(?:\/[\w/.-]*)?>$/;

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const inline = set('a b br code em i s strong sub sup u');
const blocks = set('blockquote h2 h3 h4 hr li ol table tbody td th thead tr ul');
const paragraphs = set(
  'p address article aside center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup main nav search section summary',
);
const kept = new Map(
  Object.entries({ h1: 'h2', h5: 'h4', h6: 'h4', dir: 'ul', menu: 'ul', del: 's', strike: 's', ins: 'u' }),
);
/** Elements of which only the content is kept. For an element in none of these sets, only the service knows the rules. */
const dropped = set('abbr acronym big body cite font html label mark meta nobr small span time tt var wbr');

/** Marks the start or end of a paragraph. */
const border = '\f';
/** Marks what only the service can read. */
const unclear = '\0';

/** Returns a notation of HTML for comparisons. Undefined if only the service can tell what it would store. */
function shapeOf(html: string): string | undefined {
  const shape = withoutGaps(tagStart.test(html) ? marksOf(withoutComments(html)) : linesOf(escaped(html)));
  return shape.includes(unclear) ? undefined : shape;
}

const tagStart = /<[a-z/!?]/i;

/** Marks up HTML. A tag left in a text has no end, or a `<` inside. */
function marksOf(html: string): string {
  const parts = html.split(/(<(?:\/?[a-z]|!doctype|!\[|\?[a-z])[^<>]*>)/i);
  const lastEnds = new Map(parts.map((part, at) => [/^<\/([^\s/>]+)/.exec(part)?.[1]?.toLowerCase(), at]));
  return parts
    .map((part, at) => {
      if (at % 2 === 0) return tagStart.test(part) ? unclear : escaped(part);
      const name = silent.exec(part)?.[1]?.toLowerCase();
      return name !== undefined && (lastEnds.get(name) ?? -1) < at ? unclear : markOf(part);
    })
    .join('');
}

/** Names of other vocabularies and of custom elements. */
const anotherName = '[a-z][a-z0-9]*(?:-\\w+|:[a-z]\\w*)+';
/** Without an end tag, the service reads such a tag as a word. */
const silent = new RegExp(`^<(a|meta|${anotherName})(?:\\s[^="'/]*)?>$`, 'i');
const another = new RegExp(`^${anotherName}$`);

/** The text of a notation without white space. */
const wordsIn = (shape: string): string => shape.replace(/<[^<>]*>|&nbsp;|[\s\u0085]+/g, '');

const linksIn = (shape: string): string[] => shape.match(/<a [^<>]*>/g) ?? [];

/** Marks up plain text: blank lines separate paragraphs, and other line ends become `<br>`. */
const linesOf = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\f\v\u0085\u2028\u2029]/g, '\n')
    .trim()
    .split(/\n[\t ]*\n/)
    .join(border)
    .replaceAll('\n', '<br>');

const withoutComments = (html: string): string =>
  html
    .split('<!--')
    .map((part, at) =>
      at === 0 ? part : /^-?>|--!>/.test(part) || !part.includes('-->') ? unclear : part.slice(part.indexOf('-->') + 3),
    )
    .join('');

/** Returns the notation of a tag: `border` for a paragraph, '' if the service drops the tag. */
function markOf(tag: string): string {
  if (/^<[!?]/.test(tag)) return '';
  const [, end = '', written = '', rest = ''] = /^<(\/?)([a-z][a-z0-9:-]*)(?![a-z0-9:-])([^<>]*)>$/i.exec(tag) ?? [];
  const name = kept.get(written.toLowerCase()) ?? written.toLowerCase();
  const attributes = attributesIn(rest);
  if (
    !attributes ||
    /hidden|display|white-space/i.test(rest) ||
    (/^(b|strong)$/.test(name) && rest.includes('font-weight'))
  )
    return unclear;
  if (paragraphs.has(name)) return border;
  if (dropped.has(name) || another.test(name)) return '';
  if (!inline.has(name) && !blocks.has(name)) return unclear;
  if (end !== '') return `</${name}>`;
  if (name === 'a') return `<a ${escaped(attributes.get('href') ?? '').trim()}>`;
  const numbers = ['start', 'colspan', 'rowspan'].flatMap((own) => {
    const value = Number.parseInt(attributes.get(own) ?? '', 10);
    return Number.isNaN(value) ? [] : [`${own}=${value}`];
  });
  return `<${[name, ...numbers].join(' ')}>`;
}

const attribute = /[ \t\n\f\r/]([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g;

/** Returns a tag's attributes by name. Undefined if this pattern does not cover all of them. */
function attributesIn(tag: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  const rest = tag.replace(attribute, (_, name: string, ...[double, single, bare]: (string | undefined)[]) => {
    // Of several attributes with one name, the first counts.
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    return '';
  });
  return /[^\s/]/.test(rest) ? undefined : found;
}

/** The names of the characters from U+00A1 to U+00FF, in order. */
const latin =
  'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const others = {
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  hellip: '…',
  euro: '€',
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
};
const named = new Map([
  ...latin.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(0xa1 + at)]),
  ...Object.entries(others),
]);
const escapes = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' }));

/** Parsers read the oldest names without a semicolon, too, but not before the `=` of an address. */
const marks = new RegExp(
  `&(?:#(\\d+|x[\\da-f]+)|([a-z]\\w*));|&#|&(?:amp|gt|lt|nbsp|quot|${latin.replaceAll(' ', '|')})(?!\\w*=)|[&<>\u00a0]`,
  'gi',
);

/** Decodes the character references of a text, then escapes the characters that the service escapes. */
const escaped = (text: string): string =>
  text.replace(marks, (found: string, code = '', name = '') => {
    const character = found.length === 1 ? found : code === '' ? named.get(name) : characterOf(Number(`0${code}`));
    return character === undefined ? unclear : (escapes.get(character) ?? character);
  });

/** Undefined for the codes of control characters, which parsers replace. */
function characterOf(code: number): string | undefined {
  const character = code > 0x10ffff ? '' : String.fromCodePoint(code);
  return /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])$/u.test(character) ? character : undefined;
}

const block = new RegExp(`(</?(?:${[...blocks].join('|')})(?: [^<>]*)?>)`);

/** Removes white space that no reader sees, and paragraph borders next to other blocks. */
const withoutGaps = (marked: string): string =>
  marked
    .replace(/[ \t\r\n]+/g, ' ')
    .replaceAll(/ ?<br> ?/g, '<br>')
    .split(block)
    .map((part) =>
      part
        .split(border)
        .map((line) => line.trim())
        .filter(Boolean)
        .join(border),
    )
    .join('');
