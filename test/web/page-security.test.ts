import { expect } from 'chai';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import { newAdministrator, newUser, PageClient, password, textOf } from '../helper/page-client.ts';

describe('every page', () => {
  it('has a strict content security policy, no inline script or style, and is not cached', async () => {
    const client = await PageClient.signedIn('company', await newUser(await newCompany()));
    for (const page of [
      await client.get('/'),
      await client.get('/nothing'),
      await new PageClient('company').get('/sign-in'),
    ]) {
      expect(page.headers['content-security-policy']).to.equal(
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'",
      );
      expect(page.headers['cache-control']).to.equal('no-store');
      expect(page.headers['x-content-type-options']).to.equal('nosniff');
      expect(page.headers['x-frame-options']).to.equal('DENY');
      expect(page.headers['referrer-policy']).to.equal('same-origin');
      expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(page.text).to.match(/^<!DOCTYPE html><html lang="en">/);
      expect(page.document.querySelectorAll('style, [style], script:not([src]), [onclick]')).to.have.length(0);
    }
  });

  it('refuses plain http with a page where https is required', async () => {
    const page = await new PageClient('company', server(), { 'X-Forwarded-Proto': 'http' }).get('/sign-in');
    expect(page.status).to.equal(400);
    expect(textOf(page, 'main')).to.contain('HTTPS is required.');
  });

  it('404 is a page too, with and without a session', async () => {
    const client = await PageClient.signedIn('company', await newUser(await newCompany()));
    for (const path of ['/nothing', '/%', '/sign-in/x']) {
      const page = await client.get(path);
      expect(page.status, path).to.equal(404);
      expect(textOf(page, 'h1')).to.equal('Not found');
    }
    expect((await new PageClient('company').get('/nothing')).status).to.equal(404);
  });

  it('429 for too many requests from one address is a page too', async () => {
    const at = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
    const client = new PageClient('company', at);
    await client.get('/sign-in');
    const page = await client.get('/sign-in');
    expect(page.status).to.equal(429);
    expect(page.headers['retry-after']).to.match(/^\d+$/);
    expect(textOf(page, 'h1')).to.equal('Too many requests');
  });
});

describe('pages of both portals', () => {
  const paths = {
    company: ['/', '/credentials', '/jobs', '/requests', '/sandbox', '/activity', '/account', '/nothing'],
    administrator: ['/', '/review', '/companies', '/plans', '/categories', '/audit', '/account', '/nothing'],
  };

  for (const portal of ['company', 'administrator'] as const)
    it(`are not indexed, and each has a description of its own: ${portal}`, async () => {
      const email = portal === 'company' ? await newUser(await newCompany()) : await newAdministrator();
      const client = await PageClient.signedIn(portal, email);
      const described = new Set<string>();
      for (const path of paths[portal]) {
        const { document } = await client.get(path);
        const meta = (name: string) => document.querySelector(`meta[name=${name}]`)?.getAttribute('content') ?? '';
        expect(meta('robots'), path).to.equal('noindex');
        expect(document.title.startsWith(meta('description').split(':')[0] ?? ''), path).to.equal(true);
        expect(meta('description'), path).to.match(/^[^:]+: part of the .{20,}\.$/);
        described.add(meta('description'));
      }
      expect(described.size).to.equal(paths[portal].length);
    });

  for (const portal of ['company', 'administrator'] as const)
    it(`have links that are clear without their context: ${portal}`, async () => {
      const acme = await newCompany();
      for (let n = 0; n < 2; n++) await acme.issue('sandbox', 'write', 7);
      const email = portal === 'company' ? await newUser(acme) : await newAdministrator();
      const client = await PageClient.signedIn(portal, email);
      for (const path of paths[portal]) {
        const { document } = await client.get(path);
        const leadsTo = new Map<string, string>();
        for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
          const [words, href] = [(link.textContent ?? '').replace(/\s+/g, ' ').trim(), link.getAttribute('href') ?? ''];
          expect(words, `${path} ${href}`).not.to.match(
            /^(change|older|next|previous|more|here|replace|revoke|keep it|)$/i,
          );
          expect(link.hasAttribute('aria-label'), words).to.equal(false);
          // Two companies or jobs may have the same name.
          if (!/^\/admin\/companies\/\d/.test(href)) {
            expect(leadsTo.get(words) ?? href, `${path} ${words}`).to.equal(href);
            leadsTo.set(words, href);
          }
        }
      }
    });
});

describe('every form', () => {
  const signInForm = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const client = new PageClient('company');
    const { document } = await client.get('/sign-in');
    const token = document.querySelector<HTMLInputElement>('[name=_csrf]')?.value ?? '';
    const email = await newUser(await newCompany());
    return client.post('/sign-in', { _csrf: token, email, password, ...fields }, headers);
  };

  it("needs its session's CSRF token, the sign-in form too", async () => {
    expect((await signInForm({})).status).to.equal(303);
    for (const token of ['', 'x', '0'.repeat(64)]) {
      const page = await signInForm({ _csrf: token });
      expect(page.status).to.equal(403);
      expect(textOf(page, 'main')).to.contain('This form is out of date.');
    }
    const other = await new PageClient('company').get('/sign-in');
    const theirs = other.document.querySelector<HTMLInputElement>('[name=_csrf]')?.value ?? '';
    expect((await signInForm({ _csrf: theirs })).status).to.equal(403);
  });

  it('is refused if the browser says that another site sent it', async () => {
    for (const from of ['cross-site', 'same-site'])
      expect((await signInForm({}, { 'Sec-Fetch-Site': from })).status, from).to.equal(403);
    for (const from of ['same-origin', 'none'])
      expect((await signInForm({}, { 'Sec-Fetch-Site': from })).status, from).to.equal(303);
  });

  it('is refused if it is too large, compressed or no form at all', async () => {
    expect((await signInForm({ email: 'x'.repeat(33_000) })).status).to.equal(413);
    expect((await signInForm({}, { 'Content-Encoding': 'gzip' })).status).to.equal(415);
    expect((await signInForm({}, { 'Content-Type': 'text/plain' })).status).to.equal(403);
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
    expect(page.document.querySelectorAll('script:not([src])')).to.have.length(0);
    expect(page.document.querySelector('[name=email]')?.getAttribute('value')).to.contain('"><script>alert(1)');
  });
});
