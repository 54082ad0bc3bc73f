import { expect } from 'chai';
import { isKeptAs } from '../../src/client/kept-html.ts';
import { normalize } from '../../src/sanitizer/normalize.ts';
import { pastedBodies } from '../sanitizer/pasted-bodies.ts';
import { sentBodies } from '../sanitizer/sent-bodies.ts';
import { linesIn } from '../sanitizer/what-is-read.ts';

const storedOf = (sent: string): string => {
  const normalized = normalize(sent);
  return normalized.kind === 'normal' ? normalized.html : '';
};

/** Everything of a body that a reader sees: its lines, and the tags around them in order, without paragraphs. */
const seenIn = (html: string): string =>
  JSON.stringify([linesIn(html), html.match(/<(?!\/?p>)[^>]*>/g)?.filter((tag) => tag !== '<br>')]);

/** Bodies as careers sites and tracking systems send them. */
const ordinary = [
  'Procuramos eletricista.',
  'Procuramos soldador.\n\nRequisitos:\n- Carta B\n- Inglês',
  '<p>Procuramos <strong>eletricista</strong> para obras.</p>\n<ul>\n  <li>Carta B</li>\n  <li>Ingl&ecirc;s</li>\n</ul>',
  '<h1>Eletricista</h1><div class="x"><div style="color: red">Obras&nbsp;em <span>Lisboa</span></div></div>',
  '<p>R&D &amp; produção, 1200 &euro;, "sim" &mdash; d&#8217;ouro</p><h5>Local</h5><p>Porto<br />Gaia</p>',
  '<section><h3>Sobre</h3><p>Um <a class="b" target="_blank" href="https://a.pt/?a=1&amp;b=2">link</a></p></section>',
  '<!-- 17 --><p dir="ltr"><span style="font-weight: 700">Um</span></p><o:p></o:p><ol start="3"><li><p>a</p></li></ol>',
  '<table><tbody><tr><td colspan="2">Um</td><td>Dois</td></tr></tbody></table>',
];
/** Each with one change that a reader sees. */
const edited = (html: string): string[] =>
  [...html.matchAll(/\p{L}{3,}|\d/gu)].map(
    ({ 0: word, index }) => `${html.slice(0, index)}${word}s${html.slice(index + word.length)}`,
  );

describe('typed client: whether the service keeps a body as it was sent', () => {
  it('is known of ordinary bodies', () => {
    for (const sent of ordinary) expect(isKeptAs(sent, storedOf(sent)), `${sent} ${storedOf(sent)}`).to.equal(true);
  });

  it('is never said of a body that readers would see otherwise', () => {
    const pasted = Object.values(pastedBodies).map((one) => one.pasted);
    const sent = [...ordinary, ...pasted, ...sentBodies.map(([body]) => body)];
    const bodies = [...sent, ...ordinary.flatMap(edited)];
    const stored = sent.map(storedOf).filter((html) => html !== '');
    for (const kept of stored)
      for (const body of bodies)
        if (isKeptAs(body, kept)) expect(seenIn(storedOf(body)), `${body}\n${kept}`).to.equal(seenIn(kept));
  });

  it('takes as long as the body, whatever it holds', () => {
    for (const part of ['<!--', '<a href="', '&', ' ', '\n ', '<', '<b ', '</', ' start=', '&#'])
      expect(isKeptAs(part.repeat(30_000), 'x')).to.equal(false);
  });
});
