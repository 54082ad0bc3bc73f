import { expect } from 'chai';
import { endSubscription } from '../../src/operations/companies/set-subscription.ts';
import { translator } from '../../src/web/texts/t.ts';
import { actionContext, newCompany, server, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { newUser, password } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { describeInBrowser, type Visitor } from './browser.ts';

const translate = { en: translator('en-GB', 'en'), pt: translator('pt-PT', 'pt') };

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
    await visitor().signIn('/dashboard', await newUser(acme), password);
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
      const made = await writer.create(minimalJob);
      const { server: logged, settle } = await startWholeApp();
      await (await acme.reader('sandbox', logged)).get('/jobs/1');
      await settle();
      await endSubscription(actionContext(), { companyId: acme.id });
      await visitor().page.setExtraHTTPHeaders({ 'Accept-Language': language });
      for (const [name, path] of [
        ['overview', ''],
        ['credentials', '/credentials'],
        ['issue', '/credentials/issue'],
        ['replace', `/credentials/${credentialId}/replace`],
        ['revoke', `/credentials/${credentialId}/revoke`],
        ['sandbox', '/sandbox'],
        ['jobs', '/jobs?environment=sandbox'],
        ['jobs-empty', '/jobs'],
        ['job', `/jobs/sandbox/${made.body.data.id}`],
        ['requests', '/requests?environment=sandbox'],
        ['requests-refused', '/requests?status=6xx'],
        ['activity', '/activity'],
        ['account', '/account'],
        ['not-found', '/nothing'],
      ] as const) {
        await visitor().goTo(`/dashboard${path}`);
        await visitor().look(`dashboard-${name}-${language}`);
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
      await page.setExtraHTTPHeaders({ 'Accept-Language': language });
      await visitor().signIn('/dashboard', email, password, language);
      await visitor().goTo('/dashboard/sandbox');
      await page.context().clearCookies();
      await page.locator('#word').fill('RESET');
      await visitor().press(t('Reset the sandbox'));
      expect(await visitor().text('.notice')).to.equal(
        t('Your session has ended, so nothing was changed. Sign in to return to the form.'),
      );
      await visitor().look(`session-ended-${language}`);
      await page.getByLabel(t('E-mail address')).fill(email);
      await page.getByLabel(t('Password')).fill(password);
      await visitor().press(t('Sign in'));
      expect(await page.locator('#word').isVisible()).to.equal(true);
    });
});

describeInBrowser('the header of the dashboard', (visitor) => {
  for (const language of ['en', 'pt'] as const)
    it(`has one line above the navigation from 1,000 px on, also with long names: ${language}`, async () => {
      const acme = await newCompany({
        name: 'Sociedade Portuguesa de Manutenção Industrial e Reparações Navais, S.A.',
      });
      const { page } = visitor();
      await page.setExtraHTTPHeaders({ 'Accept-Language': language });
      await visitor().signIn('/dashboard', await newUser(acme), password, language);
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

describeInBrowser('the dashboard on a phone', (visitor) => {
  const width = 390;

  it('Replace and Revoke are visible without scrolling sideways, and large enough to touch', async () => {
    const acme = await newCompany();
    await acme.issue('sandbox', 'write');
    await acme.issue('production', 'read', 10);
    const { page } = visitor();
    await page.setViewportSize({ width, height: 844 });
    await visitor().signIn('/dashboard', await newUser(acme), password);
    await visitor().goTo('/dashboard/credentials');
    for (const name of ['Replace test', 'Revoke test']) {
      const links = await page.locator('table').getByRole('link', { name }).all();
      expect(links, name).to.have.length(2);
      for (const link of links) {
        const box = await link.boundingBox();
        if (!box) throw new Error(`${name} is not shown`);
        expect(box.x, name).to.be.at.least(0);
        expect(box.x + box.width, name).to.be.at.most(width);
        expect(box.height, name).to.be.at.least(44);
        expect(box.width, name).to.be.at.least(44);
      }
    }
  });

  it('no table is wider than the screen, and every button is large enough to touch', async () => {
    const acme = await newCompany();
    const writer = await acme.writer();
    await writer.create({ ...minimalJob, title: 'Eletricista para obras de reabilitação em Vila Nova de Gaia' });
    const { server: logged, settle } = await startWholeApp();
    await (await acme.reader('sandbox', logged)).get('/jobs/1');
    await settle();
    const { page } = visitor();
    await page.setViewportSize({ width, height: 844 });
    await visitor().signIn('/dashboard', await newUser(acme), password);
    for (const path of ['/credentials', '/jobs?environment=sandbox', '/requests?environment=sandbox', '/activity']) {
      await visitor().goTo(`/dashboard${path}`);
      for (const details of await page.locator('details').all())
        await details.evaluate((element) => element.setAttribute('open', ''));
      const tables = await page.locator('section:has(> table)').all();
      expect(tables.length, path).to.be.above(0);
      for (const table of tables)
        expect(await table.evaluate((section) => section.scrollWidth - section.clientWidth), path).to.equal(0);
      for (const button of await page.getByRole('button').all())
        expect((await button.boundingBox())?.height, path).to.be.at.least(44);
    }
  });
});
