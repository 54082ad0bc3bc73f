import { expect } from 'chai';
import { newCompany, type TestCompany } from '../helper/fixtures.ts';
import { describeInBrowser, type Visitor } from './browser.ts';

/** Opens an operation's “Try it” form, fills in `fields` and sends it. */
async function send(visitor: Visitor, operationId: string, fields: Record<string, string> = {}): Promise<string> {
  const section = visitor.page.locator(`#${operationId}`);
  const form = section.locator('details.try');
  if ((await form.getAttribute('open')) === null) await form.getByText('Try it in the sandbox').click();
  for (const [name, value] of Object.entries(fields)) await form.getByLabel(name).fill(value);
  await form.getByRole('status').evaluate((status) => status.replaceChildren());
  await form.getByRole('button', { name: 'Send to the sandbox' }).click();
  const answer = form.getByRole('status').locator('p');
  await answer.waitFor();
  return form.getByRole('status').innerText();
}

describeInBrowser('the public pages in a browser', (visitor) => {
  let acme: TestCompany;
  beforeEach(async () => {
    acme = await newCompany();
  });

  it('the front page has no axe violations and leads to the reference and the dashboard', async () => {
    await visitor().goTo('/');
    await visitor().look('front');
    await visitor().follow('API reference');
    expect(await visitor().text('h1')).to.equal('Vaga job posting API');
    await visitor().goTo('/');
    await visitor().follow('Company dashboard');
    expect(await visitor().text('h1')).to.equal('Sign in to the dashboard');
  });

  it('the reference has no axe violations with everything open and an answer shown', async () => {
    const { page } = visitor();
    await visitor().goTo('/docs');
    await page.getByLabel('Sandbox token for “Try it”').fill(await acme.secret('sandbox', 'read'));
    await send(visitor(), 'getAccount');
    for (const details of await page.locator('details').all())
      await details.evaluate((element) => element.setAttribute('open', ''));
    // axe skips the colours of content that is not laid out yet.
    for (const section of await page.locator('section').all())
      await section.evaluate((element) => element.style.setProperty('content-visibility', 'visible'));
    await visitor().look('reference');
  });

  it('its table of contents links to every section', async () => {
    await visitor().goTo('/docs');
    const missing = await visitor().page.evaluate(
      "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.getAttribute('href')).filter((href) => !document.getElementById(href.slice(1)))",
    );
    expect(missing).to.deep.equal([]);
  });

  it('copies an example', async () => {
    await visitor().goTo('/docs');
    await visitor().page.locator('#getAccount').getByRole('button', { name: 'Copy' }).first().click();
    await visitor().page.locator('#getAccount').getByText('Copied').waitFor();
    expect(await visitor().page.evaluate('navigator.clipboard.readText()')).to.match(/^curl -i "\$API\/account"/);
  });

  it('“Try it” calls the sandbox with the typed token and stores it nowhere', async () => {
    const { page } = visitor();
    await visitor().goTo('/docs');
    const address = page.url();
    await page.getByLabel('Sandbox token for “Try it”').fill(await acme.secret('sandbox', 'write'));
    expect(await send(visitor(), 'getAccount'))
      .to.match(/^HTTP 200 /)
      .and.include(`"company_id": ${acme.id}`);
    const made = await send(visitor(), 'createJob');
    expect(made)
      .to.match(/^HTTP 201 /)
      .and.include('x-api-environment: sandbox');
    const id = /"id": (\d+)/.exec(made)?.[1] ?? '';
    expect(await send(visitor(), 'updateJob', { id })).to.match(/^HTTP 200 /);
    expect(await send(visitor(), 'listJobs', { per_page: '500' }))
      .to.match(/^HTTP 422 /)
      .and.include('must be at most 100');
    expect(await send(visitor(), 'withdrawJob', { id })).to.match(/^HTTP 204 /);
    expect(page.url()).to.equal(address);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).to.deep.equal([
      0,
      0,
      '',
    ]);
    await page.reload();
    expect(await page.locator('#token').inputValue()).to.equal('');
  });

  it('“Try it” sends no production token, and nothing outside the sandbox', async () => {
    const { page } = visitor();
    const sent: string[] = [];
    await visitor().goTo('/docs');
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    const token = page.getByLabel('Sandbox token for “Try it”');
    expect(await send(visitor(), 'getAccount')).to.include('begins with vaga_test_');
    await token.fill(await acme.secret('production', 'write'));
    expect(await send(visitor(), 'getAccount')).to.include('begins with vaga_test_');
    expect(sent).to.deep.equal([]);
    await token.fill(await acme.secret('sandbox', 'write'));
    for (const id of ['../../../v1/jobs/1', '..', '../..', '//elsewhere.example/', '%2e%2e/%2e%2e'])
      await send(visitor(), 'getJob', { id });
    for (const path of sent) expect(path).to.match(/^\/sandbox\/v1\//);
  });
});
