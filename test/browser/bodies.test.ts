import { expect } from 'chai';
import { purify } from '../../src/sanitizer/purify.ts';
import { newJob } from '../helper/fixtures.ts';
import { newAdministrator } from '../helper/page-client.ts';
import { sentBodies } from '../sanitizer/sent-bodies.ts';
import { describeInBrowser } from './browser.ts';

const stored = (sent: string): string => {
  const purified = purify(sent);
  return purified.kind === 'clean' ? purified.html : expect.fail(purified.kind);
};

/** The maximum of columns and rows that a body's spans can make. */
const widest = (cells: number, rows: number): string =>
  `<table><tr>${'<td colspan="50" rowspan="50">x'.repeat(cells)}${'<tr><td>y'.repeat(rows)}</table>`;

describeInBrowser('a job body in a browser', (visitor) => {
  it('shows what its author meant', async () => {
    const { page } = visitor();
    for (const [sent, ...lines] of sentBodies) {
      await page.setContent(`<!doctype html><main>${stored(sent)}</main>`);
      const text = await page.innerText('main');
      expect(
        text
          .split(/[\n\t]/)
          .map((line) => line.replaceAll(/\s+/g, ' ').trim())
          .filter(Boolean),
        sent,
      ).to.deep.equal(lines);
    }
  });

  it('numbers a list from its start value, and applies the spans of cells', async () => {
    const { page } = visitor();
    const sent = '<ol start="4"><li>x</ol><table><tr><td colspan="2">wide<td>a<tr><td>b<td>c<td>d</table>';
    await page.setContent(`<!doctype html>${stored(sent)}`);
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    expect(nodes.find(({ role }) => role?.value === 'ListMarker')?.name?.value).to.equal('4. ');
    const lefts = await page.evaluate(
      `[...document.querySelectorAll('td')].map((one) => one.getBoundingClientRect().left)`,
    );
    expect((lefts as number[])[1]).to.equal((lefts as number[])[4]);
  });

  it('is not changed by the script of the pages', async () => {
    const text = '{address}/candidatos';
    const { adminPath } = await newJob('production', {
      title: text,
      body: `<pre>${text}</pre><p><code>${text}</code>`,
    });
    await visitor().signIn('/admin', await newAdministrator());
    await visitor().goTo(`/admin${adminPath}`);
    const { page } = visitor();
    expect(await page.locator('main :is(pre, code)', { hasText: 'candidatos' }).allTextContents())
      .to.have.length.above(2)
      .and.satisfy((shown: string[]) => shown.every((one) => one.includes(text)));
  });

  it('with the widest allowed tables is drawn', async () => {
    const { page } = visitor();
    for (const body of [widest(300, 800), widest(1, 1200), widest(800, 1)]) {
      await page.setContent(`<!doctype html>${stored(body)}`);
      expect(await page.locator('td').count()).to.be.above(700);
    }
  });
});
