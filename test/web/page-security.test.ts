import { expect } from 'chai';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  has,
  newUser,
  PageClient,
  password,
  textOf,
  tokenIn,
} from '../helper/page-client.ts';

const policy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'";

describe('every page', () => {
  it('has a strict content security policy, no inline script or style, and is not cached', async () => {
    const client = await asPerson(await newCompany());
    const visitor = new PageClient('company');
    for (const page of [await client.get('/'), await client.get('/nothing'), await visitor.get('/sign-in')]) {
      expect(page.headers).to.include({
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(page.text).to.match(/^<!DOCTYPE html><html lang="en">/);
      expect(has(page, 'style, [style], script:not([src]), [onclick]')).to.equal(false);
    }
  });

  it('refuses plain http with a page where https is required', async () => {
    const page = await new PageClient('company', server(), { 'X-Forwarded-Proto': 'http' }).get('/sign-in');
    expect(page.status).to.equal(400);
    expect(textOf(page, 'main')).to.contain('HTTPS');
  });

  it('404, and 429 for too many requests from one address, are pages too', async () => {
    const client = await asPerson(await newCompany());
    for (const [visitor, path] of [
      [client, '/nothing'],
      [client, '/%'],
      [client, '/sign-in/x'],
      [new PageClient('company'), '/nothing'],
    ] as const) {
      const page = await visitor.get(path);
      expect([page.status, textOf(page, 'h1')], path).to.deep.equal([404, 'Not found']);
    }
    const hurried = new PageClient('company', await startApp({ IP_REQUESTS_PER_MINUTE: '1' }));
    await hurried.get('/sign-in');
    const page = await hurried.get('/sign-in');
    expect([page.status, textOf(page, 'h1')]).to.deep.equal([429, 'Too many requests']);
    expect(page.headers['retry-after']).to.match(/^\d+$/);
  });
});

const paths = {
  company: ['/', '/credentials', '/jobs', '/requests', '/sandbox', '/activity', '/account', '/nothing'],
  administrator: ['/', '/review', '/companies', '/plans', '/categories', '/audit', '/account', '/nothing'],
};

for (const portal of ['company', 'administrator'] as const)
  it(`pages are not indexed, and have their own description and links that are clear without context: ${portal}`, async () => {
    const acme = await newCompany();
    for (let n = 0; n < 2; n++) await acme.issue('sandbox', 'write', 7);
    const client = portal === 'company' ? await asPerson(acme) : await asAdministrator();
    const described = new Set<string>();
    for (const path of paths[portal]) {
      const { document } = await client.get(path);
      const meta = (name: string) => document.querySelector(`meta[name=${name}]`)?.getAttribute('content') ?? '';
      expect(meta('robots'), path).to.equal('noindex');
      expect(document.title.startsWith(meta('description').split(':')[0] ?? ''), path).to.equal(true);
      expect(meta('description'), path).to.match(/^[^:]+: .{20,}\.$/);
      described.add(meta('description'));
      const leadsTo = new Map<string, string>();
      for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
        const [words, href] = [(link.textContent ?? '').replace(/\s+/g, ' ').trim(), link.getAttribute('href') ?? ''];
        const unclear = /^(change|older|next|previous|more|here|replace|revoke|keep it|)$/i;
        expect(words, `${path} ${href}`).not.to.match(unclear);
        expect(link.hasAttribute('aria-label'), words).to.equal(false);
        // Two companies or jobs may have the same name.
        if (/^\/admin\/companies\/\d/.test(href)) continue;
        expect(leadsTo.get(words) ?? href, `${path} ${words}`).to.equal(href);
        leadsTo.set(words, href);
      }
    }
    expect(described.size).to.equal(paths[portal].length);
  });

describe('every form', () => {
  const signInForm = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const client = new PageClient('company');
    const _csrf = tokenIn(await client.get('/sign-in'));
    const email = await newUser(await newCompany());
    return client.post('/sign-in', { _csrf, email, password, ...fields }, headers);
  };

  it("needs its session's CSRF token, the sign-in form too", async () => {
    expect((await signInForm({})).status).to.equal(303);
    const theirs = tokenIn(await new PageClient('company').get('/sign-in'));
    for (const _csrf of ['', 'x', '0'.repeat(64), theirs]) {
      const page = await signInForm({ _csrf });
      expect(page.status, _csrf).to.equal(403);
      expect(textOf(page, 'main')).to.contain('out of date');
    }
  });

  it('is refused if the browser says that another site sent it, or if it is too large, compressed or no form', async () => {
    for (const [status, headers, fields] of [
      [403, { 'Sec-Fetch-Site': 'cross-site' }],
      [403, { 'Sec-Fetch-Site': 'same-site' }],
      [303, { 'Sec-Fetch-Site': 'same-origin' }],
      [303, { 'Sec-Fetch-Site': 'none' }],
      [413, {}, { email: 'x'.repeat(33_000) }],
      [415, { 'Content-Encoding': 'gzip' }],
      [403, { 'Content-Type': 'text/plain' }],
    ] as const)
      expect((await signInForm({ ...fields }, headers)).status, JSON.stringify(headers)).to.equal(status);
  });

  it('a sign-in form cannot be sent again after signing in', async () => {
    const email = await newUser(await newCompany());
    const client = new PageClient('company');
    const form = await client.get('/sign-in');
    await client.submit(form, '/sign-in', { email, password });
    expect((await client.submit(form, '/sign-in', { email, password })).status).to.equal(403);
  });

  it('shows submitted values as text', async () => {
    const page = await new PageClient('company').signIn('"><script>alert(1)</script>@example.com');
    expect(has(page, 'script:not([src])')).to.equal(false);
    expect(page.document.querySelector('[name=email]')?.getAttribute('value')).to.contain('"><script>alert(1)');
  });
});
