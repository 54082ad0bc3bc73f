// The service keeps other HTML than it was sent: no attributes, other names, lines as paragraphs. Two bodies are compared by their words and
// the marks around them, written alike. Where this cannot tell, the service can: a change to equal fields changes nothing.

/** Whether the service keeps `sent` as `kept`. May be false though it does; is true only if words, kept tags and links are the same. */
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
/** Not kept, unlike their content. Anything that is named nowhere here has rules that only the service knows. */
const dropped = set('abbr acronym big body cite font html label mark meta nobr small span time tt var wbr');

/** Stands for the border of a paragraph. */
const border = '\f';

/** Undefined if only the service can tell. */
function shapeOf(html: string): string | undefined {
  if (!/<[a-z/!?]/i.test(html)) return withoutGaps(linesOf(escaped(html)));
  const parts = withoutComments(html).split(/(<[/!?]?[a-z[][^<>]*>)/i);
  const marked = parts.map((part, at) => (at % 2 === 0 ? escaped(part) : markOf(part)));
  return marked.includes(undefined) ? undefined : withoutGaps(marked.join(''));
}

/** Text: blank lines separate paragraphs. */
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

/** A tag as it is kept. Undefined if that depends on more than its name. */
function markOf(tag: string): string | undefined {
  const [, end = '', written = '', attributes = ''] =
    /^<(\/?)([a-z][a-z0-9:-]*)(?![a-z0-9:-])([^<>]*)>$/i.exec(tag) ?? [];
  const name = kept.get(written.toLowerCase()) ?? written.toLowerCase();
  if (/hidden|display/i.test(attributes) || (/^(b|strong)$/.test(name) && attributes.includes('font-weight')))
    return undefined;
  if (paragraphs.has(name)) return border;
  // `<!` and `<?` begin no element, and a name with `:` or `-` is one of another vocabulary.
  if (dropped.has(name) || name === '' || /[:-]/.test(name)) return '';
  if (!inline.has(name) && !blocks.has(name)) return undefined;
  if (end !== '') return `</${name}>`;
  const [, , link = ''] = (name === 'a' && /\shref\s*=\s*(["'])([^"'<>]*)\1/i.exec(attributes)) || [];
  const numbers = attributes.match(/\b(?:start|colspan|rowspan)\s*=\s*["']?-?\d+/gi) ?? [];
  const own = numbers.map((one) => one.replace(/[\s"']/g, ''));
  return `<${[name, escaped(link.trim()), ...own].filter(Boolean).join(' ')}>`;
}

/** From U+00A1 to U+00FF, in order. */
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

/** Text with only the character references that the service writes. */
const escaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));|[&<>\u00a0]/gi, (found, decimal, hex, name) => {
    const code = Number.parseInt(decimal ?? hex ?? '', decimal ? 10 : 16);
    const character = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (named.get(name) ?? found);
    return escapes.get(character) ?? character;
  });

const block = new RegExp(`(</?(?:${[...blocks].join('|')})(?: [^<>]*)?>)`);

/** Without white space that no reader sees, and without borders of paragraphs beside other blocks. */
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
