import { expect } from 'chai';
import { newJob } from '../helper/fixtures.ts';
import { newAdministrator, newUser } from '../helper/page-client.ts';
import { describeInBrowser } from './browser.ts';

/** What pages.long.test.ts and docs.long.test.ts do everywhere, at the main pages. */
describeInBrowser('a walk through the main pages', (visitor) => {
  it('the pages before signing in, a company’s and an administrator’s have no axe violations and fit the window', async () => {
    const { acme, path, adminPath, statusOf } = await newJob();
    for (const [at, name] of [
      ['/', 'front'],
      ['/dashboard/sign-in', 'sign-in'],
    ] as const) {
      await visitor().goTo(at);
      await visitor().look(name);
    }
    await visitor().signIn('/dashboard', await newUser(acme));
    await visitor().openDetails();
    await visitor().look('overview');
    await visitor().goTo(`/dashboard${path}/update`);
    await visitor().page.getByLabel('Title').fill('Eletricista de obras');
    await visitor().press('Save');
    expect(await visitor().text()).to.include('Eletricista de obras');
    await visitor().look('job');
    await visitor().signIn('/admin', await newAdministrator(), 'pt');
    await visitor().goTo(`/admin${adminPath}`);
    await visitor().look('review-pt');
    await visitor().press('Aprovar e publicar');
    expect(await statusOf()).to.equal('active');
  });
});
