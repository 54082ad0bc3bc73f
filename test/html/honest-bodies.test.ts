import { expect } from 'chai';
import { openSanitizer, type Sanitizer } from '../../src/html/sanitizer.ts';

const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver <a href="https://x.pt/">site</a>.</p>' +
  '<ul><li>um</li><li>dois <b>três</b></li></ul>';
const row = '<tr><td>Lisboa</td><td>segunda a sexta</td><td>9h às 18h, com pausa</td></tr>';

const honestBodies: Record<string, string> = {
  'rich text': section.repeat(150),
  'a table of 300 rows': `<table><thead><tr><th>a</th></tr></thead><tbody>${row.repeat(300)}</tbody></table>`,
  'a table of 300 rows that closes nothing': `<table>${'<tr><td>Lisboa<td>segunda a sexta<td>9h'.repeat(300)}</table>`,
  'a list of 800 items': `<ul>${'<li>experiência em vendas</li>'.repeat(800)}</ul>`,
  'a list that closes nothing': `<ul>${'<li>experiência em vendas\n'.repeat(800)}</ul>`,
  'paragraphs that close nothing': '<p>Um parágrafo de uma frase.\n'.repeat(800),
  'pasted from a word processor': `<style>p{margin:0}</style>${'<p class=MsoNormal><b><span lang=PT style="font-size:11pt">x<o:p></o:p></span></b></p>'.repeat(300)}`,
  'crossed bold and italics': '<p><b>um <i>dois</b> três</i></p>'.repeat(500),
};

describe('honest bodies of up to 30,000 characters', function () {
  this.timeout(60_000);
  let sanitizer: Sanitizer;

  before(async () => {
    // What is shown is that nothing is refused, not how fast the machine is.
    sanitizer = openSanitizer({ deadlineMs: 20_000, answerMs: 20_000, budgetMs: 60_000 });
    await sanitizer.warm();
  });
  after(() => sanitizer.close());

  for (const [name, html] of Object.entries(honestBodies)) {
    it(`passes ${name}, and again as it was`, async () => {
      expect(html).to.have.length.within(10_000, 30_000);
      const once = await sanitizer.sanitize(1n, html);
      expect(await sanitizer.sanitize(1n, once)).to.equal(once);
    });
  }
});
