import { expect } from 'chai';
import { newCompany, type TestCompany } from '../helper/fixtures.ts';
import { newAdministrator, newUser, password } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { describeInBrowser } from './browser.ts';

const keyOf = (title: string): string => title.replaceAll(' ', '-');

describeInBrowser('the administration in a browser', (visitor) => {
  let acme: TestCompany;
  const posted = async (title: string): Promise<number> => {
    const writer = await acme.writer('production');
    return (await writer.create({ ...minimalJob, title }, keyOf(title))).body.data.id;
  };
  const statusOf = async (id: number) => (await (await acme.reader('production')).get(`/jobs/${id}`)).body.data?.status;
  const pathOf = (id: number): string => `/admin/companies/${acme.id}/production/jobs/${id}`;
  beforeEach(async () => {
    acme = await newCompany({ name: 'Oficina da Consola' });
    await newUser(acme);
    await visitor().signIn('/admin', await newAdministrator(), password);
  });

  it('approves one job and denies another, and the API shows both', async () => {
    const [good, bad] = [await posted('Eletricista no Porto'), await posted('Eletricista em Braga')];
    await visitor().goTo('/admin/review');
    await visitor().look('review');
    const keys = visitor().page.locator('.keys');
    expect(await keys.isVisible()).to.equal(true);
    await visitor().page.setViewportSize({ width: 390, height: 844 });
    expect(await keys.isVisible(), 'on a phone').to.equal(false);
    await visitor().page.setViewportSize({ width: 1280, height: 720 });
    await visitor().goTo(pathOf(good));
    await visitor().look('review-decision');
    await visitor().press('Approve and publish');
    expect(await statusOf(good)).to.equal('active');
    await visitor().goTo(pathOf(bad));
    await visitor().page.getByLabel('Reason for denial').fill('Falta o salário.');
    await visitor().press('Deny');
    expect(await statusOf(bad)).to.equal('denied');
  });

  for (const language of ['en', 'pt'] as const)
    it(`every other page has no axe violations: ${language}`, async () => {
      const job = await posted('Para ver');
      await visitor().page.setExtraHTTPHeaders({ 'Accept-Language': language });
      for (const [name, path] of [
        ['start', ''],
        ['companies', '/companies?text=Consola'],
        ['companies-none', '/companies?text=nobody-has-this-name'],
        ['company', `/companies/${acme.id}`],
        ['create-company', '/companies/create'],
        ['change-company', `/companies/${acme.id}/set`],
        ['suspend', `/companies/${acme.id}/suspend`],
        ['regions', `/companies/${acme.id}/districts`],
        ['create-user', `/companies/${acme.id}/create-user`],
        ['administrators', '/administrators'],
        ['plan', '/plans/set'],
        ['jobs', `/companies/${acme.id}/production/jobs`],
        ['review', '/review'],
        ['job', `/companies/${acme.id}/production/jobs/${job}`],
        ['remove', `/companies/${acme.id}/production/jobs/${job}/remove`],
        ['plans', '/plans'],
        ['categories', '/categories'],
        ['audit', '/audit'],
        ['account', '/account'],
        ['not-found', '/nothing'],
      ] as const) {
        await visitor().goTo(`/admin${path}`);
        for (const details of await visitor().page.locator('details').all())
          await details.evaluate((element) => element.setAttribute('open', ''));
        await visitor().look(`admin-${name}-${language}`);
      }
      await visitor().press(language === 'en' ? 'Sign out' : 'Terminar sessão');
      await visitor().look(`admin-sign-in-${language}`);
    });
});
