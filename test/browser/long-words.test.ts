import { expect } from 'chai';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { createUser } from '../../src/operations/people/create-account.ts';
import { setPlan } from '../../src/operations/plans/set-plan.ts';
import { actionContext, db, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { newAdministrator, password } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { describeInBrowser, type Visitor } from './browser.ts';

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

/** Every `details` is opened, because some hold tables. */
async function expectInsideWindow({ page }: Visitor, name: string): Promise<void> {
  await page.evaluate(`for (const element of document.querySelectorAll('details')) element.open = true`);
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

  for (const language of ['en', 'pt'] as const) {
    it(`leave every column of the dashboard in the window: ${language}`, async () => {
      await visitor().page.setExtraHTTPHeaders({ 'Accept-Language': language });
      await visitor().signIn('/dashboard', email, password, language);
      for (const path of [
        '',
        '/credentials',
        '/jobs?environment=production',
        `/jobs/production/${job}`,
        '/requests?environment=production',
        '/sandbox',
        '/activity',
        '/account',
      ]) {
        await visitor().goTo(`/dashboard${path}`);
        await expectInsideWindow(visitor(), path);
      }
    });

    it(`leave every column of the administration in the window: ${language}`, async () => {
      await visitor().page.setExtraHTTPHeaders({ 'Accept-Language': language });
      await visitor().signIn('/admin', await newAdministrator(), password, language);
      for (const path of [
        '',
        '/review?sort=newest',
        '/companies',
        `/companies/${acme.id}`,
        `/companies/${acme.id}/production/jobs`,
        `/companies/${acme.id}/production/jobs/${job}`,
        `/companies/${acme.id}/production/jobs/${job}/remove`,
        '/plans',
        '/categories',
        '/audit',
      ]) {
        await visitor().goTo(`/admin${path}`);
        await expectInsideWindow(visitor(), path);
      }
    });
  }
});
