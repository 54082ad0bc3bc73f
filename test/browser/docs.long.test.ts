import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import { newCompany, type TestCompany } from '../helper/fixtures.ts';
import { describeInBrowser, type Visitor } from './browser.ts';

const sendButton = (page: Page) => page.getByRole('button', { name: /^Send \w+ request to/i });

/** Opens the page to try operations at one of them, with a token in it if one is given. */
async function open(visitor: Visitor, operation: string, token?: string): Promise<void> {
  const { page } = visitor;
  await visitor.goTo(`/docs/try#tag/jobs/${operation}`);
  if (token !== undefined) await page.getByPlaceholder('Token').first().fill(token);
  const shown = page.locator(`[id$="/${operation}"]`);
  await shown.getByRole('button', { name: /Test Request/ }).click();
  await sendButton(page).waitFor();
}

/** Sends the request of the open dialog, which is expected to reach the service. */
async function send({ page }: Visitor): Promise<{ request: Request; status: number }> {
  const answered = page.waitForResponse(/\/v1\//);
  await sendButton(page).click();
  const answer = await answered;
  return { request: answer.request(), status: answer.status() };
}

describeInBrowser('the public pages in a browser', (visitor) => {
  let acme: TestCompany;
  before(async () => {
    acme = await newCompany();
  });

  it('the front page shows its address to copy and links to the rest; the reference uses that address', async () => {
    const { page } = visitor();
    await visitor().goTo('/');
    await visitor().look('front');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').waitFor();
    const { origin } = new URL(page.url());
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(`${origin}/sandbox/v1`);
    await visitor().follow('Company dashboard');
    expect(new URL(page.url()).pathname).to.equal('/dashboard/sign-in');
    await visitor().goTo('/');
    await visitor().follow('API reference');
    await page.getByRole('heading', { name: 'Quick start' }).waitFor();
    await visitor().look('reference');
    expect(await page.innerText('main')).to.include(`curl -i ${origin}/sandbox/v1/jobs`);
    await visitor().openDetails();
    expect(await page.innerText('body')).not.to.match(/\{address\}|:3000/);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal('export TOKEN=vaga_test_...');
  });

  it('an operation has samples in five languages, and its form sends a create to the sandbox with a new key each time', async () => {
    const { page } = visitor();
    const errors: string[] = [];
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const secret = await acme.secret('sandbox', 'write');
    await open(visitor(), 'createJob', secret);
    const [first, second] = [await send(visitor()), await send(visitor())];
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(new URL(first.request.url()).pathname).to.equal('/sandbox/v1/jobs');
    await page.getByText('201 Created').waitFor();
    expect([...origins], 'nothing is requested from elsewhere').to.deep.equal([new URL(page.url()).origin]);
    expect(errors).to.deep.equal([]);
    const [key, other] = [first, second].map(({ request }) => request.headers()['idempotency-key']);
    expect(key)
      .to.match(/^[\w-]{36}$/)
      .and.not.equal(other);
    expect(first.request.headers()).not.to.have.any.keys('cookie', 'x-simulate');
    await visitor().look('reference-answer', '[role=dialog]');
    await page.keyboard.press('Escape');
    await sendButton(page).waitFor({ state: 'hidden' });
    // The pointer was on the button, and would now be on an example.
    await page.mouse.move(0, 0);
    await visitor().look('reference-operation', '[id$="/createJob"]');
    await page.locator('[id$="/createJob"]').getByRole('button', { name: 'curl' }).click();
    for (const label of ['TypeScript client', 'Python (httpx)', 'PHP', 'MCP'])
      await page.getByRole('option', { name: label, exact: true }).waitFor();
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored, 'the token is stored nowhere').not.to.include(secret);
    expect(await page.evaluate('indexedDB.databases()')).to.deep.equal([]);
    await page.reload();
    await open(visitor(), 'createJob');
    expect((await send(visitor())).status).to.equal(401);
  });

  it('sends no production token, and nothing outside the sandbox', async () => {
    const { page } = visitor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    const expectRefused = async (environment: 'sandbox' | 'production', text: string) => {
      await open(visitor(), 'listJobs', await acme.secret(environment, 'write'));
      await sendButton(page).click();
      await page.getByText(text).first().waitFor();
    };
    await expectRefused('production', 'Use a sandbox token');
    await page.reload();
    const servers = page.getByRole('button', { name: /sandbox\/v1/ });
    const production = page.getByRole('option', { name: /:\d+\/v1/ });
    // A list that is redrawn while it opens closes again.
    for (let isOpen = false; !isOpen; ) {
      await servers.first().click();
      isOpen = await production.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    }
    await production.click();
    await expectRefused('sandbox', 'only to the sandbox');
    expect(sent.filter((path) => path.includes('/v1'))).to.deep.equal([]);
  });

  it('an operation is closed until its address or the reader opens it, and the renderer is loaded to try it', async () => {
    const { page } = visitor();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await visitor().goTo('/docs');
    const scope = page.getByText('Needs the scope jobs:write').first();
    expect(await scope.isVisible()).to.equal(false);
    await visitor().goTo('/docs#tag/jobs/createJob');
    await scope.waitFor();
    await page.getByRole('link', { name: 'JobInput' }).first().click();
    await page.getByText('Other fields are rejected.').first().waitFor();
    expect(loaded.filter((path) => path.includes('/renderer/'))).to.deep.equal([]);
    await visitor().follow(/Try it in the sandbox.*Create a job/);
    await page
      .locator('[id$="/createJob"]')
      .getByRole('button', { name: /Test Request/ })
      .waitFor();
  });

  it('its contents are searched for words of what they lead to, whatever their case and accents', async () => {
    const { page } = visitor();
    await visitor().goTo('/docs');
    const search = page.getByRole('searchbox');
    const found = () => page.locator('nav li:visible > a').allInnerTexts();
    const all = await found();
    await search.fill('IDEMPOTENCY-Key  créate');
    expect(await found())
      .to.include('Create a job')
      .and.not.include('List categories');
    await search.fill('salary_max');
    expect(await found())
      .to.include.members(['Schemas', 'JobInput'])
      .and.not.include('List categories');
    await visitor().look('reference-search');
    await page.getByRole('link', { name: 'JobInput', exact: true }).first().click();
    await page.getByText('Other fields are rejected.').first().waitFor();
    await search.fill('xyzzy');
    expect([await found(), await page.getByRole('status').first().innerText()]).to.deep.equal([[], 'Nothing found.']);
    await search.fill('');
    expect([await found(), await page.getByRole('status').first().innerText()]).to.deep.equal([all, '']);
  });

  it('without scripts the whole reference can be read', async () => {
    const { page } = visitor();
    await page.route(/\.js$/, (route) => route.abort());
    await visitor().goTo('/docs');
    const html = await page.locator('main').innerHTML();
    for (const part of ['>Environments</h2>', 'href="/openapi.yaml"', 'href="/llms.txt"'])
      expect(html).to.include(part);
    expect(await page.getByRole('searchbox').count()).to.equal(0);
    await page.locator('summary', { hasText: 'Create a job' }).click();
    await page.getByText('Needs the scope jobs:write').first().waitFor();
  });
});
