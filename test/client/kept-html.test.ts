import { expect } from 'chai';
import fc from 'fast-check';
import { isKeptAs } from '../../src/client/kept-html.ts';
import { normalize } from '../../src/sanitizer/normalize.ts';
import { draws } from '../helper/draws.ts';
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
  `<p>Um <a href="https://a.pt/d'or-1">link</a> e <a href=https://b.pt/2>outro</a></p>`,
  '<!-- 17 --><p dir="ltr"><span style="font-weight: 700">Um</span></p><o:p></o:p><ol start="3"><li><p>a</p></li></ol>',
  '<table><tbody><tr><td colspan="2">Um</td><td>Dois</td></tr></tbody></table>',
];
/** Each with one change that a reader sees. */
const edited = (html: string): string[] =>
  [...html.matchAll(/\p{L}{3,}|\d/gu)].map(
    ({ 0: word, index }) => `${html.slice(0, index)}${word}s${html.slice(index + word.length)}`,
  );

const wordsAndLinksIn = (html: string): string =>
  JSON.stringify([linesIn(html).join('').replaceAll(/\s/g, ''), html.match(/href="[^"]*"/g)]);

const texts = [
  'um', 'dois', 'três', ' ', '\n\n', '\r', '\f', '\u2028', '&', '<', '>', '"', "'", '&copy', '&copy;', '©', '&lt;', '&#8217', '&#8217;', '&#150;', '–',
  '&hearts;', '&notit;', '&nbsp', '&nbsp;', '&shy;', '&apos', '&AMP;', '&lt;b&gt;', '<!--', '-->', '--!>', '<!-->', '<![if x]>', '<!um>', '<?x ?>', '</ um>',
  '<p>', '</p>', '<b>', '</b>', '<b', '</a>', '<ul><li>', '<li>', '</ul>', '<br>', '</br>', '<hr>', '<h1>', '</h1>', '<table><td>', '<tfoot>', '</table>',
  '<div>', '</div>', '<style>', '</style>', '<pre>', '<dd>', '<x>', '<o:p>', '<https://x.pt>', '<rh@x.pt>', '<caption>', '<title>', '<annotation-xml>',
  '<img>',
]; // biome-ignore format: a table
const names = ['href', 'href', 'HREF', 'data-href', 'title', 'start', 'data-start', 'colspan', 'hidden'];
const addresses = [
  'https://x.pt/1', 'https://x.pt/2', "https://x.pt/d'or", "https://x.pt/d'ar", 'https://x.pt/?a=1&copy=2', 'https://x.pt/?a=1&amp;copy=2',
  'https://x.pt/&copy', 'HTTPS://x.pt/1', ' tel:1 ', 'tel:2', 'tel:1"', 'tel:a>b', '/vaga', '2', '03', 'a', 'a>b', '<b>', '',
]; // biome-ignore format: a table
const attributes = fc
  .tuple(
    ...[[' ', '\n', '/', ''], names, ['=', ' = '], ['"', "'", '']].map((some) => fc.constantFrom(...some)),
    fc.constantFrom(...addresses),
  )
  .map(([gap, name, is, quote, address]) => `${gap}${name}${is}${quote}${address}${quote}`);
const tags = fc
  .tuple(fc.constantFrom('a', 'a', 'ol', 'td', 'b', 'p'), fc.array(attributes, { maxLength: 3 }))
  .map(([name, some]) => `<${name}${some.join('')}>`);
const links = attributes.map((own) => `<a${own}>x</a>`);
const parts = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...texts) },
  { weight: 3, arbitrary: fc.oneof(tags, links) },
);
/** A body, and one with a change in one place. */
const twoBodies = fc
  .tuple(fc.array(parts, { maxLength: 6 }), fc.nat(6), fc.nat(1), parts)
  .map(([all, at, left, added]) => [all.join(''), all.toSpliced(at, left, added).join('')] as const);

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

  it('is true only for the same words and links, and false only for others', () => {
    fc.assert(
      fc.property(twoBodies, ([one, other]) => {
        fc.pre([one, other].every((body) => normalize(body).kind === 'normal'));
        expect(isKeptAs(one, storedOf(one)), storedOf(one)).to.not.equal(false);
        if (isKeptAs(one, storedOf(other)))
          expect(wordsAndLinksIn(storedOf(one))).to.equal(wordsAndLinksIn(storedOf(other)));
      }),
      { numRuns: draws(2000, 50_000) },
    );
  });

  it('is false for a link that was added, if the service is sure to keep it', () => {
    expect(isKeptAs('<p>a <a href="https://x.pt/y">b</a></p>', '<p>a b</p>')).to.equal(false);
    expect(isKeptAs('<p>a <a href="/y">b</a></p>', '<p>a b</p>')).to.not.equal(false);
  });

  it('takes as long as the body, whatever it holds', () => {
    for (const part of ['<!--', '<a href="', '&', ' ', '\n ', '<', '<b ', '</', ' start=', '&#', '&copy', "<a '"])
      expect(isKeptAs(part.repeat(30_000), 'x')).to.not.equal(true);
  });
});
