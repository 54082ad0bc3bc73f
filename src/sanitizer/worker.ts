import type { HtmlSize } from './html-limits.ts';
import { purify } from './purify.ts';

const section = `<h2>Engenheiro de software</h2><p>Procuramos <strong>talento</strong> &amp; <em>vontade</em>; ver
<a href="https://example.pt/vagas?id=1&amp;ref=2" class="link">a página</a>.</p><ul><li>um</li><li>dois <b>três</b><li>quatro</ul>
<div><span style="color: red">texto</span></div><table><tr><td>a</td><td>b</td></tr></table>`;
const warmUpRounds = 20;

// Warms up the JIT before the pool sends the first body.
for (let round = 0; round < warmUpRounds; round += 1) purify(section.repeat(8));

export interface Task {
  readonly html: string;
  readonly limits?: HtmlSize;
}

export default ({ html, limits }: Task) => purify(html, limits);
