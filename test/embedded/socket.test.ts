import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { newCluster } from '../../scripts/new-cluster.ts';
import { connectionTo, type Embedded, openEmpty } from '../../src/database/embedded.ts';
import { socketPathIn } from '../../src/database/embedded-lock.ts';
import { serveSocket } from '../../src/database/embedded-socket.ts';
import { ownFolder } from '../helper/own-folder.ts';

let embedded: Embedded;
let connection: pg.PoolConfig;

async function client(at: pg.PoolConfig = connection): Promise<pg.Client> {
  const made = new pg.Client({ query_timeout: 10_000, ...at });
  made.on('error', () => undefined);
  await made.connect();
  return made;
}

/** A socket after its start-up message. */
async function rawClient(): Promise<Socket> {
  const socket = connect(`${connection.host}/.s.PGSQL.5432`);
  const names = ['user', 'postgres', 'database', 'postgres', 'application_name', 'vaga', ''].map(text);
  socket.write(message('', int32(196_608), ...names));
  await once(socket, 'data');
  return socket;
}

describe('connections to the embedded database', () => {
  before(async () => {
    const opened = await openEmpty();
    connection = opened.connection;
    embedded = await opened.start();
  });
  after(() => embedded.close());

  it('a query that arrives in pieces never gets another query’s parameters', async () => {
    const slow = await rawClient();
    const other = await client();
    const asked = bytesOf('SELECT $1::text AS secret', 'of the slow one');
    for (const cut of [12, 30, 45, 60, asked.length - 3]) {
      slow.write(asked.subarray(0, cut));
      await sleep(20);
      const { rows } = await other.query('SELECT $1::text AS open, 1 AS one', ['of the other']);
      expect(rows).to.deep.equal([{ open: 'of the other', one: 1 }]);
      slow.write(asked.subarray(cut));
      const [answer] = await once(slow, 'data');
      expect(String(answer)).to.include('secret').and.to.include('of the slow one').and.not.to.include('of the other');
    }
    slow.destroy();
    await other.end();
  });

  it('transactions are serialized, and a dead client’s transaction is rolled back', async () => {
    const [one, two] = [await client(), await client()];
    await one.query('CREATE TABLE turns (who text)');
    await one.query('BEGIN');
    await one.query(`INSERT INTO turns VALUES ('one')`);
    const waiting = two.query('SELECT count(*)::int AS n FROM turns');
    await sleep(50);
    // The death of a process, not a polite end.
    socketOf(one).destroy();
    expect((await waiting).rows).to.deep.equal([{ n: 0 }]);
    await two.end();
  });

  it('an error in a pipeline loses no response for other connections', async () => {
    const broken = await rawClient();
    const wrong = bytesOf('SELECT 1 / $1::int', '0');
    const pipeline = Buffer.concat([wrong, bytesOf('SELECT $1::text', 'later')]);
    const firstSync = wrong.length - 5;
    broken.write(pipeline.subarray(0, firstSync));
    const neighbour = await client();
    expect((await neighbour.query('SELECT $1::int AS n', [1])).rows).to.deep.equal([{ n: 1 }]);
    let answer = '';
    broken.on('data', (bytes) => {
      answer += bytes;
    });
    broken.write(pipeline.subarray(firstSync));
    while (!answer.includes('later')) await once(broken, 'data');
    expect(answer).to.include('division by zero');
    broken.destroy();
    await neighbour.end();
  });

  it('an idle transaction is rolled back, and other connections continue', async () => {
    const folder = ownFolder();
    const db = await newCluster();
    const stop = await serveSocket(db, socketPathIn(folder), { idleInTransactionMs: 4000 });
    const at = { ...connectionTo(folder), query_timeout: 60_000 };
    const [sleeper, other] = [await client(at), await client(at)];
    await sleeper.query('CREATE TABLE sleepers (who text)');
    await sleeper.query('BEGIN');
    await sleeper.query(`INSERT INTO sleepers VALUES ('sleeper')`);
    const ended = new Promise((resolve) => sleeper.once('end', resolve));
    expect((await other.query('SELECT count(*)::int AS n FROM sleepers')).rows).to.deep.equal([{ n: 0 }]);
    await ended;
    await other.end();
    await stop();
    await db.close();
  });

  it('a connection leaves nothing behind for the next one, whether it ends or dies', async () => {
    const left = [
      `SET search_path = ''`,
      'CREATE TEMPORARY TABLE pg_class_like (id int)',
      'LISTEN everybody',
      'PREPARE kept AS SELECT 1',
      'CREATE ROLE another; SET ROLE another',
      'BEGIN; CREATE TABLE unfinished (id int)',
      'BEGIN; SELECT 1 / 0',
    ];
    const state = `SELECT current_setting('search_path') AS path, current_user AS who, to_regclass('unfinished') AS unfinished,
      (SELECT count(*)::int FROM pg_prepared_statements) AS prepared, (SELECT count(*)::int FROM pg_listening_channels()) AS listening,
      (SELECT count(*)::int FROM pg_class WHERE relname = 'pg_class_like') AS temporary`;
    const asked = async (): Promise<object> => {
      const made = await client();
      const { rows } = await made.query(state);
      await made.end();
      return rows[0];
    };
    const clean = await asked();
    for (const [place, sql] of left.entries()) {
      const one = await client();
      await one.query(sql).catch(() => undefined);
      if (place % 2 === 0) await one.end();
      else socketOf(one).destroy();
      expect(await asked(), sql).to.deep.equal(clean);
    }
  });

  it('psql, pg_dump and other foreign programs are refused with a sentence that names the command to use', async () => {
    for (const application_name of ['psql', 'pg_dump', '', 'vagabond']) {
      const foreign = new pg.Client({ ...connection, application_name });
      foreign.on('error', () => undefined);
      const refusal = await foreign.connect().catch((error) => error);
      expect(refusal).to.have.property('code', '08004');
      expect(String(refusal)).to.match(/serves only Vaga itself: `npm run -s ops -- move` copies it to PostgreSQL/);
    }
    const ours = await client();
    expect((await ours.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    await ours.end();
  });
});

/** pg keeps its socket here; its types leave it out. */
const socketOf = (of: pg.Client): Socket => (of as pg.Client & { connection: { stream: Socket } }).connection.stream;
const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 65_535)]);

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

/** Parse, Bind, Describe, Execute and Sync of one query with one text parameter. */
const bytesOf = (sql: string, parameter: string): Buffer =>
  Buffer.concat([
    message('P', text(''), text(sql), int16(0)),
    message('B', text(''), text(''), int16(0), int16(1), int32(parameter.length), Buffer.from(parameter), int16(0)),
    message('D', Buffer.from('P'), text('')),
    message('E', text(''), int32(0)),
    message('S'),
  ]);
