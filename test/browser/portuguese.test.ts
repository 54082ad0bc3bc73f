import { newCompany, startWholeApp } from '../helper/fixtures.ts';
import { newAdministrator, newUser, password } from '../helper/page-client.ts';
import { fullJob } from '../helper/sample-jobs.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('the pages in Portuguese', (visitor) => {
  beforeEach(() => visitor().page.setExtraHTTPHeaders({ 'Accept-Language': 'pt-PT' }));

  it('the dashboard has no axe violations', async () => {
    const acme = await newCompany();
    const job = (await (await acme.writer('production')).create(fullJob())).body.data.id;
    const { server: logged, settle } = await startWholeApp();
    await (await acme.reader('production', logged)).get('/jobs/1');
    await settle();
    const { credentialId } = await acme.issue('sandbox', 'read', 7);
    await visitor().goTo('/dashboard');
    await visitor().look('pt-dashboard-sign-in');
    await visitor().signIn('/dashboard', await newUser(acme), password, 'pt');
    for (const [name, path] of [
      ['overview', ''],
      ['credentials', '/credentials'],
      ['issue', '/credentials/issue'],
      ['replace', `/credentials/${credentialId}/replace`],
      ['revoke', `/credentials/${credentialId}/revoke`],
      ['jobs', '/jobs'],
      ['job', `/jobs/production/${job}`],
      ['requests', '/requests'],
      ['sandbox', '/sandbox'],
      ['activity', '/activity'],
      ['account', '/account'],
      ['not-found', '/nothing'],
    ] as const) {
      await visitor().goTo(`/dashboard${path}`);
      await visitor().look(`pt-dashboard-${name}`);
    }
  });

  it('the administration has no axe violations', async () => {
    const acme = await newCompany();
    const job = (await (await acme.writer('production')).create(fullJob())).body.data.id;
    await visitor().signIn('/admin', await newAdministrator(), password, 'pt');
    for (const [name, path] of [
      ['overview', ''],
      ['review', '/review'],
      ['companies', '/companies'],
      ['company', `/companies/${acme.id}`],
      ['company-jobs', `/companies/${acme.id}/production/jobs`],
      ['job', `/companies/${acme.id}/production/jobs/${job}`],
      ['remove', `/companies/${acme.id}/production/jobs/${job}/remove`],
      ['plans', '/plans'],
      ['categories', '/categories'],
      ['audit', '/audit'],
    ] as const) {
      await visitor().goTo(`/admin${path}`);
      await visitor().look(`pt-admin-${name}`);
    }
  });
});
