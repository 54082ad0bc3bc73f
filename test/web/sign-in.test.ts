import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, clock, db, later, newCompany, startApp } from '../helper/fixtures.ts';
import { asPerson, newAdministrator, newUser, PageClient, password, textOf, valueIn } from '../helper/page-client.ts';
import { times } from '../helper/times.ts';

const minuteMs = 60_000;
const wrong = 'uma-senha-errada';
const newEmail = async () => newUser(await newCompany());
const nobody = () => `ninguem-${randomUUID()}@example.com`;

/** An app behind a proxy, with clients at chosen addresses. */
async function visitors() {
  const at = await startApp({ TRUST_PROXY: '127.0.0.1' });
  const from = (address: string) =>
    new PageClient('company', at, { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
  const signIn = async (address: string, email: string, typed?: string) =>
    (await from(address).signIn(email, typed)).status;
  return { from, signIn };
}

describe('sign-in', () => {
  it('a page without a session redirects to the sign-in page, which leads back to the page', async () => {
    const client = new PageClient('company');
    const refused = await client.get('?tab=1');
    expect(refused.status).to.equal(303);
    expect(refused.headers.location).to.equal('/dashboard/sign-in?next=%2Fdashboard%3Ftab%3D1');
    const answer = await client.submit(await client.follow(refused), '/sign-in', { email: await newEmail(), password });
    expect(answer.headers.location).to.equal('/dashboard');
    expect((await client.follow(answer)).status).to.equal(200);
  });

  it('`next` is no open redirect', async () => {
    const email = await newEmail();
    const addresses = ['https://example.com', '//example.com', '/dashboard/..//example.com', '/admin', '/dashboardx'];
    for (const next of [...addresses, '/\\example.com']) {
      const answer = await new PageClient('company').send(`/sign-in?${new URLSearchParams({ next })}`, {
        email,
        password,
      });
      expect(answer.headers.location, next).to.equal('/dashboard');
    }
  });

  it('main accounts, sub-accounts and people of a suspended company sign in, whatever the case of the e-mail address', async () => {
    const acme = await newCompany();
    await db().company.update({ where: { id: acme.id }, data: { suspendedAt: new Date() } });
    for (const role of ['main', 'sub'] as const) {
      const email = ` ${(await newUser(acme, role)).toUpperCase()} `;
      expect((await new PageClient('company').signIn(email)).status, role).to.equal(303);
    }
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

  it('ten failures from one address block the account for that address only, even with the right password', async () => {
    const { from, signIn } = await visitors();
    const email = await newEmail();
    // An account that does not exist is blocked in the same way.
    const texts = new Set<string>();
    for (const typed of [email, nobody()]) {
      await Promise.all(Array.from({ length: 10 }, () => signIn('192.0.2.1', typed, wrong)));
      const closed = await from('192.0.2.1').signIn(typed);
      expect(closed.status).to.equal(429);
      expect(Number(closed.headers['retry-after'])).to.be.within(1, 900);
      texts.add(textOf(closed, '[role=alert]').replace(/\d\d:\d\d/, 'then'));
    }
    expect([...texts]).to.have.length(1);
    expect(await signIn('192.0.2.1', await newEmail())).to.equal(303);
    expect(await signIn('192.0.2.99', email)).to.equal(303);
  });

  it('ten wrong confirmations of a password block further ones for that person, who can still sign in', async () => {
    const email = await newEmail();
    const client = new PageClient('company');
    await client.signIn(email);
    const confirm = async (currentPassword: string) =>
      (await client.send('/credentials/issue', { label: 'x', currentPassword })).status;
    for (let n = 0; n < 10; n++) expect(await confirm(wrong)).to.equal(422);
    expect(await confirm(password)).to.equal(422);
    expect((await new PageClient('company').signIn(email)).status).to.equal(303);
  });

  it('a successful sign-in resets the failures from that address, and is not counted itself', async () => {
    const { signIn } = await visitors();
    const email = await newEmail();
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) await signIn('192.0.2.1', email, wrong);
      expect(await signIn('192.0.2.1', email)).to.equal(303);
    }
    for (let n = 0; n < 35; n++) expect(await signIn('192.0.2.3', email)).to.equal(303);
  });

  it('thirty failures block a network address, whatever the accounts; further ones count against no account', async () => {
    const { signIn } = await visitors();
    const email = await newEmail();
    for (let i = 0; i < 30; i++) expect(await signIn('192.0.2.1', `x${i}@example.com`)).to.equal(422);
    expect(await signIn('192.0.2.1', email)).to.equal(429);
    for (let i = 0; i < 11; i++) expect(await signIn('192.0.2.1', email, wrong)).to.equal(429);
    expect(await signIn('192.0.2.2', email)).to.equal(303);
  });

  it('thirty of many simultaneous failures are answered; successes among them do not change the count in this window or the next', async () => {
    const { signIn } = await visitors();
    const email = await newEmail();
    const statuses = async () =>
      (
        await Promise.all(times(48, (n) => (n < 8 ? signIn('192.0.2.9', email) : signIn('192.0.2.9', nobody()))))
      ).sort();
    for (const _ of ['this', 'next']) {
      expect((await statuses()).filter((status) => status === 422)).to.have.length(30);
      const counted = await db().rateLimit.findUniqueOrThrow({ where: { key: 'vaga:sign-in-address:192.0.2.9' } });
      expect(counted.points).to.be.within(30, 48);
      await db().rateLimit.updateMany({ data: { expire: { decrement: 15 * minuteMs } } });
    }
  });

  it('fullwidth, decomposed and zero-width letters name the same account; a look-alike from another script does not', async () => {
    const acme = await newCompany();
    const email = `ana-${randomUUID()}@example.com`;
    const create = (typed: string) =>
      createUser(actionContext(), { companyId: acme.id, email: typed, role: 'sub', password });
    await create(email.replace('ana', '\uff21n\u200ba'));
    for (const typed of [email, email.replace('a', '\uff41'), email.replace('@', '\u00ad\uff20\u2060')]) {
      expect((await new PageClient('company').signIn(typed)).status, typed).to.equal(303);
      if (typed.includes('@')) await expectRefused('email_taken', () => create(typed));
    }
    for (const typed of [email.replace('a', '\u0430'), email.replace('a', 'e\u0301')])
      await expectRefused('invalid_input', () => create(typed));
    // An account from before these rules.
    const older = email.replace('a', '\u0430\uff41\u00e9');
    await db().user.update({ where: { email }, data: { email: older } });
    expect((await new PageClient('company').signIn(older)).status).to.equal(303);
  });
});

describe('a session', () => {
  const signedIn = async () => asPerson(await newCompany());
  const statusOf = async (client: PageClient) => (await client.get('/')).status;

  it('gets a new id at sign-in, which the database does not contain; the previous id gives no access', async () => {
    const client = new PageClient('company');
    const form = await client.get('/sign-in');
    const intruder = PageClient.copyOf(client);
    await client.submit(form, '/sign-in', { email: await newEmail(), password });
    const [id = '', before] = [client, intruder].map(
      ({ cookies }) => /^s%3A([^.]+)/.exec(cookies.get('vaga_session') ?? '')?.[1],
    );
    expect(id).to.have.length(32).and.not.equal(before);
    expect(await statusOf(intruder)).to.equal(303);
    const rows = await db().$queryRaw<{ text: string }[]>`SELECT row_to_json(s)::text AS text FROM page_sessions s`;
    expect(rows.some(({ text }) => text.includes(id))).to.equal(false);
  });

  it('has a cookie for its portal only, HttpOnly and SameSite, and Secure over https', async () => {
    const plain = await new PageClient('company').get('/sign-in');
    expect(plain.headers['set-cookie']?.[0]).to.match(/^vaga_session=[^;]+; Path=\/dashboard; HttpOnly; SameSite=Lax$/);
    const secure = await (await visitors()).from('192.0.2.1').get('/sign-in');
    expect(secure.headers['set-cookie']?.[0]).to.match(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('lasts 12 hours, used or not, and is then deleted', async () => {
    const hourMs = 60 * minuteMs;
    const client = await signedIn();
    for (const [hours, status] of [
      [11.9, 200],
      [12.1, 303],
    ] as const)
      await later(hours * hourMs, async () => expect(await statusOf(client), `${hours} hours`).to.equal(status));
    await later(25 * hourMs, async () => {
      const ended = () => db().pageSession.count({ where: { expiresAt: { lte: clock.now() } } });
      // Each new session deletes up to twenty.
      const visits = Math.ceil((await ended()) / 20) + 1;
      for (let i = 0; i < visits; i++) await new PageClient('company').get('/sign-in');
      expect(await ended()).to.equal(0);
    });
  });

  it('ends by signing out, and no other session does', async () => {
    const email = await newEmail();
    const [here, there] = [await PageClient.signedIn('company', email), await PageClient.signedIn('company', email)];
    const copy = PageClient.copyOf(here);
    expect((await here.submit(await here.get('/'), '/sign-out')).headers.location).to.equal('/dashboard/sign-in');
    expect([await statusOf(copy), await statusOf(there)]).to.deep.equal([303, 200]);
  });

  it('leads to the sign-in page and its form if the account is gone', async () => {
    const email = await newEmail();
    const client = await PageClient.signedIn('company', email);
    await db().user.delete({ where: { email } });
    const page = await client.follow(await client.get('/'));
    expect(page.status).to.equal(200);
    const accepted = await client.submit(page, '/sign-in', { email: await newEmail(), password });
    expect(accepted.status).to.equal(303);
  });

  it("an administrator's account and session give no access to the dashboard, nor a company's to the administration", async () => {
    const [user, administrator] = [await newEmail(), await newAdministrator()];
    expect((await new PageClient('company').signIn(administrator)).status).to.equal(422);
    expect((await new PageClient('administrator').signIn(user)).status).to.equal(422);
    expect(await statusOf(await PageClient.signedIn('administrator', administrator))).to.equal(200);
    const client = await PageClient.signedIn('company', user);
    const { id: personId } = await db().user.findUniqueOrThrow({ where: { email: user } });
    const where = { personId, portal: 'company' } as const;
    expect((await db().pageSession.updateMany({ where, data: { portal: 'administrator' } })).count).to.equal(1);
    expect(await statusOf(client)).to.equal(303);
  });
});
