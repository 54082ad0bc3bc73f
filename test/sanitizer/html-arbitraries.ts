import fc from 'fast-check';

const pieces = [
  '<b>', '</b>', '<i id=x>', '</i>', '<p>', '</p>', '<a href="https://x.pt/?a=1&b=2">', '<a href=javascript:alert(1)>', '</a>',
  '<table>', '</table>', '<tr>', '<td>', '</td>', '<thead>', '<caption>', '<tfoot>', '<ul>', '<li>', '</ul>', '<pre>', '</pre>',
  '<svg>', '</svg>', '<math>', '</math>', '<mtext>', '<mglyph>', '<annotation-xml encoding="text/html">', '<foreignObject>', '<desc>',
  '<style>', '</style>', '<script>', '</script>', '<noscript>', '</noscript>', '<template>', '</template>', '<title>', '</title>',
  '<textarea>', '</textarea>', '<xmp>', '<iframe>', '<noembed>', '<select>', '<option>', '<form>', '<input name=attributes>',
  '<!--', '-->', '--!>', '<!-->', '<![CDATA[', ']]>', '<?x', '<!doctype html>', '</', '<', '>', '/>', '"', "'", '=', '&', '&lt;', '&gt;',
  '&#60;', '&#x3c', '&amp;lt;', '&nbsp;', '&#13;', '&#10;', '\n', '\r\n', '\f', '\t', ' ', '<img src=x onerror=alert(1)>',
  '<p title="</noscript><img src=x onerror=alert(1)>">', '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>', '<hr>', '<br>', '<h2>', '</h2>', '<blockquote>',
  '<frameset>', '<body onload=alert(1)>', '<html>', '<head>', '<div>', '</div>', '<button>', '<object>', '</object>', '<x-y>', 'text', 'é😀',
]; // biome-ignore format: a table

const anyPieces = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 4 })),
  { maxLength: 24 },
);
/** A few different pieces: what confuses a parser is often the same tag twice. */
const fewPieces = fc
  .subarray(pieces, { minLength: 2, maxLength: 7 })
  .chain((some) => fc.array(fc.constantFrom(...some), { maxLength: 24 }));

/** Unusual HTML, made from pieces that have confused parsers. */
export const brokenHtml = fc.oneof(anyPieces, fewPieces).map((parts) => parts.join(''));

const blocks =
  'div section article header footer main aside address figure figcaption dl dt dd center details summary nav h1 h2 h3 h4 h5 h6 p ' +
  'blockquote ul ol li menu pre listing';
const inlines = 'b i em u s strong code sub sup span font a x-y';
const table = (cell: string): string => `<table><caption>um</caption><tr><th>${cell}</th><td>dois</td></tr></table>`;
const inside = (name: string, html: string): string => (name === 'table' ? table(html) : `<${name}>${html}</${name}>`);
const names = `${blocks} table ${blocks} ${inlines}`.split(' ');

const nodes = (depth: number): fc.Arbitrary<string> => {
  const word = fc.constantFrom('um', 'dois', 'R&amp;D', 'é😀', ' três ', ' ', '&nbsp;x', '<br>', '<hr>');
  if (depth === 0) return word;
  const parts = fc.array(nodes(depth - 1), { maxLength: 4 }).map((some) => some.join(''));
  const element = fc.tuple(fc.constantFrom(...names), parts).map(([name, html]) => inside(name, html));
  return fc.oneof(word, { weight: 2, arbitrary: element });
};

/** Nested blocks and inline elements, even where not allowed; every one is closed. */
export const nestedHtml = fc.array(nodes(6), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
