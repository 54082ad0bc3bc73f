import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { actionContext, newJob } from '../helper/fixtures.ts';
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

  it('Enter in a form for a decision decides nothing; its buttons still do', async () => {
    const title = `Tecla ${randomUUID()}`;
    const reason = 'Falta o salário.';
    await denyJob(actionContext(), { ...(await newJob()).ref, reason });
    const { adminPath, statusOf } = await newJob('production', { title });
    const administrator = await newAdministrator();
    const queue = `/admin/review?text=${encodeURIComponent(title)}`;
    const unscripted = await visitor().another(false);
    for (const reviewer of [unscripted, visitor()]) {
      const { page } = reviewer;
      await reviewer.signIn('/admin', administrator);
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
      for (const [path, box] of [
        [queue, page.locator('[name=jobs]')],
        [`/admin${adminPath}`, page.getByLabel(reason, { exact: true })],
      ] as const) {
        await reviewer.goTo(path);
        await page.getByLabel('Reason for denial').fill(path === queue ? reason : '');
        await box.check();
        await reviewer.untilSeen();
        await box.press('Enter');
        expect(await reviewer.text('h1'), path).to.include(path === queue ? 'Review queue' : title);
        expect(sent, path).to.deep.equal([]);
      }
    }
    await unscripted.leave();
    await visitor().press('Deny');
    expect(await statusOf()).to.equal('denied');
  });
});
