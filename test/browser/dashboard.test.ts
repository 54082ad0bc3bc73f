import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { newUser, password } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('the dashboard in a browser', (visitor) => {
  it('issues and copies a credential that works over REST and MCP', async () => {
    const { page } = visitor();
    await visitor().signIn('/dashboard', await newUser(await newCompany()));
    await visitor().goTo('/dashboard/credentials');
    await visitor().follow('Issue a credential');
    await page.getByLabel('Label').fill('website');
    await page.getByLabel('Access').selectOption('write');
    await page.getByLabel('Your password').fill(password);
    await visitor().press('Issue');
    const secret = await visitor().text('#secret');
    await visitor().look('secret');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(secret);
    expect((await new RestClient(server(), 'sandbox', secret).get('/account')).status).to.equal(200);
    const mcp = JSON.parse((await page.locator('#Cursor').textContent()) ?? '').mcpServers.vaga;
    const answer = await fetch(mcp.url, {
      method: 'POST',
      headers: { ...mcp.headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }),
    });
    expect(((await answer.json()) as { result: { isError: boolean } }).result.isError).to.equal(false);
    await page.reload();
    expect(await visitor().text('body')).not.to.contain(secret);
  });

  for (const language of ['en', 'pt'] as const)
    it(`its header has one line above the navigation from 1,000 px on, also with long names: ${language}`, async () => {
      const name = 'Sociedade Portuguesa de Manutenção Industrial e Reparações Navais, S.A.';
      const acme = await newCompany({ name });
      const { page } = visitor();
      await visitor().signIn('/dashboard', await newUser(acme), language);
      for (const width of [1000, 1100, 1200, 1300, 1400]) {
        await page.setViewportSize({ width, height: 800 });
        const [line, button] = await Promise.all([
          page.locator('header .bar').boundingBox(),
          page.locator('header .bar form button').last().boundingBox(),
        ]);
        expect(line?.height, `${width} px`).to.be.closeTo(button?.height ?? 0, 2);
      }
    });
});
