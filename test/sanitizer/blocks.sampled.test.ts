import { expect } from 'chai';
import fc from 'fast-check';
import { purify } from '../../src/sanitizer/purify.ts';
import { draws } from '../helper/draws.ts';
import { nestedHtml } from './html-arbitraries.ts';
import { pastedBodies } from './pasted-bodies.ts';
import { linesIn } from './what-is-read.ts';

const clean = (html: string): string => {
  const purified = purify(html);
  if (purified.kind !== 'clean') expect.fail(purified.kind);
  return purified.html;
};

const paragraphs =
  'address article aside center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup main nav search section summary';
const others = { h1: 'h2', h5: 'h4', h6: 'h4', menu: 'ul', dir: 'ul', listing: 'pre', xmp: 'pre' };
const tableOf = (...cells: string[]): string =>
  `<table><tbody>${cells.map((cell) => `<tr><td>${cell}</td></tr>`).join('')}</tbody></table>`;

/** HTML and its stored form. */
const rows: readonly (readonly [why: string, ...sentAndStored: (readonly [sent: string, stored: string])[]])[] = [
  [
    'become the nearest kept one',
    ['<div>Linha 1</div><h1>Perfil</h1>Texto', '<p>Linha 1</p><h2>Perfil</h2>Texto'],
    ...paragraphs.split(' ').map((name) => [`a<${name}>b</${name}>c`, 'a<p>b</p>c'] as const),
    ...Object.entries(others).map(([name, kept]) => [`a<${name}>b</${name}>c`, `a<${kept}>b</${kept}>c`] as const),
  ],
  [
    'give no empty paragraphs and no paragraph in a paragraph',
    ['<div><section><div> a <b></b></div><div><b> <i></i></b></div></section></div>\n', ' <p>a <b></b></p> \n'],
    ['<div>a<div>b</div>c</div>', '<p>a</p><p>b</p><p>c</p>'],
    ['<p>a<div>b</div>c', '<p>a</p><p>b</p>c'],
    ['<div>a<p>b</p><ul><li>c</li></ul><hr>d</div>', '<p>a</p><p>b</p><ul><li>c</li></ul><hr><p>d</p>'],
    ['<dl><dt>a<dd>b<dt>c<dd>d<ul><li>e</ul></dl>f', '<p>a</p><p>b</p><p>c</p><p>d</p><ul><li>e</li></ul>f'],
  ],
  [
    'have their inline elements inside, and end what is open inside them',
    ['<div><b>a</b> <i>b</i></div>', '<p><b>a</b> <i>b</i></p>'],
    ['<div><b><div>a</div><h1>b</h1></b>c</div>', '<p><b>a</b></p><h2><b>b</b></h2><p>c</p>'],
    ['<div><sub>a</sub>b</div>', '<p><sub>a</sub>b</p>'],
    ['<div><ul><li>a<li>b</div><div>c</div>', '<ul><li>a</li><li>b</li></ul><p>c</p>'],
    ['<div><video>a</div>b</video>c', 'bc'],
    ['<div><b>a</div>b</b>c', '<p><b>a</b></p><b>b</b>c'],
    ['<div><b>a</div></i>b</b>c', '<p><b>a</b></p><b>b</b>c'],
    ['<div><b><b>a</div>b', '<p><b><b>a</b></b></p><b>b</b>'],
    ['<i><div><i><i>a<hr></i></i>b</div>c</i>', '<i><p><i><i>a</i></i></p><hr><p>b</p>c</i>'],
    ['<b><div><b><b>a<p>b</b></b>c</p></div>d</b>', '<b><p><b><b>a</b></b></p><p><b>b</b>c</p>d</b>'],
    [
      '<div><b><a href="tel:1">a</div><a href="tel:2">b</a>',
      '<p><b><a href="tel:1">a</a></b></p><b><a href="tel:2">b</a></b>',
    ],
  ],
  [
    'keep their line breaks, and are line breaks where no paragraph can be',
    ['<div>a<br>b</div><div><br></div><div>c<br></div>', '<p>a<br>b</p><p><br></p><p>c<br></p>'],
    ['<div>a</div><br><div>b</div>', '<p>a</p><br><p>b</p>'],
    ['<h1><div>a</div><div>b</div></h1>', '<h2>a<br>b</h2>'],
    ['<pre><div>a</div><div>b</div></pre>', '<pre>a<br>b</pre>'],
    ['<pre>\n\n a\nb</pre><p>a&#13;b</p>', '<pre> a\nb</pre><p>a\nb</p>'],
    ['<pre><code style="white-space:pre">a:\n  b\n\n  c</code></pre>', '<pre><code>a:\n  b\n\n  c</code></pre>'],
    ['<pre><span style="white-space:pre-wrap">a:\n  b</span><i>\n c</i></pre>', '<pre>a:\n  b<i>\n c</i></pre>'],
    ['a<div></div>b<div> </div>', 'a<br>b '],
    ['<p>a<select><option>b</option><option>c</select>d', '<p>a<br>b<br>c<br>d</p>'],
  ],
  [
    'between table cells change nothing',
    [`<table><form><tr><div><td>a</td></div></tr></form></table>`, tableOf('a')],
    ['<table><caption>a</caption><tr><td>b</table>', tableOf('a', 'b')],
    ['<div>a<table><tr><td><div>b</div></table></div>', `<p>a</p>${tableOf('<p>b</p>')}`],
    ['<div><a href="tel:1"><table><td>a</table></a></div>', `<a href="tel:1">${tableOf('a')}</a>`],
    ['<div><sub><table><td>a</table>b</sub>c</div>d', `<sub>${tableOf('a')}b</sub>c<br>d`],
    ['<div><sub><table><td>a</table>b</sub> <i>c</i><p>d</div>', `<sub>${tableOf('a')}b</sub> <i>c</i><p>d</p>`],
  ],
];

const headingInHeading = /<h\d>(?:(?!<\/h\d>).)*<h\d>/;
const itemInItem = /<li>(?:(?!<\/li>|<[uo]l>).)*<li>/;
const descriptions = /<d[dt]>/;

/** Leaves out the lists that end within an item, innermost first: an item behind them is still in that item. */
function withoutEndedLists(html: string): string {
  const left = html.replaceAll(/<([uo]l)>(?:(?!<[uo]l>).)*?<\/\1>/g, '');
  return left === html ? html : withoutEndedLists(left);
}

/** Whether every line lies within one of the others. */
function refines(lines: readonly string[], others: readonly string[]): boolean {
  const left = [...lines];
  return others
    .map((other) => other.replaceAll(/\s/g, ''))
    .every((other) => {
      let joined = '';
      while (joined.length < other.length && left.length > 0) joined += left.shift()?.replaceAll(/\s/g, '');
      return joined === other;
    });
}

describe('blocks that are not kept', () => {
  for (const [why, ...pairs] of rows)
    it(why, () => {
      for (const [sent, stored] of pairs) expect(clean(sent), sent).to.equal(stored);
    });

  it('separate words where a browser does, and join them where it does', () => {
    fc.assert(
      fc.property(nestedHtml, (html) => {
        const cleaned = clean(html);
        // Nested, these end early in a browser, which then ignores end tags and joins some words.
        const isSame =
          ![headingInHeading, descriptions].some((nested) => nested.test(html)) &&
          !itemInItem.test(withoutEndedLists(html));
        if (isSame) expect(linesIn(cleaned), cleaned).to.deep.equal(linesIn(html));
        else expect(refines(linesIn(cleaned), linesIn(html)), cleaned).to.equal(true);
        if (!html.includes('<p>')) expect(cleaned).to.not.include('<p></p>');
        expect(clean(cleaned)).to.equal(cleaned);
      }),
      { numRuns: draws(50, 1500) },
    );
  });

  it('become line breaks past the maximum depth', () => {
    const deep = clean(`${'<blockquote>'.repeat(40)}a<ul><li>b</ul>`);
    expect(deep).to.match(/a<br>b</);
    expect(deep.match(/<blockquote>/g)).to.have.length(32);
    const cells = `${'<blockquote>'.repeat(32)}<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>d`;
    expect(linesIn(clean(cells))).to.deep.equal(['a', 'b', 'c', 'd']);
    // The parts of a table do not count.
    expect(clean(`${'<blockquote>'.repeat(31)}<table><td>a</table>`)).to.include(tableOf('a'));
  });
});

it('forbidden links leave their text and no empty element', () => {
  for (const href of [' href="javascript:alert(1)"', ' href="//x.pt"', ' name="_Toc1"', '']) {
    const stored = clean(`<p>a<a${href}>b</a>c</p><a href="tel:1">d<a${href}>e</a>f</a>`);
    expect(stored, href).to.equal('<p>abc</p><a href="tel:1">d</a>ef');
  }
});

it('pasted HTML keeps its structure', () => {
  for (const [name, { pasted, stored }] of Object.entries(pastedBodies)) {
    expect(clean(pasted), name).to.equal(stored);
    expect(clean(stored), name).to.equal(stored);
  }
});
