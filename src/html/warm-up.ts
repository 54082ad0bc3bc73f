const section = `<h2>Engenheiro de software</h2><p>Procuramos <strong>talento</strong> &amp; <em>vontade</em>; ver
<a href="https://example.pt/vagas?id=1&amp;ref=2" class="link" target="_blank">a página</a>.</p>
<ul><li>um</li><li>dois <b>três</b><li>quatro</ul><div><span style="color: red">texto</span></div>
<table><tr><td>a</td><td>b</td></tr></table>`;

/** Rich text of about 10,000 characters that takes the ways that most bodies take. */
export const warmUpBody = section.repeat(25);
