import { expect } from 'chai';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { createUser } from '../../src/operations/people/create-account.ts';
import { setPlan } from '../../src/operations/plans/set-plan.ts';
import { actionContext, db, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { newAdministrator, newUser, password } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { describeInBrowser, translate, type Visitor } from './browser.ts';

/** A word without a place to break, as wide as letters are. */
const word = (length: number): string => 'W'.repeat(length);
const plan = word(100);
const email = `${word(60)}@${`${'w'.repeat(60)}.`.repeat(3)}example.com`;

/** A company whose every text is one long word, and the path of its denied job. */
async function newWordyCompany(): Promise<{ acme: TestCompany; job: number }> {
  await setPlan(actionContext(), { name: plan, limit: 10, apiEligible: true });
  const acme = await newCompany({ name: word(255), plan });
  const companyId = acme.id;
  await createUser(actionContext(), { companyId, email, role: 'main', password });
  const credential = { companyId, access: 'write', label: word(100) } as const;
  await issueCredential(actionContext(), { ...credential, environment: 'sandbox', days: 7 });
  const { secret } = await issueCredential(actionContext(), { ...credential, environment: 'production', days: 30 });
  const { server, settle } = await startWholeApp();
  const writer = new RestClient(server, 'production', secret);
  const post = async () => (await writer.create({ ...minimalJob, title: word(255) })).body.data.id;
  const [job] = [await post(), await post()];
  await settle();
  const review = { companyId, environment: 'production', jobId: BigInt(job), reason: word(255) } as const;
  await denyJob(actionContext(), review);
  return { acme, job };
}

/** The document's width, and the right edge of each row's last cell. */
const edges = `({
  document: document.documentElement.scrollWidth,
  cells: [...document.querySelectorAll('main table tbody tr')].map(
    (row) => Math.ceil(Math.max(...[...row.cells].map((cell) => cell.getBoundingClientRect().right)))),
})`;

interface Edges {
  readonly document: number;
  readonly cells: readonly number[];
}

async function expectInsideWindow(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor;
  await visitor.openDetails();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const found = await page.evaluate<Edges>(edges);
    const label = `${name} at ${width} px`;
    expect(found.document, label).to.be.at.most(width);
    expect(Math.max(0, ...found.cells), `${label}: last column`).to.be.at.most(width);
  }
  await page.setViewportSize({ width: 1280, height: 844 });
}

describeInBrowser('words of 255 characters without a space', (visitor) => {
  let acme: TestCompany;
  let job: number;
  before(async () => {
    ({ acme, job } = await newWordyCompany());
  });
  after(async () => {
    await db().subscription.deleteMany({ where: { plan: { name: plan } } });
    await db().plan.deleteMany({ where: { name: plan } });
  });

  const pathsOf = {
    '/dashboard': () => `/credentials /jobs?environment=production /jobs/production/${job}
      /requests?environment=production /sandbox /activity /account`,
    '/admin': () => {
      const jobs = `/companies/${acme.id}/production/jobs`;
      return `/review?sort=newest /companies /companies/${acme.id} ${jobs} ${jobs}/${job} ${jobs}/${job}/remove
        /plans /categories /audit`;
    },
  };
  for (const language of ['en', 'pt'] as const)
    for (const base of ['/dashboard', '/admin'] as const)
      it(`leave every column in the window: ${base} ${language}`, async () => {
        await visitor().signIn(base, base === '/admin' ? await newAdministrator() : email, language);
        for (const path of ['', ...pathsOf[base]().split(/\s+/)]) {
          await visitor().goTo(base + path);
          await expectInsideWindow(visitor(), path);
        }
      });
});

describeInBrowser('the administration in a browser', (visitor) => {
  let acme: TestCompany;
  const posted = async (title: string): Promise<number> => {
    const writer = await acme.writer('production');
    return (await writer.create({ ...minimalJob, title })).body.data.id;
  };
  const statusOf = async (id: number) => (await (await acme.reader('production')).get(`/jobs/${id}`)).body.data?.status;
  const pathOf = (id: number): string => `/companies/${acme.id}/production/jobs/${id}`;
  beforeEach(async () => {
    acme = await newCompany({ name: 'Oficina da Consola' });
    await newUser(acme);
    await visitor().signIn('/admin', await newAdministrator());
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
    await visitor().goTo(`/admin${pathOf(good)}`);
    await visitor().look('review-decision');
    await visitor().press('Approve and publish');
    expect(await statusOf(good)).to.equal('active');
    await visitor().goTo(`/admin${pathOf(bad)}`);
    await visitor().page.getByLabel('Reason for denial').fill('Falta o salário.');
    await visitor().press('Deny');
    expect(await statusOf(bad)).to.equal('denied');
  });

  for (const language of ['en', 'pt'] as const)
    it(`every other page has no axe violations: ${language}`, async () => {
      const job = await posted('Para ver');
      await visitor().page.setExtraHTTPHeaders({ 'Accept-Language': language });
      const company = `/companies/${acme.id}`;
      const paths = `
        /companies?text=Consola /companies?text=nobody-has-this-name /companies/create ${company} ${company}/set
        ${company}/suspend ${company}/districts ${company}/create-user ${company}/production/jobs /administrators /plans
        /plans/set /review ${pathOf(job)} ${pathOf(job)}/remove /categories /audit /account /nothing`.split(/\s+/);
      for (const [at, path] of paths.entries()) {
        await visitor().goTo(`/admin${path}`);
        await visitor().openDetails();
        await visitor().look(`admin-${at}-${path.replace(/\W+/g, '-')}-${language}`);
      }
      await visitor().press(translate[language]('Sign out'));
      await visitor().look(`admin-sign-in-${language}`);
    });
});
