import { allowedTags } from '../../src/sanitizer/html-rules.ts';

const length = 30_000;
const fill = (unit: string, head = ''): string => head + unit.repeat(Math.floor((length - head.length) / unit.length));
const bolds = (count: number): string => Array.from({ length: count }, (_, i) => `<b id=${i}>`).join('');
const block = `${bolds(60)}<div>x${'</b>'.repeat(60)}</div>`;
const named = (title: string, body: (name: string) => string): [string, string][] =>
  allowedTags.map((name) => [`${title} ${name}`, body(name)]);

/** As many elements as a body may have, each with its text. */
const greatest = (name: string): string =>
  `<${name}>x</${name}>`.repeat(Math.min(2400, length / (2 * name.length + 6)));

/**
 * Bodies of 30,000 characters. Most would stall an unprotected parser for seconds or minutes; the others are the most expensive valid ones.
 */
export const hostileBodies: Record<string, string> = {
  'adoption agency': fill('<div></b>', bolds(61)),
  'adoption agency, balanced': fill(block),
  'adoption agency, hundred times': `${bolds(61)}${'<div></b>'.repeat(35)}`,
  'adoption agency through p': fill('<p>x</b><b>', bolds(61)),
  'anchors in tables': fill('<a><table><a>'),
  'formatting behind markers': fill('<b><object></b></object>'),
  'nested b behind attributes': fill('<b title="</b>">'),
  'nested b behind comments': fill('<b><!--</b>-->'),
  'nested tables': fill('<table><tr><td>'),
  'nested svg': fill('<svg><g>'),
  'nested svg behind CDATA': fill('<g><![CDATA[></g>]]>', '<svg>'),
  'nested svg and HTML': fill('<svg><foreignObject><b>'),
  'nested math and HTML': fill('<math><mtext><table><mglyph><style><!--</style>'),
  'nested div': fill('<div>'),
  'nested lists': fill('<ul><li>'),
  'nested div, balanced': '<div>'.repeat(2727) + '</div>'.repeat(2727),
  'nested sub, balanced': '<sub>'.repeat(2727) + '</sub>'.repeat(2727),
  'nested template': fill('<template><b>'),
  'nested video': fill('<video><p>'),
  'reopened formatting': fill('<p>x', '<p><b id=1><i><u><s><em><code><strong><a href="https://x.pt">'),
  'reopened long link': fill('<p>x', `<a href="https://x.pt/${'a'.repeat(15_000)}">`),
  'misnested formatting': fill('<b><i><u><s><em>x</b></i></u></s></em>'),
  'misnested blocks': fill('<b>x<p>y</b>z</p>'),
  'a wide table': fill('<td>x', '<table><tr>'),
  'a tall table': fill('<tr><td>x', '<table>'),
  'text between rows': fill('x<tr>', '<table>'),
  'empty tables': fill('<table></table>'),
  'lines without end': fill('<br>x'),
  'blank lines': fill('<br>'),
  'lines in deep elements': '<sub>'.repeat(40) + 'x<br>'.repeat(2400),
  'attributes without end': fill('a ', '<p '),
  'different attributes': `<p ${Array.from({ length: 4500 }, (_, i) => `a${i}`).join(' ')}>x`,
  'a huge attribute': `<p title="${'a'.repeat(29_000)}">x`,
  'a huge link': `<a href="https://x.pt/${'a'.repeat(29_000)}">x`,
  'a huge host': `<a href="https://${'é'.repeat(14_000)}">x`,
  links: fill('<a href="https://x.pt">x</a>'),
  'short links': fill('<a href=tel:1>x'),
  'refused links': fill('<a href=javascript:x>x</a>'),
  'unclosed quotes': fill('<p a="'),
  'unclosed comments': fill('<!--'),
  'unclosed CDATA': fill('<![CDATA['),
  'unclosed script': fill('<script><!--<script>'),
  'end tags without start': fill('</p></b></td></table>'),
  'names of properties': fill('<constructor>x<__proto__>'),
  NULs: fill('<p>\0</p>'),
  'carriage returns': fill('<p>\r'),
  entities: fill('&CounterClockwiseContourIntegral'),
  'numeric entities': fill('&#x41;'),
  ampersands: fill('&'),
  'less-than signs': fill('<'),
  'tags that never end': fill('<b a=" <!--'),
  'quotes that never end': fill('<b a="" ', '<p a="'),
  'comments that never end': fill('<!--x', '<p>'),
  'escaped tags': fill('&lt;p&gt;x'),
  'tags of names that look real': fill('<annotationx<feblendx<a-'),
  'unended xmp': fill('<xmp '),
  'declarations without end': fill('<!doctype<?x<![if'),
  'lines of text': fill('x\n'),
  'blank lines of text': fill('\n \n', 'x'),
  'white space without end': `x\n${' '.repeat(29_000)}x\n${' '.repeat(900)}`,
  'no-break spaces of text': fill('\n&nbsp; ', 'x'),
  'hidden elements': fill('<p hidden>x<b style="display:none">'),
  'displays without end': `<p style="${'display:none;'.repeat(2300)}display:">x`,
  'feet of tables': fill('<table><tfoot><tr><td>x'),
  'feet of one table': fill('<tfoot><tr><td>x', '<table>'),
  'wide cells': fill('<td colspan=50 rowspan=50>x', '<table><tr>'),
  'lists with starts': fill('<ol start=-9999><li>x'),
  ...Object.fromEntries(named('nested', (name) => fill(`<${name}>`))),
  ...Object.fromEntries(named('runs of', (name) => fill(`<${name}>x`))),
  ...Object.fromEntries(named('2,400', greatest)),
};
