const length = 30_000;
const fill = (unit: string, head = ''): string => head + unit.repeat(Math.floor((length - head.length) / unit.length));
const bolds = (count: number): string => Array.from({ length: count }, (_, i) => `<b id=${i}>`).join('');
const block = `${bolds(60)}<div>x${'</b>'.repeat(60)}</div>`;

/** Bodies of 30,000 characters that stall a parser for seconds or minutes when nothing stops it. */
export const hostileBodies: Record<string, string> = {
  'adoption agency': fill('<div></b>', bolds(61)),
  'adoption agency, balanced': fill(block),
  'adoption agency, hundred times': `${bolds(61)}${'<div></b>'.repeat(35)}`,
  'adoption agency through p': fill('<p>x</b><b>', bolds(61)),
  'anchors in tables': fill('<a><table><a>'),
  'formatting behind markers': fill('<b><object></b></object>'),
  'nested b': fill('<b>'),
  'nested b behind attributes': fill('<b title="</b>">'),
  'nested b behind comments': fill('<b><!--</b>-->'),
  'nested tables': fill('<table><tr><td>'),
  'nested svg': fill('<svg><g>'),
  'nested svg behind CDATA': fill('<g><![CDATA[></g>]]>', '<svg>'),
  'nested div': fill('<div>'),
  'nested lists': fill('<ul><li>'),
  'nested div, balanced': '<div>'.repeat(2727) + '</div>'.repeat(2727),
  'reopened formatting': fill('<p>x', '<p><b id=1><i><u><s><em><code><strong><a href="https://x.pt">'),
  'attributes without end': fill('a ', '<p '),
  'unclosed quotes': fill('<p a="'),
  'unclosed comments': fill('<!--'),
  ampersands: fill('&'),
  'less-than signs': fill('<'),
};
