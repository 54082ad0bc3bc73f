import { expect } from 'chai';
import { normalize } from '../../src/sanitizer/normalize.ts';

const normal = (html: string): string => {
  const normalized = normalize(html);
  if (normalized.kind !== 'normal') expect.fail(normalized.kind);
  return normalized.html;
};

/** The most elements that are open at once. */
function depthOf(html: string): number {
  let open = 0;
  let most = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)(\w+)/g)) {
    if (['br', 'hr'].includes(name)) continue;
    open += slash ? -1 : 1;
    most = Math.max(most, open);
  }
  expect(open).to.equal(0);
  return most;
}

describe('normalize', () => {
  it('closes misnested elements in order, and reopens formatting', () => {
    expect(normal('<p><b>um <i>dois</b> três</i></p>')).to.equal('<p><b>um <i>dois</i></b><i> três</i></p>');
    expect(normal('<p><b>um<p>dois</b> três')).to.equal('<p><b>um</b></p><p><b>dois</b> três</p>');
    expect(normal('<b>um<p>dois</b>três')).to.equal('<b>um<p>dois</p></b>três');
    expect(normal('<h2>um</h3>dois')).to.equal('<h2>um</h2>dois');
    expect(normal('<a href="tel:1">um<a href="tel:2">dois')).to.equal('<a href="tel:1">um</a><a href="tel:2">dois</a>');
  });

  it('adds end tags and rows that HTML allows to omit', () => {
    expect(normal('<ul><li>um<ul><li>dois</ul><li>três</ul>')).to.equal(
      '<ul><li>um<ul><li>dois</li></ul></li><li>três</li></ul>',
    );
    expect(normal('<table><td>um<tr><th>dois</table>')).to.equal(
      '<table><tbody><tr><td>um</td></tr><tr><th>dois</th></tr></tbody></table>',
    );
    expect(normal('<p>um<div>dois</div>três')).to.equal('<p>um</p><p>dois</p>três');
  });

  it('keeps text between table cells in place, in a cell', () => {
    expect(normal('<table>um<tr><td>dois</td>três</tr></table>')).to.equal(
      '<table><tbody><tr><td>um</td></tr><tr><td>dois</td><td>três</td></tr></tbody></table>',
    );
  });

  it('keeps blank elements, and the text of elements that are too deep', () => {
    expect(normal('a<p></p>b</p>c')).to.equal('a<p></p>b<br>c');
    const deep = normal(`${'<blockquote>'.repeat(200)}um${'</blockquote>'.repeat(200)}dois`);
    expect(deep.replaceAll(/<[^>]*>/g, '')).to.equal('umdois');
    expect(depthOf(deep)).to.equal(32);
  });

  it('ends a removed element where its parent ends', () => {
    expect(normal('<p><video>um</p>dois')).to.equal('<p></p>dois');
    expect(normal('<svg><path d="x">um<p>dois')).to.equal('<p>dois</p>');
    expect(normal('<svg/>um<svg><title/><foreignObject><p>dois</p></foreignObject></svg>três')).to.equal('umtrês');
  });

  it('ignores end tags that a parser ignores', () => {
    const disguises = [
      '<!--</b>-->',
      '<i title="</b>">',
      "<i a='</b>'></i>",
      '<style></b></style>',
      '<?</b>',
      '<i =">"</b>">',
    ];
    for (const disguise of [...disguises, '<title></b></title>', '<i title=</b>', '<svg><![CDATA[></b>]]></svg>'])
      expect(depthOf(normal(`<b>${disguise}`.repeat(101))), disguise).to.equal(32);
    for (const tag of ['<B>', '<b/>', '<b\n>', '<b/x>']) expect(depthOf(normal(tag.repeat(101))), tag).to.equal(32);
  });

  it('counts elements, including those that it adds', () => {
    expect(normalize('<br>'.repeat(2500)).kind).to.equal('normal');
    expect(normalize('<br>'.repeat(2501)).kind).to.equal('complex');
    expect(normalize(`<table>${'<tr>x'.repeat(1250)}`).kind).to.equal('complex');
    expect(normalize('<span>x</span>'.repeat(2501)).kind).to.equal('normal');
  });
});
