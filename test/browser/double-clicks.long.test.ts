import { expect } from 'chai';
import { later, newCompany, newJob } from '../helper/fixtures.ts';
import { newAdministrator } from '../helper/page-client.ts';
import { describeInBrowser, type Visitor } from './browser.ts';

/** The forms that a page sends. */
function sentBy({ page }: Visitor): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  return sent;
}

const pressTwice = `const form = document.querySelector("main form"); form.requestSubmit(); form.requestSubmit()`;

describeInBrowser('a double click', (visitor) => {
  it('whose second click falls on the next job decides nothing there, until its page has been seen', async () => {
    const { page } = visitor();
    const [job, next] = [await newJob(), await newJob()];
    await visitor().signIn('/admin', await newAdministrator());
    await visitor().goTo(`/admin${job.adminPath}`);
    await visitor().press('Approve and publish');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await visitor().goTo(`/admin${next.adminPath}`);
    const sent = sentBy(visitor());
    const approve = page.getByRole('button', { name: 'Approve and publish' });
    await approve.click();
    await page.clock.runFor(699);
    await approve.click();
    expect([sent, await next.statusOf()]).to.deep.equal([[], 'pending']);
    await page.clock.runFor(1);
    // The service has a clock of its own, and less may have passed there.
    await later(700, () => visitor().press('Approve and publish'));
    expect(await next.statusOf()).to.equal('active');
  });

  it('sends a form once until its page is shown again or ten seconds have passed, and a form of a file once a second', async () => {
    const acme = await newCompany();
    const here = visitor();
    await here.signIn('/admin', await newAdministrator());
    const path = `/admin/companies/${acme.id}/set`;
    await here.goTo(path);
    const sent = sentBy(here);
    const press = async () => {
      const loaded = here.page.waitForEvent('load');
      await here.page.evaluate(pressTwice);
      await loaded;
    };
    await press();
    expect(sent).to.deep.equal([path]);
    await here.page.goBack();
    await press();
    expect(sent).to.deep.equal([path, path]);
    await here.page.clock.install();
    await here.page.clock.pauseAt(Date.now() + 3_600_000);
    await here.goTo(`/admin/companies/${acme.id}`);
    await here.page.clock.runFor(700);
    const file = `form[action="/admin/companies/${acme.id}/export"]`;
    for (let n = 0; n < 2; n++) {
      const download = here.page.waitForEvent('download');
      await here.page.evaluate(`for (const again of [1, 2]) document.querySelector('${file}').requestSubmit()`);
      await download;
      await here.page.clock.runFor(1000);
    }
    expect(sent.length).to.equal(4);
    await here.goTo(path);
    // As if the person had stopped it.
    await here.page.route(`**${path}`, (route) => route.abort('aborted'));
    const pressed = () => Promise.all([here.page.waitForRequest(`**${path}`), here.page.evaluate(pressTwice)]);
    await pressed();
    await here.page.clock.runFor(9999);
    await here.page.evaluate(pressTwice);
    expect(sent.length).to.equal(5);
    await here.page.clock.runFor(1);
    await pressed();
    expect(sent.length).to.equal(6);
  });
});
