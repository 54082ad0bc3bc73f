import { expect } from 'chai';
import pg from 'pg';
import { isUnavailable } from '../../src/database/database-errors.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { skipIn } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { rolesOfGuide } from '../helper/guide-roles.ts';
import { onServer } from '../helper/test-database.ts';

/** What the role sets, and with what the service's connections work. */
const settings = [
  ['synchronous_commit', 'off', 'on'],
  ['synchronous_commit', 'local', 'on'],
  ['synchronous_commit', 'remote_write', 'remote_write'],
  ['synchronous_commit', 'remote_apply', 'remote_apply'],
  ['lock_timeout', '1ms', '0'],
  ['extra_float_digits', '-10', '1'],
  ['row_security', 'on', 'off'],
] as const;

describe('settings of the role', () => {
  let postgres: PrivatePostgres;
  let service: string;
  let run: (sql: string) => Promise<unknown>;

  before(async function () {
    postgres = await PrivatePostgres.make().catch(skipIn(this));
    const roles = await rolesOfGuide(postgres);
    await migrateServer(roles.owner);
    ({ service } = roles);
    run = (sql) => onServer(postgres.url, (client) => client.query(sql));
  });
  after(() => postgres?.remove());

  for (const [name, set, kept] of settings)
    it(`${name} = ${set}: the service's connections have ${kept}`, async () => {
      await run(`ALTER ROLE vaga_service SET ${name} = '${set}'`);
      const database = await openDatabase({ databaseUrl: service, dataDir: 'unused' });
      try {
        const { admission, operations, pages } = database.pools;
        for (const pool of [admission, operations, pages]) {
          const { rows } = await pool.query(`SELECT current_setting('${name}') AS found`);
          expect(rows).to.deep.equal([{ found: kept }]);
        }
      } finally {
        await database.close();
        await run('ALTER ROLE vaga_service RESET ALL');
      }
    });

  it('a policy that hides rows is an error of the service, not an empty answer', async () => {
    const database = await openDatabase({ databaseUrl: service, dataDir: 'unused' });
    try {
      await onServer(service.replace('vaga_service', 'postgres'), async (client) => {
        await client.query('ALTER TABLE plans ENABLE ROW LEVEL SECURITY');
      });
      const read = database.pools.admission.query('SELECT FROM plans');
      expect(await read.then(String, String)).to.match(/row-level security policy for table "plans"/);
    } finally {
      await database.close();
    }
  });

  it('a lock timeout counts as unavailable', async () => {
    const [one, other] = [1, 2].map(() => new pg.Client(postgres.url)) as [pg.Client, pg.Client];
    await Promise.all([one.connect(), other.connect()]);
    try {
      await one.query('SELECT pg_advisory_lock(1)');
      await other.query(`SET lock_timeout = '1ms'`);
      const refused = await other.query('SELECT pg_advisory_lock(1)').catch((error) => error);
      expect(refused).to.include({ code: '55P03' });
      expect(isUnavailable(refused)).to.equal(true);
    } finally {
      await Promise.all([one.end(), other.end()]);
    }
  });
});
