import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SessionData } from 'express-session';
import { SessionStore } from '../../src/auth/page-session.ts';
import { sessionSecrets } from '../../src/auth/session-secrets-sql.ts';
import { portOf } from '../helper/address.ts';
import { clock, databaseUrl, db, later, newCompany, server, startApp } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { asPerson, has, newUser, PageClient, password, textOf, tokenIn } from '../helper/page-client.ts';
import { absentDatabase, onServer } from '../helper/test-database.ts';
import { times } from '../helper/times.ts';

const store = () => new SessionStore(db(), 'company', clock.now);

const read = (id: string): Promise<SessionData | null> =>
  new Promise((resolve, reject) => store().get(id, (error, data) => (error ? reject(error) : resolve(data ?? null))));

/** The session id in a browser's cookie. */
const idOf = (client: PageClient): string =>
  decodeURIComponent(client.cookies.get('vaga_session') ?? '').replace(/^s:([^.]+)\..*/, '$1');

/** The session as a request loads it, and a function that saves it much later, as a slow request does. */
async function loaded(client: PageClient) {
  const data = await read(idOf(client));
  if (!data) throw new Error('there is no session');
  const save = (as: SessionData): Promise<void> =>
    new Promise((resolve, reject) => store().set(idOf(client), as, (error) => (error ? reject(error) : resolve())));
  return { data, save, saveLate: () => save({ ...data, notice: 'slow' }) };
}

const heldKey = 41_220_914;
/** Makes inserts of signed-in sessions wait for an advisory lock. */
const holdInserts = `
  CREATE FUNCTION hold_session() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(${heldKey}); RETURN NEW; END';
  CREATE TRIGGER hold_session BEFORE INSERT ON page_sessions FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION hold_session(); SELECT pg_advisory_lock(${heldKey})`;
const waiters = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = ${heldKey}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('a session saved by two requests', () => {
  let client: PageClient;
  before(async () => {
    client = await asPerson(await newCompany());
  });
  const wrongly = { label: 'x', password: 'uma-senha-errada' };

  it('a submitted form stays submitted, even if a slower page saves the session afterwards', async () => {
    const form = await client.get('/credentials/issue');
    const { saveLate } = await loaded(client);
    const send = () => client.submit(form, '/credentials/issue', { label: 'x', currentPassword: password });
    const secret = textOf(await send(), '#secret');
    expect(secret).not.to.equal('');
    await saveLate();
    expect(textOf(await send(), '#secret')).to.equal(secret);
  });

  it('a form loaded while another page was loading can be sent', async () => {
    const { saveLate } = await loaded(client);
    const form = await client.get('/credentials/issue');
    await saveLate();
    expect((await client.submit(form, '/credentials/issue', wrongly)).status).to.equal(422);
  });

  it('stays ended after signing out, and no other session of the person ends', async () => {
    const email = await newUser(await newCompany());
    const [here, there] = [await PageClient.signedIn('company', email), await PageClient.signedIn('company', email)];
    const copy = PageClient.copyOf(here);
    const { saveLate } = await loaded(here);
    expect((await here.submit(await here.get('/'), '/sign-out')).headers.location).to.equal('/dashboard/sign-in');
    await saveLate();
    expect(await read(idOf(copy))).to.equal(null);
    expect([(await copy.get('/')).status, (await there.get('/')).status]).to.deep.equal([303, 200]);
  });

  it('is in the database before the sign-in is answered, because browsers follow a redirect at once', async function () {
    const url = databaseUrl();
    // The embedded database has only one connection.
    if (url === undefined) return this.skip();
    const email = await newUser(await newCompany());
    const visitor = new PageClient('company');
    const form = await visitor.get('/sign-in');
    await onServer(url, async (holder) => {
      try {
        await holder.query(holdInserts);
        // Sent with node:http, which reports a response as soon as its head arrives.
        const Cookie = [...visitor.cookies].map((cookie) => cookie.join('=')).join('; ');
        const headers = { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' };
        const sent = request({ port: portOf(server()), path: '/dashboard/sign-in', method: 'POST', headers });
        sent.end(new URLSearchParams({ _csrf: tokenIn(form), email, password }).toString());
        let isAnswered = false;
        const answered = once(sent, 'response').then(([message]: IncomingMessage[]) => {
          isAnswered = true;
          return message;
        });
        while (!isAnswered && (await holder.query(waiters)).rowCount === 0);
        expect(isAnswered, 'the answer began before the session was kept').to.equal(false);
        await holder.query(`SELECT pg_advisory_unlock(${heldKey})`);
        expect((await answered)?.statusCode).to.equal(303);
        sent.destroy();
      } finally {
        await holder.query(`SELECT pg_advisory_unlock_all(); DROP FUNCTION IF EXISTS hold_session() CASCADE`);
      }
    });
  });

  it('a notice is shown only once', async () => {
    const form = await client.get('/credentials/issue');
    const typed = { label: 'noticed', currentPassword: password };
    await client.submit(form, '/credentials/issue', typed);
    await later(120_001, () => client.submit(form, '/credentials/issue', typed));
    const { data, save } = await loaded(client);
    expect(data.notice).to.be.a('string');
    expect(has(await client.get('/'), '.notice')).to.equal(true);
    // A page removes the notice that it loaded; saving can only add a new one.
    const { notice: _, ...taken } = data;
    await save(taken);
    expect(has(await client.get('/'), '.notice')).to.equal(false);
  });
});

describe('pages served by several processes', () => {
  it('share sessions, and show a page when the database is away', async () => {
    const at = await startApp({}, { db: absentDatabase() });
    const person = await asPerson(await newCompany());
    // Another process with the same database has its session.
    expect((await PageClient.copyOf(person, await startApp()).get('/jobs')).status).to.equal(200);
    const page = await PageClient.copyOf(person, at).get('/jobs');
    expect([page.status, page.headers['content-type']]).to.deep.equal([503, 'text/html; charset=utf-8']);
    const anonymous = new PageClient('company');
    const form = await anonymous.get('/sign-in');
    const visitor = PageClient.copyOf(anonymous, at);
    expect((await visitor.submit(form, '/sign-in', { email: 'ana@example.com', password })).status).to.equal(503);
  });

  it('share one secret, which the first start makes; a SESSION_SECRET is accepted too', async () => {
    await db().serviceState.deleteMany({ where: { name: 'session_secret' } });
    const config = { dataDir: ownFolder(), sessionSecret: undefined };
    const made = await Promise.all(times(5, () => sessionSecrets(db(), config)));
    expect(made[0]?.[0]).to.have.length.above(40);
    expect(new Set(made.flat()).size).to.equal(1);
    const set = 'x'.repeat(32);
    const both = await sessionSecrets(db(), { ...config, sessionSecret: set });
    expect(both).to.deep.equal([made[0]?.[0], set]);
    const email = await newUser(await newCompany());
    const before = await PageClient.signedIn('company', email, await startApp({}, { sessionSecrets: [set] }));
    for (const [secrets, status] of [
      [both, 200],
      [made[0], 303],
    ] as const) {
      const after = await startApp({}, { sessionSecrets: secrets ?? [] });
      expect((await PageClient.copyOf(before, after).get('/account')).status).to.equal(status);
    }
  });

  it('keep the former version’s secret in the embedded folder, if it is complete', async () => {
    const dataDir = ownFolder();
    for (const [kept, isTaken] of [
      ['x'.repeat(31), false],
      ['x'.repeat(43), true],
    ] as const) {
      await db().serviceState.deleteMany({ where: { name: 'session_secret' } });
      await writeFile(join(dataDir, 'session-secret'), kept);
      const [secret] = await sessionSecrets(db(), { dataDir, sessionSecret: undefined });
      expect(secret === kept).to.equal(isTaken);
    }
  });
});
