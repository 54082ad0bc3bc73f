// The service stores different HTML than it was sent: few attributes, other tag names, and lines as paragraphs. So two bodies are rewritten in
// one notation, which keeps their words and tags, and then compared. If this cannot show that they are equal, the body is sent: the service
// changes nothing if the body is equal.

/** Whether the service stores `sent` as `kept`. May be false although it does; is true only if words, kept tags and links are the same. */
export function isKeptAs(sent: string, kept: string): boolean {
  if (sent === kept) return true;
  const shape = shapeOf(sent);
  return shape !== undefined && shape === shapeOf(kept);
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const inline = set('a b br code em i s strong sub sup u');
const blocks = set('blockquote h2 h3 h4 hr li ol table tbody td tfoot th thead tr ul');
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

/** Returns a notation of HTML for comparisons. Undefined if only the service can tell what it would store. */
function shapeOf(html: string): string | undefined {
  if (!/<[a-z/!?]/i.test(html)) return withoutGaps(linesOf(escaped(html)));
  const parts = withoutComments(html).split(/(<[/!?]?[a-z[][^<>]*>)/i);
  const marked = parts.map((part, at) => (at % 2 === 0 ? escaped(part) : markOf(part)));
  return marked.includes(undefined) ? undefined : withoutGaps(marked.join(''));
}

/** Marks up plain text: blank lines separate paragraphs, and other line ends become `<br>`. */
const linesOf = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[\t ]*\n/)
    .join(border)
    .replaceAll('\n', '<br>');

const withoutComments = (html: string): string =>
  html
    .split('<!--')
    .map((part, at) => (at === 0 || !part.includes('-->') ? part : part.slice(part.indexOf('-->') + 3)))
    .join('');

/** Returns the notation of a tag: `border` for a paragraph, '' if the service drops the tag. Undefined if only the service can tell. */
function markOf(tag: string): string | undefined {
  const [, end = '', written = '', attributes = ''] =
    /^<(\/?)([a-z][a-z0-9:-]*)(?![a-z0-9:-])([^<>]*)>$/i.exec(tag) ?? [];
  const name = kept.get(written.toLowerCase()) ?? written.toLowerCase();
  if (/hidden|display/i.test(attributes) || (/^(b|strong)$/.test(name) && attributes.includes('font-weight')))
    return undefined;
  if (paragraphs.has(name)) return border;
  // `<!` and `<?` begin no element, and a name with `:` or `-` belongs to another vocabulary.
  if (dropped.has(name) || name === '' || /[:-]/.test(name)) return '';
  if (!inline.has(name) && !blocks.has(name)) return undefined;
  if (end !== '') return `</${name}>`;
  const [, , link = ''] = (name === 'a' && /\shref\s*=\s*(["'])([^"'<>]*)\1/i.exec(attributes)) || [];
  const numbers = attributes.match(/\b(?:start|colspan|rowspan)\s*=\s*["']?-?\d+/gi) ?? [];
  const own = numbers.map((one) => one.replace(/[\s"']/g, ''));
  return `<${[name, escaped(link.trim()), ...own].filter(Boolean).join(' ')}>`;
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
};
const named = new Map([
  ...latin.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(0xa1 + at)]),
  ...Object.entries(others),
]);
const escapes = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' }));

/** Decodes the character references of a text, then escapes the characters that the service escapes. Leaves unknown references unchanged. */
const escaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));|[&<>\u00a0]/gi, (found, decimal, hex, name) => {
    const code = Number.parseInt(decimal ?? hex ?? '', decimal ? 10 : 16);
    const character = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (named.get(name) ?? found);
    return escapes.get(character) ?? character;
  });

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
