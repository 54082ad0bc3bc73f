import fc from 'fast-check';

const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver <a href="https://x.pt/">site</a>.</p>' +
  '<ul><li>um</li><li>dois <b>três</b></li></ul>';
const row = '<tr><td>Lisboa</td><td>segunda a sexta</td><td>9h às 18h, com pausa</td></tr>';

/** Well-formed, of allowed elements only, 10,000 to 30,000 characters. */
export const wellFormedBodies: Record<string, string> = {
  'rich text': section.repeat(150),
  'a table of 300 rows': `<table><thead><tr><th>a</th></tr></thead><tbody>${row.repeat(300)}</tbody></table>`,
  'a list of 800 items': `<ul>${'<li>experiência em vendas</li>'.repeat(800)}</ul>`,
};

/** As people write and paste it, of the same length. */
export const sloppyBodies: Record<string, string> = {
  'a table of 300 rows that closes nothing': `<table>${'<tr><td>Lisboa<td>segunda a sexta<td>9h'.repeat(300)}</table>`,
  'a list that closes nothing': `<ul>${'<li>experiência em vendas\n'.repeat(800)}</ul>`,
  'paragraphs that close nothing': '<p>Um parágrafo de uma frase.\n'.repeat(800),
  'pasted from a word processor': `<style>p{margin:0}</style>${'<p class=MsoNormal><b><span lang=PT style="font-size:11pt">x<o:p></o:p></span></b></p>'.repeat(300)}`,
  'crossed bold and italics': '<p><b>um <i>dois</b> três</i></p>'.repeat(500),
};

const element = (content: fc.Arbitrary<string>, ...names: string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names), content).map(([name, inside]) => `<${name}>${inside}</${name}>`);
const many = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));

/** Well-formed rich text as the sanitizer writes it. */
export const { html: richText } = fc.letrec<Record<'inline' | 'item' | 'row' | 'block' | 'html', string>>((tie) => ({
  inline: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('um', ' dois ', 'R&amp;D', '5 &gt; 3', 'é😀', '&nbsp;', '\n', '<br>') },
    element(many(tie('inline')), 'b', 'strong', 'i', 'em', 'u', 's', 'code', 'sub', 'sup'),
    fc.constant('<a href="https://x.pt/?a=1&amp;b=2">ver</a>'),
  ),
  item: element(fc.oneof(many(tie('inline')), tie('block')), 'li'),
  row: element(many(element(fc.oneof(many(tie('inline')), tie('block')), 'td', 'th')), 'tr'),
  block: fc.oneof(
    { weight: 3, arbitrary: element(many(tie('inline')), 'p', 'h2', 'h3', 'h4') },
    element(many(tie('item')), 'ul', 'ol'),
    element(many(tie('block')), 'blockquote'),
    element(element(many(tie('row')), 'thead', 'tbody'), 'table'),
    fc.constantFrom('<hr>', '<pre><code>x\n\ny</code></pre>', '<p></p>'),
  ),
  html: many(tie('block')),
}));
