import { expect } from 'chai';
import supertest from 'supertest';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import { asPerson, has, newUser, type Page, PageClient, password, textOf, tokenIn } from '../helper/page-client.ts';
import { recordedLog } from '../helper/recorded-log.ts';

describe('every page', () => {
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
      expect(textOf(page, 'header').includes('@example.com'), 'who is signed in').to.equal(visitor === client);
    }
    const hurried = new PageClient('company', await startApp({ IP_REQUESTS_PER_MINUTE: '1' }));
    await hurried.get('/sign-in');
    const page = await hurried.get('/sign-in');
    expect([page.status, textOf(page, 'h1')]).to.deep.equal([429, 'Too many requests']);
    expect(page.headers['retry-after']).to.match(/^\d+$/);
  });
});

describe('every form', () => {
  const signInForm = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const client = new PageClient('company');
    const _csrf = tokenIn(await client.get('/sign-in'));
    const email = await newUser(await newCompany());
    return client.post('/sign-in', { _csrf, email, password, ...fields }, headers);
  };

  it("needs its session's CSRF token, even the sign-in form", async () => {
    expect((await signInForm({})).status).to.equal(303);
    const theirs = tokenIn(await new PageClient('company').get('/sign-in'));
    for (const _csrf of ['', 'x', '0'.repeat(64), theirs]) {
      const page = await signInForm({ _csrf });
      expect(page.status, _csrf).to.equal(403);
      expect(textOf(page, 'main')).to.contain('out of date');
    }
  });

  it('is refused if the browser says that another site sent it, or if it is too large, compressed or not a form', async () => {
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

  it('for the language is no exception, and no refusal of a form counts as a failure of the service', async () => {
    const { log, lines } = recordedLog();
    const at = await startApp({}, { log });
    for (const path of ['/language', '/dashboard/sign-in', '/admin/sign-in'])
      for (const [status, type, body, headers = {}] of [
        [413, 'application/x-www-form-urlencoded', 'x'.repeat(33_000)],
        [413, 'application/x-www-form-urlencoded', '&x='.repeat(201)],
        [415, 'application/x-www-form-urlencoded; charset=latin1', 'x=1'],
        [415, 'application/x-www-form-urlencoded', 'x=1', { 'Content-Encoding': 'gzip' }],
      ] as const) {
        const sent = await supertest(at)
          .post(path)
          .set({ 'Content-Type': type, ...headers })
          .send(body);
        expect(sent.status, `${path} ${type} ${body.length}`).to.equal(status);
      }
    expect(lines.filter(({ level }) => Number(level) > 30)).to.deep.equal([]);
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

const language = ({ document }: Page) => document.documentElement.lang;
const asks = (accepted: string) => ({ 'Accept-Language': accepted });

describe("the reader's language", () => {
  it('is the browser’s preferred one, or English if we have none of its languages', async () => {
    const visitor = new PageClient('company');
    for (const [accepted, expected] of [
      ['pt-PT,pt;q=0.9,en;q=0.8', 'pt-PT'],
      ['pt-BR', 'pt-PT'],
      ['pt;q=0.5, en;q=0.4', 'pt-PT'],
      ['en-US,en;q=0.9,pt;q=0.8', 'en'],
      ['fr', 'en'],
      ['*', 'en'],
      [';;;', 'en'],
      [undefined, 'en'],
    ] as const) {
      const page = await visitor.get('/sign-in', accepted === undefined ? {} : asks(accepted));
      expect([language(page), page.headers['content-language']], accepted).to.deep.equal([expected, expected]);
      expect(page.headers.vary).to.include('Accept-Language, Cookie');
      expect(textOf(page, 'h1')).to.match(expected === 'en' ? /^Sign in/ : /^Iniciar sessão/);
    }
  });

  it('is switched by a form that returns to the same page with its filter', async () => {
    const visitor = await asPerson(await newCompany());
    const path = '/dashboard/jobs?environment=sandbox&status=denied';
    const answer = await visitor.switchLanguage(await visitor.get(path));
    expect([answer.status, answer.headers.location]).to.deep.equal([303, path]);
    const cookie = /^vaga_language=pt; Max-Age=31536000; Path=\/; .*HttpOnly; SameSite=Lax$/;
    expect(String(answer.headers['set-cookie'])).to.match(cookie);
    const switched = await visitor.follow(answer);
    expect(language(switched)).to.equal('pt-PT');
    expect(textOf(switched)).to.include('Sem resultados.');
    expect(language(await visitor.follow(await visitor.switchLanguage(switched)))).to.equal('en');
    expect(language(await visitor.get('/jobs', asks('pt')))).to.equal('en');
  });

  it('can be switched on the answer to a form, which leads to the form’s page', async () => {
    const visitor = await asPerson(await newCompany());
    const refused = await visitor.submit(await visitor.get('/sandbox'), '/sandbox/reset', { word: 'no' });
    expect(refused.status).to.equal(422);
    const answer = await visitor.follow(await visitor.switchLanguage(refused));
    expect(answer.headers.location).to.equal('/dashboard/sandbox');
    expect(language(await visitor.follow(answer))).to.equal('pt-PT');
    const path = '/dashboard/sign-in?next=%2Fdashboard%2Fjobs';
    const signIn = await new PageClient('company').send(path, { email: 'ninguem@example.com' });
    expect((await visitor.switchLanguage(signIn)).headers.location).to.equal(path);
  });

  it('its form is no open redirect, ignores unknown languages, and is refused from another site', async () => {
    const choose = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      supertest(server()).post('/language').type('form').set(headers).send(fields);
    const elsewhere = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/\t/evil.example',
    ];
    const odd = ['/v1/jobs', '', '/%', '/dashboard/..//evil.example', 'dashboard', '/dashboard\r\nX: y'];
    for (const next of [...elsewhere, ...odd]) {
      const { status, headers } = await choose({ language: 'pt', next });
      expect(status, next).to.equal(303);
      expect(headers.location, next).to.match(/^\/(dashboard[\w%:]*)?$/);
    }
    expect((await choose({ language: 'xx', next: '/dashboard' })).headers['set-cookie']).to.equal(undefined);
    expect((await choose({ language: 'pt' }, { 'Sec-Fetch-Site': 'cross-site' })).status).to.equal(403);
    expect((await supertest(server()).get('/language')).status).to.equal(404);
  });

  it('applies to errors of forms and to error pages', async () => {
    const visitor = await asPerson(await newCompany());
    await visitor.switchLanguage(await visitor.get(''));
    const refused = await visitor.send('/credentials/issue', { label: 'x'.repeat(101) });
    expect(textOf(refused, '#label-error')).to.match(/^Escreva .* 100 /);
    expect(textOf(refused, '[role=alert]')).to.include('Nada foi alterado.');
    const missing = await visitor.get('/jobs/production/1');
    expect([missing.status, textOf(missing, 'h1')]).to.deep.equal([404, 'Não encontrado']);
    const outOfDate = await visitor.post('/sandbox/reset', { word: 'RESET' });
    expect(textOf(outOfDate, 'main')).to.include('desatualizado');
  });
});
