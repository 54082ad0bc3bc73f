import { expect } from 'chai';
import { purify } from '../../src/sanitizer/purify.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { patienceMs } from '../helper/test-database.ts';

/** Expects 422 with exactly one message, on `body`; returns the message. */
async function bodyRefusal(answer: Promise<unknown>): Promise<string> {
  const { status, details } = await refusalOf(answer);
  expect(status).to.equal(422);
  expect(details).to.have.all.keys('body');
  expect(details.body).to.have.length(1);
  return String((details.body as string[])[0]);
}

describe('sanitize', () => {
  let sanitizer: Sanitizer;
  async function clean(html: string): Promise<string> {
    const purified = purify(html);
    const answer = await sanitizer.sanitize(1n, html);
    // A line of text needs no worker. Otherwise the worker gives the same answer as this thread.
    if (/[<&\n]/.test(html)) expect(purified).to.deep.equal({ kind: 'clean', html: answer });
    return answer;
  }

  before(async () => {
    sanitizer = new Sanitizer({ timeoutMs: patienceMs });
    await sanitizer.warm();
  });
  after(() => sanitizer.close());

  it('keeps every element of the allow-list', async () => {
    const html =
      '<h2>a</h2><h3>b</h3><h4>c</h4><p>d<br>e <strong>f</strong> <b>g</b> <em>h</em> <i>i</i> <u>j</u> <s>k</s></p>' +
      '<ul><li>l</li></ul><ol><li>m</li></ol><blockquote>n</blockquote><hr><pre><code>o</code></pre><p>p<sub>q</sub><sup>r</sup></p>' +
      '<table><thead><tr><th>s</th></tr></thead><tbody><tr><td>t</td></tr></tbody><tfoot><tr><td>u</td></tr></tfoot></table>';
    expect(await clean(html)).to.equal(html);
  });

  it('keeps https, http, mailto and tel links, and drops others, those that browsers repair, and those that hide their host', async () => {
    const kept =
      'https://example.pt/a?b=1 mailto:rh@example.pt tel:+351210000000 https://exämple.pt HTTPS://x.pt:8443?a#b http://example.pt http://x.pt:80/a';
    for (const href of [...kept.split(' '), 'https://x.pt/a@b', 'https://x.pt/técnico e mais'])
      expect(await clean(`<a href="${href}">x</a>`)).to.equal(`<a href="${href}">x</a>`);
    const others =
      'http://user@x.pt http:/x.pt xmailto:a@x.pt javascript:alert(1) java\nscript:alert(1) data:text/html,x /jobs //example.pt';
    const repaired =
      'https:x.pt https:/x.pt https:///x.pt https:\\\\x.pt https://\\x.pt https://x\n.pt/ https://x\u00ad.pt';
    const refused = `https:// https://user@x.pt https://x.pt:99999 ${others} ${repaired}`.split(' ');
    for (const href of [...refused, 'h ttps://x.pt'])
      expect(await clean(`<a href="${href}">x</a>`), href).to.equal('x');
  });

  it('drops all attributes except href, drops scripts and styles with their content, and keeps the text of unknown elements', async () => {
    for (const [html, kept] of [
      [
        '<p id="a" class="b" style="color:red" onclick="x()" data-a="1" title="d" href="https://x.pt">x</p>',
        '<p>x</p>',
      ],
      ['<a target="_blank" rel="x" name="y" href="https://x.pt/">x</a>', '<a href="https://x.pt/">x</a>'],
      ['<style>p{}</style><p>a<script>alert(1)</script></p><svg><text>z</text></svg>', '<p>a</p>'],
      ['<article><span>a</span> <x-y>b</x-y></article><img src=x onerror=y>', '<p>a b</p>'],
      // Text without < and & is unchanged; each entity has one form.
      ['5 > 3 e "aspas"', '5 > 3 e "aspas"'],
      ['R&D &copy; &lt;b&gt; &#8364;', 'R&amp;D © &lt;b&gt; €'],
    ] as const) {
      expect(await clean(html)).to.equal(kept);
      expect(await clean(kept)).to.equal(kept);
    }
  });

  it('refuses a body without visible text', async () => {
    const empty = '\u200b|<p></p>|<hr>|&nbsp;|<p>&#8203;\u2060</p>|<script>a</script>|<frameset></frameset>| \n';
    for (const html of empty.split('|')) await bodyRefusal(clean(html));
  });

  it('refuses a body that exceeds the limits after escaping, with the figures, and one with too many elements', async () => {
    const refused = async (html: string) => (await bodyRefusal(clean(html))).match(/(?<!UTF-)\d+/g)?.map(Number);
    expect(await refused('&'.repeat(10_000))).to.deep.equal([30_000, 50_000, 50_000, 0]);
    expect(await refused(`<p>${'&'.repeat(5999)}</p>`)).to.deep.equal([30_000, 30_002, 29_995, 7]);
    expect(await refused(`<a href="tel:${'&'.repeat(7000)}">x</a>`)).to.deep.equal([30_000, 35_020, 1, 35_019]);
    const bytes = `${'€'.repeat(20_000)}${'&'.repeat(1500)}`;
    expect(await refused(bytes)).to.deep.equal([65_535, 67_500, 67_500, 0]);
    const size = (characters: number, bytes = characters) => ({ characters, bytes });
    expect(purify('&'.repeat(10_000))).to.deep.equal({
      ...{ kind: 'long', total: size(50_000), text: size(50_000), escaping: 40_000 },
    });
    expect(purify(`<p>${'€'.repeat(22_000)}&</p>`)).to.deep.equal({
      ...{ kind: 'long', total: size(22_012, 66_012), text: size(22_005, 66_005), escaping: 4 },
    });
    expect(await clean('😀'.repeat(16_000))).to.have.length(32_000);
    expect(await clean(`<p>${'😀'.repeat(16_000)}</p>`)).to.have.length(32_007);
    const longest = `<p>${'x'.repeat(29_993)}</p>`;
    expect(await clean(longest)).to.equal(longest);
    const widest = `<p>${'€'.repeat(21_842)}aa</p>`;
    expect(Buffer.byteLength(await clean(widest))).to.equal(65_535);
    expect(await clean(`<template>${'<br>'.repeat(2501)}</template>x`)).to.equal('x');
    expect(await clean('x<br>'.repeat(2500))).to.have.length(12_500);
    expect(await refused('x<br>'.repeat(2501))).to.deep.equal([2500, 2501]);
    expect(purify('x<br>'.repeat(2501))).to.deep.equal({ kind: 'complex', elements: 2501 });
    expect(purify('x\n'.repeat(2501))).to.deep.equal({ kind: 'complex', elements: 2501 });
    expect(purify('x\n'.repeat(2500)).kind).to.equal('clean');
  });
});
