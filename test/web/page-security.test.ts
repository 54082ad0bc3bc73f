import { expect } from 'chai';
import supertest from 'supertest';
import { databaseStore } from '../../src/rate-limit/limit-store.ts';
import { admission, db, newCompany, server, startApp } from '../helper/fixtures.ts';
import {
  asPerson,
  has,
  newAdministrator,
  newUser,
  type Page,
  PageClient,
  password,
  textOf,
  tokenIn,
  valueIn,
} from '../helper/page-client.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { times } from '../helper/times.ts';

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
    expect(textOf(page, 'main')).to.match(/Try again in \d+ seconds?[.]/);
  });
});

describe('every form', () => {
  let email: string;
  before(async () => {
    email = await newUser(await newCompany());
  });
  const signInForm = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const client = new PageClient('company');
    const _csrf = tokenIn(await client.get('/sign-in'));
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

  it('of a sign-in cannot be sent again after signing in, and shows submitted values as text', async () => {
    const client = new PageClient('company');
    const form = await client.get('/sign-in');
    await client.submit(form, '/sign-in', { email, password });
    expect((await client.submit(form, '/sign-in', { email, password })).status).to.equal(403);
    const page = await new PageClient('company').signIn('"><script>alert(1)</script>@example.com');
    expect(has(page, 'script:not([src])')).to.equal(false);
    expect(valueIn(page, '[name=email]')).to.contain('"><script>alert(1)');
  });
});

describe('the forms of a person in a minute', () => {
  const settings = { FORMS_PER_MINUTE: '5', REQUESTS_PER_MINUTE: '5' };
  const minuteLater = () => db().rateLimit.updateMany({ data: { expire: { decrement: 60_000 } } });
  const reset = async (client: PageClient, form: Page) => (await client.submit(form, '/sandbox/reset')).status;

  it('are counted over all sessions and processes, apart from the company’s requests and its other people', async () => {
    const [one, other] = await Promise.all(
      times(2, () => startApp(settings, { limitStore: databaseStore(admission(), 60) })),
    );
    const acme = await newCompany();
    const email = await newUser(acme);
    const clients = await Promise.all([one, other].map((at) => PageClient.signedIn('company', email, at)));
    const forms = await Promise.all(clients.map((client) => client.get('/sandbox')));
    const sent = times(12, (n) => reset(clients[n % 2] as PageClient, forms[n % 2] as Page));
    expect((await Promise.all(sent)).filter((status) => status !== 429)).to.have.length(5);
    const [client] = clients as [PageClient];
    for (const path of ['/', '/sandbox', '/credentials/issue']) expect((await client.get(path)).status).to.equal(200);
    const reader = await acme.reader('sandbox', one);
    for (let n = 0; n < 6; n++) expect((await reader.get('/account')).status).to.equal(n < 5 ? 200 : 429);
    const colleague = await PageClient.signedIn('company', await newUser(acme, 'sub'), one);
    const account = await colleague.get('/account');
    expect((await colleague.submit(account, '/account/password')).status).to.equal(422);
    const ends = await client.submit(await client.get('/account'), '/account/sign-out-everywhere');
    expect(ends.headers.location, 'ending sessions is never refused').to.equal('/dashboard/sign-in');
  });

  it('past the limit are not done; the page says when to go on and leads back to what was typed', async () => {
    const at = await startApp(settings, { limitStore: databaseStore(admission(), 60) });
    const acme = await newCompany();
    for (const [client, path, field] of [
      [await PageClient.signedIn('company', await newUser(acme), at), '/credentials/issue', 'label'],
      [
        await PageClient.signedIn('administrator', await newAdministrator(), at),
        `/companies/${acme.id}/suspend`,
        'reason',
      ],
    ] as const) {
      const form = await client.get(path);
      const typed = { [field]: 'Chave da loja & "mais"', currentPassword: password };
      for (let n = 0; n < 5; n++) await client.submit(form, path, { ...typed, language: 'en' });
      const before = await db().auditEntry.count({ where: { companyId: acme.id } });
      const limited = await client.submit(form, path, typed);
      expect([limited.status, textOf(limited, 'h1')]).to.deep.equal([429, 'Too many forms within a minute']);
      const seconds = Number(limited.headers['retry-after']);
      expect(seconds).to.be.within(1, 60);
      expect(textOf(limited, '[role=alert]')).to.contain('Nothing was changed.').and.contain(String(seconds));
      expect(limited.text).not.to.contain(password);
      const early = await client.submit(limited, path);
      expect([early.status, valueIn(early, '[name=typed]')]).to.deep.equal([429, valueIn(limited, '[name=typed]')]);
      await minuteLater();
      const back = await client.submit(early, path);
      expect([back.status, valueIn(back, `#${field}`)]).to.deep.equal([200, typed[field]]);
      expect(await db().auditEntry.count({ where: { companyId: acme.id } })).to.equal(before);
      expect((await client.submit(back, path, { currentPassword: password })).status).to.be.oneOf([200, 303]);
      expect(await db().auditEntry.count({ where: { companyId: acme.id } })).to.equal(before + 1);
      await minuteLater();
    }
  });
});

const language = ({ document }: Page) => document.documentElement.lang;
const asks = (accepted: string) => ({ 'Accept-Language': accepted });

describe("the reader's language", () => {
  let visitor: PageClient;
  before(async () => {
    visitor = await asPerson(await newCompany());
  });

  it('is the browser’s preferred one, or English if we have none of its languages', async () => {
    const stranger = new PageClient('company');
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
      const page = await stranger.get('/sign-in', accepted === undefined ? {} : asks(accepted));
      expect([language(page), page.headers['content-language']], accepted).to.deep.equal([expected, expected]);
      expect(page.headers.vary).to.include('Accept-Language, Cookie');
      expect(textOf(page, 'h1')).to.match(expected === 'en' ? /^Sign in/ : /^Iniciar sessão/);
    }
  });

  it('is switched by a form that returns to the same page with its filter', async () => {
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

  it('is switched by a form that an answer shows, with what was typed; errors of forms and pages are in it too', async () => {
    const refused = await visitor.submit(await visitor.get('/sandbox'), '/sandbox/reset', { word: 'no' });
    expect(refused.status).to.equal(422);
    const switched = await visitor.submit(refused, '/sandbox/reset', { language: 'pt' });
    expect([switched.status, language(switched), valueIn(switched, '#word')]).to.deep.equal([200, 'pt-PT', 'no']);
    const invalid = await visitor.send('/credentials/issue', { label: 'x'.repeat(101) });
    expect(textOf(invalid, '#label-error')).to.match(/^Escreva .* 100 /);
    expect(textOf(invalid, '[role=alert]')).to.include('Nada foi alterado.');
    const missing = await visitor.get('/jobs/production/1');
    expect([missing.status, textOf(missing, 'h1')]).to.deep.equal([404, 'Não encontrado']);
    const outOfDate = await visitor.post('/sandbox/reset', { word: 'RESET' });
    expect(textOf(outOfDate, 'main')).to.include('os seus dados foram mantidos');
    const path = '/dashboard/sign-in?next=%2Fdashboard%2Fjobs';
    const stranger = new PageClient('company');
    const email = 'ninguem@example.com';
    const signIn = await stranger.submit(await stranger.send(path, { email }), path, { language: 'pt' });
    expect([signIn.status, language(signIn), valueIn(signIn, '#email')]).to.deep.equal([200, 'pt-PT', email]);
    const account = '/account/password';
    const wrongly = await visitor.submit(await visitor.get('/account'), account, { currentPassword: 'errada' });
    const own = await visitor.submit(wrongly, account, { language: 'en' });
    expect([wrongly.status, own.status, language(own)]).to.deep.equal([422, 200, 'en']);
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
});
