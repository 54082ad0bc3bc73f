import { expect } from 'chai';
import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { allowedTags } from '../../src/sanitizer/html-rules.ts';
import { purify } from '../../src/sanitizer/purify.ts';
import { draws, sample } from '../helper/draws.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { brokenHtml, nestedHtml } from './html-arbitraries.ts';

const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver <a href="https://x.pt/">site</a>.</p>' +
  '<ul><li>um</li><li>dois <b>três</b></li></ul>';
const row = '<tr><td>Lisboa</td><td>segunda a sexta</td><td>9h às 18h, com pausa</td></tr>';

/** Well-formed bodies of only allowed elements, 10,000 to 30,000 characters long. */
const wellFormedBodies: Record<string, string> = {
  'rich text': section.repeat(150),
  'a table of 300 rows': `<table><thead><tr><th>a</th></tr></thead><tbody>${row.repeat(300)}</tbody></table>`,
  'a list of 800 items': `<ul>${'<li>experiência em vendas</li>'.repeat(800)}</ul>`,
};

/** Bodies as people write and paste them, of the same length. */
const sloppyBodies: Record<string, string> = {
  'a table of 300 rows that closes nothing': `<table>${'<tr><td>Lisboa<td>segunda a sexta<td>9h'.repeat(300)}</table>`,
  'a list that closes nothing': `<ul>${'<li>experiência em vendas\n'.repeat(800)}</ul>`,
  'paragraphs that close nothing': '<p>Um parágrafo de uma frase.\n'.repeat(800),
  'pasted from a word processor': `<style>p{margin:0}</style>${'<p class=MsoNormal><b><span lang=PT style="font-size:11pt">x<o:p></o:p></span></b></p>'.repeat(300)}`,
  'crossed bold and italics': '<p><b>um <i>dois</b> três</i></p>'.repeat(500),
};

const links = ['https', 'http', 'mailto', 'tel'].map((scheme) => ['a', scheme]);
const numbered = /^(?:ol start -?\d{1,4}|t[dh] (?:col|row)span \d{1,2})$/;

describe('purify', () => {
  const { document } = new JSDOM('', { runScripts: 'outside-only' }).window;

  function expectAllowed(html: string): void {
    const container = document.createElement('div');
    container.innerHTML = html;
    for (const element of container.querySelectorAll('*')) {
      expect(allowedTags).to.include(element.localName);
      expect(element.namespaceURI).to.equal('http://www.w3.org/1999/xhtml');
      for (const { name, value } of element.attributes) {
        if (name !== 'href') expect(`${element.localName} ${name} ${value}`).to.match(numbered);
        else expect([element.localName, value.split(':')[0]?.toLowerCase()]).to.deep.oneOf(links);
      }
    }
  }

  /** Expects allowed elements only, and no change in a second pass. */
  function expectClean(html: string): void {
    const once = purify(html);
    if (once.kind !== 'clean') expect.fail(once.kind);
    expectAllowed(once.html);
    expect(purify(once.html)).to.deep.equal(once);
  }

  it('leaves only allowed elements and links in any HTML, as DOMPurify confirms; a second pass changes nothing', () => {
    const any = fc.oneof({ weight: 3, arbitrary: brokenHtml }, fc.tuple(nestedHtml, brokenHtml).map(String));
    fc.assert(fc.property(any, expectClean), { numRuns: draws(100, 3500) });
  });

  it('accepts what people paste, and leaves well-formed HTML unchanged', () => {
    for (const html of Object.values(wellFormedBodies)) expect(purify(html)).to.deep.equal({ kind: 'clean', html });
    for (const html of Object.values(sloppyBodies)) expectClean(html);
    for (const html of Object.values({ ...wellFormedBodies, ...sloppyBodies }))
      expect(html).to.have.length.within(10_000, 30_000);
  });

  for (const [name, html] of sample(Object.entries(hostileBodies), 12))
    it(`${name}: clean and stable, or refused`, () => {
      const { kind } = purify(html);
      expect(kind).to.be.oneOf(['clean', 'complex', 'long']);
      if (kind === 'clean') expectClean(html);
    });
});
