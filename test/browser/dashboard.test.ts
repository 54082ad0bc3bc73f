import { expect } from 'chai';
import { endSubscription } from '../../src/operations/companies/set-subscription.ts';
import { actionContext, newCompany, server, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { newUser, password } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { describeInBrowser, translate, type Visitor } from './browser.ts';

const account = (secret: string) => new RestClient(server(), 'sandbox', secret).get('/account');

async function issue(visitor: Visitor, label: string): Promise<string> {
  await visitor.goTo('/dashboard/credentials');
  await visitor.follow('Issue a credential');
  await visitor.page.getByLabel('Label').fill(label);
  await visitor.page.getByLabel('Access').selectOption('write');
  await visitor.page.getByLabel('Your password').fill(password);
  await visitor.press('Issue');
  return visitor.text('#secret');
}

describeInBrowser('the dashboard in a browser', (visitor) => {
  let acme: TestCompany;
  beforeEach(async () => {
    acme = await newCompany();
    await visitor().signIn('/dashboard', await newUser(acme));
  });

  it('issues and copies a credential that works over REST and MCP', async () => {
    const { page } = visitor();
    const secret = await issue(visitor(), 'website');
    await visitor().look('secret');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(secret);
    expect((await account(secret)).status).to.equal(200);
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
    it(`every other page has no axe violations: ${language}`, async () => {
      const writer = await acme.writer();
      const { credentialId } = await acme.issue('production', 'read', 7);
      const title = 'Eletricista para obras de reabilitação em Vila Nova de Gaia';
      const made = await writer.create({ ...minimalJob, title });
      const { server: logged, settle } = await startWholeApp();
      await (await acme.reader('sandbox', logged)).get('/jobs/1');
      await settle();
      await endSubscription(actionContext(), { companyId: acme.id });
      await visitor().page.setExtraHTTPHeaders({ 'Accept-Language': language });
      const paths = `
        /credentials /credentials/issue /credentials/${credentialId}/replace /credentials/${credentialId}/revoke /sandbox
        /jobs?environment=sandbox /jobs /jobs/sandbox/${made.body.data.id} /requests?environment=sandbox
        /requests?status=6xx /activity /account /nothing`.split(/\s+/);
      for (const [at, path] of paths.entries()) {
        await visitor().goTo(`/dashboard${path}`);
        await visitor().openDetails();
        await visitor().look(`dashboard-${at}-${path.replace(/\W+/g, '-')}-${language}`);
      }
      await visitor().goTo('/dashboard/account');
      await visitor().press(translate[language]('Sign out everywhere'));
      await visitor().look(`dashboard-sign-in-${language}`);
    });
});

describeInBrowser('a form sent after its session has ended', (visitor) => {
  for (const language of ['en', 'pt'] as const)
    it(`leads to the sign-in page, which says so, and back to the form: ${language}`, async () => {
      const [acme, { page }, t] = [await newCompany(), visitor(), translate[language]];
      const email = await newUser(acme);
      await visitor().signIn('/dashboard', email, language);
      await visitor().goTo('/dashboard/sandbox');
      await page.context().clearCookies();
      await page.locator('#word').fill('RESET');
      await visitor().press(t('Reset the sandbox'));
      const ended = t('Your session has ended, so nothing was changed. Sign in to return to the form.');
      expect(await visitor().text('.notice')).to.equal(ended);
      await visitor().look(`session-ended-${language}`);
      await visitor().fillSignIn(email, language);
      expect(await page.locator('#word').isVisible()).to.equal(true);
    });
});

describeInBrowser('the header of the dashboard', (visitor) => {
  for (const language of ['en', 'pt'] as const)
    it(`has one line above the navigation from 1,000 px on, also with long names: ${language}`, async () => {
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
