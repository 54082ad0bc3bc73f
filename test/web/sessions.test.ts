import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import type { SessionData } from 'express-session';
import pg from 'pg';
import { PageSessions } from '../../src/auth/session-store.ts';
import { portOf } from '../helper/address.ts';
import { clock, databaseUrl, db, newCompany, server } from '../helper/fixtures.ts';
import { newUser, type Page, PageClient, password, tokenIn } from '../helper/page-client.ts';

const store = () => new PageSessions(db(), 'company', clock.now);

const read = (id: string): Promise<SessionData | null> =>
  new Promise((resolve, reject) => {
    store().get(id, (error, data) => (error ? reject(error) : resolve(data ?? null)));
  });

const save = (id: string, data: SessionData): Promise<void> =>
  new Promise((resolve, reject) => {
    store().set(id, data, (error) => (error ? reject(error) : resolve()));
  });

/** The session id in a browser's cookie. */
const idOf = (client: PageClient): string =>
  decodeURIComponent(client.cookies.get('vaga_session') ?? '').replace(/^s:([^.]+)\..*/, '$1');

/** The session as a request loads it; a slow request saves it much later. */
async function loaded(client: PageClient): Promise<SessionData> {
  const data = await read(idOf(client));
  if (!data) throw new Error('there is no session');
  return data;
}

const onceIn = ({ document }: Page): string => document.querySelector<HTMLInputElement>('[name=once]')?.value ?? '';

const heldKey = 41_220_914;
/** Makes inserts of signed-in sessions wait for an advisory lock. */
const holdInserts = `
  CREATE FUNCTION hold_session() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(${heldKey}); RETURN NEW; END';
  CREATE TRIGGER hold_session BEFORE INSERT ON page_sessions FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION hold_session()`;

async function waiters(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS waiting FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted AND objid = ${heldKey}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows[0].waiting;
}

/** Sends the sign-in form with node:http, which reports a response at its head. */
async function sendForm(form: Page, typed: Record<string, string>): Promise<ClientRequest> {
  const port = portOf(server());
  const cookie = (form.headers['set-cookie'] as unknown as string[]).map((line) => line.split(';')[0]).join('; ');
  const headers = { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' };
  const sent = request({ port, path: '/dashboard/sign-in', method: 'POST', headers });
  return sent.end(new URLSearchParams({ _csrf: tokenIn(form), ...typed }).toString());
}

describe('a session saved by two requests', () => {
  let client: PageClient;
  beforeEach(async () => {
    client = await PageClient.signedIn('company', await newUser(await newCompany()));
  });

  it('a form counts as sent, even if a slower page saves the session afterwards', async () => {
    const form = await client.get('/credentials/issue');
    const slow = await loaded(client);
    const send = () => client.submit(form, '/credentials/issue', { label: 'x', password: 'uma-senha-errada' });
    expect((await send()).status).to.equal(422);
    await save(idOf(client), { ...slow, notice: 'slow' });
    const again = await send();
    expect([again.status, again.headers.location]).to.deep.equal([303, '/dashboard/credentials']);
  });

  it('a form loaded while another page was loading can be sent', async () => {
    const slow = await loaded(client);
    const form = await client.get('/credentials/issue');
    await save(idOf(client), { ...slow, notice: 'slow' });
    expect(await store().takeFormToken(idOf(client), onceIn(form))).to.equal(true);
  });

  it('stays ended after signing out', async () => {
    const slow = await loaded(client);
    await client.submit(await client.get('/'), '/sign-out');
    await save(idOf(client), { ...slow, notice: 'slow' });
    expect(await read(idOf(client))).to.equal(null);
    expect((await client.get('/')).status).to.equal(303);
  });

  it('is in the database before the sign-in is answered, because a browser follows a redirect at its first line', async function () {
    const url = databaseUrl();
    // The embedded database has only one connection.
    if (url === undefined) return this.skip();
    const email = await newUser(await newCompany());
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      const form = await new PageClient('company').get('/sign-in');
      await holder.query(`${holdInserts}; SELECT pg_advisory_lock(${heldKey})`);
      const sent = await sendForm(form, { email, password });
      let isAnswered = false;
      const answered = once(sent, 'response').then(([message]: IncomingMessage[]) => {
        isAnswered = true;
        return message;
      });
      while (!isAnswered && (await waiters(holder)) === 0);
      expect(isAnswered, 'the answer began before the session was kept').to.equal(false);
      await holder.query(`SELECT pg_advisory_unlock(${heldKey})`);
      expect((await answered)?.statusCode).to.equal(303);
      sent.destroy();
    } finally {
      await holder.query(`SELECT pg_advisory_unlock_all(); DROP FUNCTION IF EXISTS hold_session() CASCADE`);
      await holder.end();
    }
  });

  it('a notice is shown only once', async () => {
    const form = await client.get('/credentials/issue');
    for (let n = 0; n < 2; n++)
      await client.submit(form, '/credentials/issue', { label: 'x', password: 'uma-senha-errada' });
    const slow = await loaded(client);
    expect(slow.notice).to.be.a('string');
    expect((await client.get('/')).document.querySelector('.notice')).not.to.equal(null);
    // A page removes the notice that it loaded; saving can only add a new one.
    const { notice: _, ...taken } = slow;
    await save(idOf(client), taken);
    expect((await client.get('/')).document.querySelector('.notice')).to.equal(null);
  });
});
