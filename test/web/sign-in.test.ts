import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { expect } from 'chai';
import { namedMax } from '../../src/auth/accounts-sql.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { setUserPassword } from '../../src/operations/users/people/set-password.ts';
import { SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { actionContext, db, later, newCompany, startApp } from '../helper/fixtures.ts';
import {
  asPerson,
  has,
  newUser,
  newUserOfMany,
  PageClient,
  password,
  textOf,
  textsOf,
  tokenIn,
  valueIn,
} from '../helper/page-client.ts';
import { times } from '../helper/times.ts';

const wrong = 'uma-senha-errada';
const newEmail = async () => newUser(await newCompany());
const fromHere = { 'Sec-Fetch-Site': 'same-origin' };
const nobody = () => `ninguem-${randomUUID()}@example.com`;

describe('sign-in', () => {
  it('a page without a session redirects to the sign-in page, which leads back to the page, also for a sub-account of a suspended company', async () => {
    const client = new PageClient('company');
    const refused = await client.get('?tab=1');
    expect(refused.status).to.equal(303);
    expect(refused.headers.location).to.equal('/dashboard/sign-in?next=%2Fdashboard%3Ftab%3D1');
    const acme = await newCompany();
    await db().company.update({ where: { id: acme.id }, data: { suspendedAt: new Date() } });
    const email = await newUser(acme, 'sub');
    const answer = await client.submit(await client.follow(refused), '/sign-in', { email, password });
    expect(answer.headers.location).to.equal('/dashboard');
    expect((await client.follow(answer)).status).to.equal(200);
  });

  it('leads back to every address of the portal, with its colons and apostrophes', async () => {
    const email = await newEmail();
    for (const address of [
      '/dashboard/requests?from=2026-11-25T10:42&to=2026-11-25T10:42&text=a~b!(*)',
      "/dashboard/people/o'neil!(a)*~%40example.com/remove",
    ]) {
      const client = new PageClient('company');
      const answer = await client.submit(await client.follow(await client.get(address)), '/sign-in', {
        email,
        password,
      });
      expect(answer.headers.location).to.equal(address);
    }
  });

  it('`next` is no open redirect', async () => {
    const email = await newEmail();
    for (const next of [
      'https://example.com',
      'javascript:alert(1)',
      '//example.com',
      '//example.com/dashboard/',
      '/\\example.com',
      '\\\\example.com/dashboard/',
      '/\t/example.com',
      '\r\n//example.com',
      '/dashboard/..//example.com',
      '/dashboard/%2e%2e//example.com',
      '/dashboard/.%2E/%2e./\\example.com',
      '/dashboard\\..\\..\\/example.com',
      '/dashboard/jobs/../../admin',
      '/dashboard@example.com/',
      '/dashboardx',
      '/dashboard/é',
      `/dashboard/${'x'.repeat(8192)}`,
      '/admin',
    ]) {
      const answer = await new PageClient('company').send(`/sign-in?${new URLSearchParams({ next })}`, {
        email,
        password,
      });
      expect(answer.headers.location, next).to.equal('/dashboard');
    }
    for (const next of ["/dashboard/'//example.com", '/dashboard/\\example.com', '/dashboard/x\r\nSet-Cookie: a=b']) {
      const { headers } = await new PageClient('company').send(`/sign-in?${new URLSearchParams({ next })}`, {
        email,
        password,
      });
      const { host, pathname } = new URL(headers.location ?? '', 'https://vaga.example');
      expect([host, pathname.startsWith('/dashboard')], next).to.deep.equal(['vaga.example', true]);
    }
  });

  it('asks which company is meant if several have the address and the password, in both languages', async () => {
    const [acme, other] = [await newCompany({ name: 'Zelo' }), await newCompany({ name: 'Água' })];
    const email = await newUser(acme);
    await createUser(actionContext(), { companyId: other.id, email, role: 'main', password });
    for (const [{ id }, name] of [
      [acme, 'Zelo'],
      [other, 'Água'],
    ] as const) {
      const client = new PageClient('company');
      const asked = await client.signIn(email);
      expect(asked.status).to.equal(200);
      expect(textsOf(asked, '#company option')).to.deep.equal(['Choose', 'Água', 'Zelo']);
      expect(textOf(asked, '#company-hint')).to.match(/^You have accounts in several companies/);
      expect([valueIn(asked, '#email'), has(asked, '[type=password][value]')]).to.deep.equal([email, false]);
      const wrongly = await client.submit(asked, '/sign-in', { company: String(id), password: wrong });
      expect(wrongly.status).to.equal(422);
      expect((await client.submit(asked, '/sign-in', { company: String(id), password })).status).to.equal(303);
      expect(textOf(await client.get('/'), 'header .person > span')).to.equal(name);
    }
    const portuguese = await new PageClient('company', undefined, { 'Accept-Language': 'pt' }).signIn(email);
    expect(textOf(portuguese, '#company-hint')).to.match(/^Tem contas/);
  });

  it('companies whose names look the same are told apart by their IDs', async () => {
    const [one, two] = [await newCompany({ name: 'Oficina Exemplo' }), await newCompany({ name: 'Oficina Exemplo' })];
    await db().company.update({ where: { id: one.id }, data: { name: 'Ofi\u200e\u3164cina  Exemplo\ufe0f' } });
    const email = await newUser(one);
    await createUser(actionContext(), { companyId: two.id, email, role: 'main', password });
    const options = textsOf(await new PageClient('company').signIn(email), '#company option');
    for (const { id } of [one, two]) expect(options.filter((option) => option.endsWith(` (${id})`))).to.have.length(1);
  });

  it('names a bounded number of companies, and says how an account of another is reached', async () => {
    const email = await newUserOfMany();
    const asked = await new PageClient('company').signIn(email);
    expect(textsOf(asked, '#company option:not([value=""])')).to.have.length(namedMax);
    expect(textOf(asked, '#company-hint')).to.include(`Only the oldest ${namedMax} accounts are listed.`);
    const { companyId } = await db().user.findFirstOrThrow({ where: { email }, orderBy: { id: 'desc' } });
    const other = 'uma frase que é longa';
    await setUserPassword(actionContext(), { email, companyId, password: other });
    const client = new PageClient('company');
    expect((await client.signIn(email, other)).status).to.equal(303);
  });

  it('every failure has the same text; the form keeps the e-mail address but not the password', async () => {
    const email = await newEmail();
    const texts = new Set<string>();
    for (const [typed, word] of [
      [email, wrong],
      ['ninguem@example.com', password],
      [email, ''],
      [email, 'x'.repeat(2000)],
      ['não é um endereço', password],
      [`${'x'.repeat(300)}@example.com`, password],
    ] as const) {
      const page = await new PageClient('company').signIn(typed, word);
      expect(page.status, typed).to.equal(422);
      texts.add(textOf(page, '[role=alert]'));
      expect([valueIn(page, '[name=email]'), valueIn(page, '[name=password]')]).to.deep.equal([typed, '']);
    }
    expect([...texts])
      .to.have.length(1)
      .and.not.include('');
  });

  it('ten failures from one address block the account for that address only, whether or not it exists', async () => {
    const at = await startApp({ TRUST_PROXY: '127.0.0.1' });
    const from = (address: string) =>
      new PageClient('company', at, { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
    const email = await newEmail();
    const texts = new Set<string>();
    for (const typed of [email, nobody()]) {
      await Promise.all(times(10, () => from('192.0.2.1').signIn(typed, wrong)));
      const closed = await from('192.0.2.1').signIn(typed);
      expect(closed.status).to.equal(429);
      expect(Number(closed.headers['retry-after'])).to.be.within(1, 900);
      texts.add(textOf(closed, '[role=alert]').replace(/\d\d:\d\d/, 'then'));
    }
    expect([...texts]).to.have.length(1);
    // Of the network, both e-mail addresses and the account; the eleventh is not counted.
    const counted = await db().rateLimit.findMany({
      where: { key: { contains: ':sign-in' }, NOT: { key: { contains: 'tries' } } },
    });
    expect(counted.map(({ points }) => points).sort()).to.deep.equal([10, 10, 10, 20]);
    const elsewhere = await from('192.0.2.99').signIn(email);
    expect([elsewhere.status, String(elsewhere.headers['set-cookie'])].join()).to.match(/^303,.*; HttpOnly; Secure/);
  });

  it('simultaneous failures to one account are answered and counted ten times, so that the rest of their network keeps its tries', async () => {
    const email = await newEmail();
    const answers = await Promise.all(times(25, () => new PageClient('company').signIn(email, wrong)));
    expect(answers.filter(({ status }) => status === 422)).to.have.length(10);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(15);
    const counted = await db().rateLimit.findMany({ where: { key: { startsWith: 'vaga:sign-in-address' } } });
    expect(counted.map(({ points }) => points)).to.deep.equal([10]);
  });

  it('an address signs in sixty times a minute, right or wrong', async () => {
    const at = await startApp({ TRUST_PROXY: '127.0.0.1' });
    const email = await newEmail();
    const from = (address: string) =>
      new PageClient('company', at, { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' }).signIn(email);
    for (let n = 1; n < 60; n++) await new SignInLimits(db()).countTry('192.0.2.1');
    expect((await from('192.0.2.1')).status).to.equal(303);
    const refused = await from('192.0.2.1');
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect((await from('192.0.2.2')).status).to.equal(303);
    await db().rateLimit.updateMany({ data: { expire: { decrement: 60_000 } } });
    expect((await from('192.0.2.1')).status).to.equal(303);
  });

  it('ten wrong confirmations of a password block further ones for that person, who can still sign in', async () => {
    const email = await newEmail();
    const client = await PageClient.signedIn('company', email);
    const { id } = await db().user.findFirstOrThrow({ where: { email } });
    for (let n = 0; n < 10; n++) await new SignInLimits(db()).consumeConfirmation('company', id);
    const refused = await client.send('/credentials/issue', { label: 'x', currentPassword: password });
    expect(refused.status).to.equal(422);
    expect((await new PageClient('company').signIn(email)).status).to.equal(303);
  });
});

describe('before sign-in', () => {
  it('nothing is stored: a cookie and its signature in the form show that the browser got the form', async () => {
    const email = await newEmail();
    const wrongly = [
      () => new PageClient('company').signIn(email, wrong),
      () => new PageClient('company').get('/set-password?link=x'),
      async () => {
        const visitor = new PageClient('company');
        return visitor.switchLanguage(await visitor.get('/sign-in?next=/dashboard/jobs'));
      },
      () => new PageClient('company').post('/jobs/production/1/update', { 'job.title': 'x' }, fromHere),
    ];
    const before = await db().pageSession.count();
    for (const portal of ['company', 'administrator'] as const) {
      const client = new PageClient(portal);
      const form = await client.get('/sign-in');
      const [name, site] = portal === 'company' ? ['vaga_form', 'Lax'] : ['vaga_admin_form', 'Strict'];
      const cookie = new RegExp(`^${name}=[\\w-]{22}; Path=${client.base}; HttpOnly; SameSite=${site}$`);
      expect(form.headers['set-cookie']).to.have.length(1);
      expect(form.headers['set-cookie']?.[0]).to.match(cookie);
    }
    for (const act of wrongly) expect((await act()).status).to.be.oneOf([303, 403, 404, 422]);
    expect(await db().pageSession.count()).to.equal(before);
  });

  it('a form’s token is of its cookie, portal and service, and no form of a session takes it', async () => {
    const email = await newEmail();
    const visitor = new PageClient('company');
    const form = await visitor.get('/sign-in');
    const fields = { _csrf: tokenIn(form), email, password };
    const statusWith = async (cookie: string | undefined, at?: Server) => {
      const client = new PageClient('company', at);
      if (cookie !== undefined) client.cookies.set('vaga_form', cookie);
      return (await client.post('/sign-in', fields)).status;
    };
    const cookie = visitor.cookies.get('vaga_form') ?? '';
    expect(await statusWith(cookie, await startApp({ TRUST_PROXY: '127.0.0.1' }))).to.equal(303);
    const secrets = { sessionSecrets: ['another-secret-that-is-long-enough-1'] };
    expect(await statusWith(cookie, await startApp({}, secrets)), 'another service').to.equal(403);
    for (const other of [undefined, '', `${cookie}x`, `${cookie.slice(1)}x`])
      expect(await statusWith(other), other).to.equal(403);
    const administrator = new PageClient('administrator');
    administrator.cookies.set('vaga_admin_form', cookie);
    expect((await administrator.post('/sign-in', fields)).status).to.equal(403);
    await visitor.post('/sign-in', fields);
    const session = tokenIn(await visitor.get('/account'));
    expect((await visitor.post('/sign-out', { _csrf: fields._csrf })).status, 'in a session').to.equal(403);
    expect((await visitor.post('/sign-out', { _csrf: session })).status).to.equal(303);
    expect(await statusWith(cookie), 'a form has no end').to.equal(303);
  });

  it('a form and its session of the version before are accepted', async () => {
    const visitor = await PageClient.signedIn('company', await newEmail());
    const _csrf = tokenIn(await visitor.get('/account'));
    // As the version before has stored it: without a person.
    await db().$executeRaw`
      UPDATE page_sessions SET person_id = NULL, data = data - 'personId' WHERE data->>'csrfToken' = ${_csrf}`;
    const email = await newEmail();
    expect(tokenIn(await visitor.get('/sign-in'))).to.equal(_csrf);
    expect((await visitor.post('/sign-in', { _csrf, email, password })).status).to.equal(303);
  });
});

describe('a session', () => {
  const statusOf = async (client: PageClient) => (await client.get('/')).status;

  it('has a cookie for its portal only, and a new id at sign-in, which the database does not contain; the previous id gives no access', async () => {
    const client = await PageClient.signedIn('company', await newEmail());
    const intruder = PageClient.copyOf(client);
    await client.submit(await client.get('/'), '/sign-out');
    const form = await client.get('/sign-in');
    const answer = await client.submit(form, '/sign-in', { email: await newEmail(), password });
    const cookie = /^vaga_session=[^;]+; Path=\/dashboard; HttpOnly; SameSite=Lax$/;
    expect(answer.headers['set-cookie']?.[0]).to.match(cookie);
    const [id = '', before] = [client, intruder].map(
      ({ cookies }) => /^s%3A([^.]+)/.exec(cookies.get('vaga_session') ?? '')?.[1],
    );
    expect(id).to.have.length(32).and.not.equal(before);
    expect(await statusOf(intruder)).to.equal(303);
    const rows = await db().$queryRaw<{ text: string }[]>`SELECT row_to_json(s)::text AS text FROM page_sessions s`;
    expect(rows.some(({ text }) => text.includes(id))).to.equal(false);
  });

  it('lasts 12 hours, used or not', async () => {
    const client = await asPerson(await newCompany());
    for (const [hours, status] of [
      [11.9, 200],
      [12.1, 303],
    ] as const)
      await later(hours * 3_600_000, async () => expect(await statusOf(client), `${hours} hours`).to.equal(status));
  });

  it('leads to the sign-in page and its form if the account is gone', async () => {
    const email = await newEmail();
    const client = await PageClient.signedIn('company', email);
    await db().user.deleteMany({ where: { email } });
    const page = await client.follow(await client.get('/'));
    expect(page.status).to.equal(200);
    const accepted = await client.submit(page, '/sign-in', { email: await newEmail(), password });
    expect(accepted.status).to.equal(303);
  });
});
