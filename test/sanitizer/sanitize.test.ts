import { expect } from 'chai';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { bodyRefusal } from './sanitize-refused.ts';

describe('sanitize', function () {
  this.timeout(60_000);
  let sanitizer: Sanitizer;
  const clean = (html: string): Promise<string> => sanitizer.sanitize(html);

  before(async () => {
    sanitizer = new Sanitizer();
    await sanitizer.warm();
  });
  after(() => sanitizer.close());

  it('keeps every element of the allow-list', async () => {
    const html =
      '<h2>a</h2><h3>b</h3><h4>c</h4><p>d<br>e <strong>f</strong> <b>g</b> <em>h</em> <i>i</i> <u>j</u> <s>k</s></p>' +
      '<ul><li>l</li></ul><ol><li>m</li></ol><blockquote>n</blockquote><hr><pre><code>o</code></pre><p>p<sub>q</sub><sup>r</sup></p>' +
      '<table><thead><tr><th>s</th></tr></thead><tbody><tr><td>t</td></tr></tbody></table>';
    expect(await clean(html)).to.equal(html);
  });

  it('keeps https, mailto and tel links, and drops all others and those that a browser repairs or that hide their host', async () => {
    const kept = [
      'https://example.pt/a?b=1',
      'mailto:rh@example.pt',
      'tel:+351210000000',
      'https://x.pt/técnico e mais',
    ];
    for (const href of [...kept, 'https://exämple.pt', 'HTTPS://x.pt:8443?a#b', 'https://x.pt/a@b'])
      expect(await clean(`<a href="${href}">x</a>`)).to.equal(`<a href="${href}">x</a>`);
    const others =
      'http://example.pt javascript:alert(1) java\nscript:alert(1) data:text/html,x /jobs //example.pt https://'.split(
        ' ',
      );
    const repaired =
      'https:x.pt https:/x.pt https:///x.pt https:\\\\x.pt https://\\x.pt https://x\n.pt/ https://x\u00ad.pt'.split(
        ' ',
      );
    for (const href of [...others, ...repaired, 'h ttps://x.pt', 'https://user@x.pt', 'https://x.pt:99999'])
      expect(await clean(`<a href="${href}">x</a>`), href).to.equal('x');
  });

  it('drops every attribute but href', async () => {
    const html =
      '<p id="a" class="b" style="color:red" onclick="x()" data-a="1" aria-label="c" title="d" href="https://x.pt">x</p>';
    expect(await clean(html)).to.equal('<p>x</p>');
    expect(await clean('<a target="_blank" rel="x" name="y" href="https://x.pt/">x</a>')).to.equal(
      '<a href="https://x.pt/">x</a>',
    );
  });

  it('drops scripts and styles with their content and keeps the text of unknown elements', async () => {
    expect(await clean('<style>p{}</style><p>a<script>alert(1)</script></p><svg><text>z</text></svg>')).to.equal(
      '<p>a</p>',
    );
    expect(await clean('<article><span>a</span> <x-y>b</x-y></article><img src=x onerror=y>')).to.equal('<p>a b</p>');
  });

  it('returns text without < and & unchanged, also with >', async () => {
    expect(await clean('5 > 3\r\n e "aspas"')).to.equal('5 > 3\r\n e "aspas"');
  });

  it('writes each entity in one form, and a second pass changes nothing', async () => {
    const once = await clean('R&D &copy; &lt;b&gt; &#8364;');
    expect(once).to.equal('R&amp;D © &lt;b&gt; €');
    expect(await clean(once)).to.equal(once);
  });

  it('refuses a body without visible text', async () => {
    for (const html of [
      ' \n',
      '\u200b',
      '<p></p>',
      '<hr>',
      '&nbsp;',
      '<p>&#8203;\u2060</p>',
      '<script>a</script>',
      '<frameset></frameset>',
    ]) {
      expect(await bodyRefusal(clean(html)), JSON.stringify(html)).to.match(/text that can be read/);
    }
  });

  it('refuses a body over the limits once it is escaped, with the figures', async () => {
    const refused = async (html: string) => {
      const [, limit, total, text, tags, advice] =
        /^must have at most (.+) after sanitizing, not (\d+): the text has (\d+) .*, the tags (\d+); (.*)$/.exec(
          await bodyRefusal(clean(html)),
        ) ?? [];
      expect(advice).to.equal('shorten it');
      return [limit, Number(total), Number(text), Number(tags)];
    };
    expect(await refused('&'.repeat(10_000))).to.deep.equal(['30000 characters', 50_000, 50_000, 0]);
    expect(await refused(`<p>${'&'.repeat(5999)}</p>`)).to.deep.equal(['30000 characters', 30_002, 29_995, 7]);
    expect(await refused(`<a href="tel:${'&'.repeat(7000)}">x</a>`)).to.deep.equal([
      '30000 characters',
      35_020,
      1,
      35_019,
    ]);
    const bytes = `${'€'.repeat(20_000)}${'&'.repeat(1500)}`;
    expect(await refused(bytes)).to.deep.equal(['65535 UTF-8 bytes', 67_500, 67_500, 0]);
    expect(await clean('😀'.repeat(16_000))).to.have.length(32_000);
    expect(await clean(`<p>${'😀'.repeat(16_000)}</p>`)).to.have.length(32_007);
  });

  it('refuses a body of too many elements', async () => {
    expect(await clean('x<br>'.repeat(2500))).to.have.length(12_500);
    expect(await bodyRefusal(clean('x<br>'.repeat(2501)))).to.match(/at most 2500 elements .*, not 2501/);
  });
});
