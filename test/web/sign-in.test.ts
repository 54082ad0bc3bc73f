import { randomUUID } from 'node:crypto';
import { install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { accountKey, purgeEndedCounts } from '../../src/queries/sign-in-counts.ts';
import { SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { clock, db, newCompany, startApp } from '../helper/fixtures.ts';
import { newAdministrator, newUser, PageClient, password, textOf } from '../helper/page-client.ts';

const minuteMs = 60_000;

/** Runs `work` with the clock ahead. */
async function later<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  clock.aheadMs += minutes * minuteMs;
  try {
    return await work();
  } finally {
    clock.aheadMs -= minutes * minuteMs;
  }
}

const wrong = 'uma-senha-errada';

/** An app behind a proxy, with clients at chosen addresses, and its counts as another process with the same settings sees them. */
async function visitors() {
  const namespace = `visitors-${randomUUID()}`;
  const at = await startApp({ TRUST_PROXY: '127.0.0.1', LIMITS_NAMESPACE: namespace });
  const from = (address: string) =>
    new PageClient('company', at, { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
  const where = { key: { startsWith: `${namespace}:` } };
  const rows = async () => (await db().rateLimit.findMany({ where })).map(({ key }) => key);
  return { from, rows, limits: new SignInLimits(db(), namespace) };
}

const signedIn = async () => PageClient.signedIn('company', await newUser(await newCompany()));

describe('sign-in', () => {
  it('a page without a session redirects to the sign-in page, which leads back to it', async () => {
    const email = await newUser(await newCompany());
    const client = new PageClient('company');
    const refused = await client.get('?tab=1');
    expect(refused.status).to.equal(303);
    expect(refused.headers.location).to.equal('/dashboard/sign-in?next=%2Fdashboard%3Ftab%3D1');
    const answer = await client.submit(await client.follow(refused), '/sign-in', { email, password });
    expect(answer.headers.location).to.equal('/dashboard');
    expect((await client.follow(answer)).status).to.equal(200);
  });

  it('`next` is no open redirect', async () => {
    const email = await newUser(await newCompany());
    for (const next of [
      'https://example.com',
      '//example.com',
      '/dashboard/..//example.com',
      '/admin',
      '/dashboardx',
      '/\\example.com',
    ]) {
      const client = new PageClient('company');
      const answer = await client.submit(await client.get('/sign-in'), '/sign-in', { email, password, next });
      expect(answer.headers.location, next).to.equal('/dashboard');
    }
  });

  it('main accounts, sub-accounts and people of a suspended company sign in, whatever the case of the e-mail address', async () => {
    const acme = await newCompany();
    await db().company.update({ where: { id: acme.id }, data: { suspendedAt: new Date() } });
    for (const role of ['main', 'sub'] as const) {
      const client = new PageClient('company');
      const answer = await client.signIn(` ${(await newUser(acme, role)).toUpperCase()} `);
      expect(answer.status, role).to.equal(303);
    }
  });

  it('every failure has the same text; the form keeps the e-mail address but not the password', async () => {
    const email = await newUser(await newCompany());
    const texts = new Set<string>();
    for (const [typed, word] of [
      [email, 'uma-senha-errada'],
      ['ninguem@example.com', password],
      [email, ''],
      [email, 'x'.repeat(2000)],
      ['não é um endereço', password],
      [`${'x'.repeat(300)}@example.com`, password],
    ] as const) {
      const page = await new PageClient('company').signIn(typed, word);
      expect(page.status, typed).to.equal(422);
      texts.add(textOf(page, '[role=alert]'));
      expect(page.document.querySelector('[name=password]')?.getAttribute('value')).to.equal(null);
      expect(page.document.querySelector('[name=email]')?.getAttribute('value')).to.equal(typed);
    }
    expect([...texts]).to.have.length(1);
  });

  it('ten failures from one address block the account for that address only, also with the right password', async () => {
    const { from } = await visitors();
    const [email, other] = [await newUser(await newCompany()), await newUser(await newCompany())];
    // An account that does not exist is blocked alike.
    const texts = new Set<string>();
    for (const typed of [email, `ninguem-${randomUUID()}@example.com`]) {
      await Promise.all(Array.from({ length: 10 }, () => from('192.0.2.1').signIn(typed, wrong)));
      const closed = await from('192.0.2.1').signIn(typed);
      expect(closed.status).to.equal(429);
      expect(Number(closed.headers['retry-after'])).to.be.within(1, 900);
      texts.add(textOf(closed, '[role=alert]').replace(/\d\d:\d\d/, 'then'));
    }
    expect([...texts]).to.deep.equal([
      'Signing in is blocked until then, also with the right password: there were too many failed attempts with this e-mail address or from this network.',
    ]);
    expect((await from('192.0.2.1').signIn(other)).status).to.equal(303);
    expect((await from('192.0.2.99').signIn(email)).status).to.equal(303);
  });

  it('a hundred failures from many addresses block an account for a while', async () => {
    const { from, limits } = await visitors();
    const email = await newUser(await newCompany());
    for (let n = 0; n < 90; n++) expect(await limits.consume('company', email, `198.51.100.${n % 9}`)).to.equal(0);
    const tries = Array.from({ length: 10 }, () => from('192.0.2.1').signIn(email, wrong));
    expect((await Promise.all(tries)).map(({ status }) => status)).to.deep.equal(Array(10).fill(422));
    expect((await from('192.0.2.99').signIn(email)).status).to.equal(429);
  });

  it('failures elsewhere do not stop a signed-in person from confirming the password', async () => {
    const { from, limits } = await visitors();
    const email = await newUser(await newCompany());
    const client = from('192.0.2.1');
    await client.signIn(email);
    for (let n = 0; n < 101; n++) await limits.consume('company', email, `198.51.100.${n}`);
    expect((await from('192.0.2.99').signIn(email)).status).to.equal(429);
    const form = await client.get('/credentials/issue');
    const issued = await client.submit(form, '/credentials/issue', { label: 'x', currentPassword: password });
    expect(issued.status).to.equal(200);
  });

  it('a successful sign-in resets the count of failures from that address', async () => {
    const { from } = await visitors();
    const email = await newUser(await newCompany());
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) await from('192.0.2.1').signIn(email, wrong);
      expect((await from('192.0.2.1').signIn(email)).status).to.equal(303);
    }
  });

  it('thirty failures block a network address, whichever accounts they were for', async () => {
    const { from } = await visitors();
    const email = await newUser(await newCompany());
    for (let i = 0; i < 30; i++) expect((await from('192.0.2.1').signIn(`x${i}@example.com`)).status).to.equal(422);
    expect((await from('192.0.2.1').signIn(email)).status).to.equal(429);
    expect((await from('192.0.2.2').signIn(email)).status).to.equal(303);
  });

  it('attempts from a blocked address do not count against an account', async () => {
    const { from, rows } = await visitors();
    const email = await newUser(await newCompany());
    for (let i = 0; i < 30; i++) await from('192.0.2.1').signIn(`x${i}@example.com`);
    for (let i = 0; i < 12; i++) expect((await from('192.0.2.1').signIn(email, wrong)).status).to.equal(429);
    expect((await rows()).filter((key) => key.includes(accountKey('company', email)))).to.deep.equal([]);
  });

  it('successful sign-ins are not counted', async () => {
    const at = await startApp();
    const email = await newUser(await newCompany());
    for (let i = 0; i < 35; i++) expect((await new PageClient('company', at).signIn(email)).status).to.equal(303);
  });
});

describe('counts of failed sign-ins', () => {
  it('are by the database’s clock, and block nobody for longer if it steps back', async () => {
    const { limits, rows } = await visitors();
    const fail = () => limits.consume('company', 'x@example.com', '192.0.2.1');
    for (let n = 0; n < 10; n++) expect(await fail()).to.equal(0);
    const wrongClock = install({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    try {
      expect(await fail()).to.be.within(1, 900);
    } finally {
      wrongClock.uninstall();
    }
    await db().rateLimit.updateMany({
      where: { key: { in: await rows() } },
      data: { expire: { increment: 3_600_000 } },
    });
    expect(await fail()).to.equal(0);
  });

  it('are deleted when their window has ended, and not before', async () => {
    const key = `purge-${randomUUID()}`;
    const ending = [-70_000, -50_000, 1000].map((ms) => BigInt(Date.now() + ms));
    await db().rateLimit.createMany({ data: ending.map((expire) => ({ key: `${key}:${expire}`, points: 1, expire })) });
    await purgeEndedCounts(db());
    const left = await db().rateLimit.findMany({ where: { key: { startsWith: key } }, orderBy: { expire: 'asc' } });
    expect(left.map(({ expire }) => expire)).to.deep.equal(ending.slice(1));
  });
});

describe('a session', () => {
  it('gets a new id at sign-in, and the previous id gives no access', async () => {
    const email = await newUser(await newCompany());
    const client = new PageClient('company');
    const form = await client.get('/sign-in');
    const before = client.cookies.get('vaga_session') ?? '';
    await client.submit(form, '/sign-in', { email, password });
    expect(client.cookies.get('vaga_session')).not.to.equal(before);
    const intruder = new PageClient('company');
    intruder.cookies.set('vaga_session', before);
    expect((await intruder.get('/')).status).to.equal(303);
  });

  it('has a cookie for its portal only, HttpOnly and SameSite, and Secure over https', async () => {
    const plain = await new PageClient('company').get('/sign-in');
    expect(plain.headers['set-cookie']?.[0]).to.match(/^vaga_session=[^;]+; Path=\/dashboard; HttpOnly; SameSite=Lax$/);
    const at = await startApp({ TRUST_PROXY: '127.0.0.1' });
    const secure = await new PageClient('company', at, { 'X-Forwarded-Proto': 'https' }).get('/sign-in');
    expect(secure.headers['set-cookie']?.[0]).to.match(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('the database does not contain its id', async () => {
    const client = await signedIn();
    const id = decodeURIComponent(client.cookies.get('vaga_session') ?? '').replace(/^s:([^.]+)\..*/, '$1');
    const rows = await db().$queryRaw<{ text: string }[]>`SELECT row_to_json(s)::text AS text FROM page_sessions s`;
    expect(id).to.have.length(32);
    expect(rows.some(({ text }) => text.includes(id))).to.equal(false);
  });

  it('ends after 30 minutes without a request, and after 12 hours in any case', async () => {
    const client = await signedIn();
    await later(29, async () => expect((await client.get('/')).status).to.equal(200));
    await later(58, async () => expect((await client.get('/')).status).to.equal(200));
    await later(89, async () => expect((await client.get('/')).status).to.equal(303));
    const busy = await signedIn();
    for (let minutes = 25; minutes < 12 * 60; minutes += 25)
      await later(minutes, async () => expect((await busy.get('/')).status, String(minutes)).to.equal(200));
    await later(12 * 60 + 1, async () => expect((await busy.get('/')).status).to.equal(303));
  });

  it('a new session deletes ended ones', async () => {
    await signedIn();
    await later(13 * 60, async () => {
      for (let i = 0; i < 30; i++) await new PageClient('company').get('/sign-in');
      expect(await db().pageSession.count({ where: { expiresAt: { lte: clock.now() } } })).to.equal(0);
    });
  });

  it('ends by signing out, and no other session does', async () => {
    const email = await newUser(await newCompany());
    const [here, there] = [await PageClient.signedIn('company', email), await PageClient.signedIn('company', email)];
    const copy = new PageClient('company');
    for (const [name, value] of here.cookies) copy.cookies.set(name, value);
    expect((await here.submit(await here.get('/'), '/sign-out')).headers.location).to.equal('/dashboard/sign-in');
    expect((await copy.get('/')).status).to.equal(303);
    expect((await there.get('/')).status).to.equal(200);
  });

  it('without its account leads to the sign-in page, which shows its form', async () => {
    const email = await newUser(await newCompany());
    const client = await PageClient.signedIn('company', email);
    await db().user.delete({ where: { email } });
    const page = await client.follow(await client.get('/'));
    expect([page.status, textOf(page, 'h1')]).to.deep.equal([200, 'Sign in to the dashboard']);
    const other = await newUser(await newCompany());
    expect((await client.submit(page, '/sign-in', { email: other, password })).status).to.equal(303);
  });

  it("an administrator's account and session give no access to the dashboard, nor a company's to the administration", async () => {
    const [user, administrator] = [await newUser(await newCompany()), await newAdministrator()];
    expect((await new PageClient('company').signIn(administrator)).status).to.equal(422);
    expect((await new PageClient('administrator').signIn(user)).status).to.equal(422);
    const console = await PageClient.signedIn('administrator', administrator);
    expect((await console.get('/')).status).to.equal(200);
    const client = await PageClient.signedIn('company', user);
    const { personId, idHash } = await db().pageSession.findFirstOrThrow({
      where: { personId: (await db().user.findUniqueOrThrow({ where: { email: user } })).id },
    });
    expect(personId).not.to.equal(null);
    await db().pageSession.updateMany({ where: { idHash }, data: { portal: 'administrator' } });
    expect((await client.get('/')).status).to.equal(303);
  });
});
