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

/** HTML as nobody writes it, from the pieces that parsers were seen to stumble over. */
export const brokenHtml = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 4 })), { maxLength: 24 })
  .map((parts) => parts.join(''));
