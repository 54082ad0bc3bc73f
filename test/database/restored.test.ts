import { expect } from 'chai';
import { missingIn } from '../../src/database/inspect.ts';
import type { Database } from '../../src/database/open.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { addDays, type Day } from '../../src/domain/dates.ts';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { endComplimentary, grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { endSubscription, setSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { keepUsage } from '../../src/operations/companies/usage-sql.ts';
import { createJob } from '../../src/operations/jobs/change-job-sql.ts';
import { removeAdministrator } from '../../src/operations/users/people/account.ts';
import { createAdministrator } from '../../src/operations/users/people/create-account.ts';
import { operatorOf } from '../faults/subject.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { openTestDatabase, type TestDatabase } from '../helper/test-database.ts';

let today: Day;

describe('what doctor --restored finds missing', () => {
  let own: TestDatabase;
  let database: Database;
  let companyId: bigint;
  let jobs = 0;

  before(async () => {
    own = await openTestDatabase();
    ({ database } = own);
    const { rows } = await database.pools.operations.query('SELECT current_date::text AS today');
    [{ today }] = rows;
    ({ companyId } = await createCompany(operatorOf(database), { name: 'Padaria', plan: 'Pro' }));
    await grantComplimentary(operatorOf(database), { companyId, limit: 100 });
    for (const email of ['ana@example.com', 'rui@example.com'])
      await createAdministrator(operatorOf(database), { email, password: 'uma frase que é longa' });
  });
  after(() => own.close());

  const run = (sql: string) => database.pools.operations.query(sql);
  const missing = async (): Promise<string[]> => {
    const client = await database.pools.operations.connect();
    return missingIn(client).finally(() => client.release(true));
  };

  /** Creates a production job on a day that counts against an allowance's period from `start`. */
  const post = (day: Day, allowance: 'subscription' | 'complimentary', start: Day) =>
    createJob(
      database.db,
      { companyId, environment: 'production' },
      {
        ...{ key: `key ${++jobs}`, hashes: {}, checksDistricts: false, status: 'pending', actor: 'credential:1' },
        now: new Date(`${day}T12:00:00Z`),
        entitlement: { allowance, accessType: allowance, limit: 100, period: { start, end: addDays(start, 30) } },
        fields: { ...minimalJob, salary_negotiable: false },
      },
    );

  it('nothing after a subscription and a grant that overlap, end and begin again, and old counts that were deleted', async () => {
    // Periods of 30, 31 and 28 days, and days of the service that begin before or after those of UTC.
    for (const [start, days] of [
      [380, 4],
      [320, 3],
      [290, 2],
      [260, 3],
      [229, 4],
      [31, 5],
      [0, 2],
    ] as const)
      for (let n = 0; n < days; n++) {
        await post(addDays(today, -start + (start === 0 ? 0 : n * 5)), 'subscription', addDays(today, -start));
        if (start > 40) await post(addDays(today, -start + 20 + n), 'complimentary', addDays(today, -start + 9));
      }
    await run(`DELETE FROM posting_usage WHERE period_start < current_date - 365`);
    await inTransaction(database.db, (tx) =>
      keepUsage(tx, companyId, 'subscription', { from: today, to: addDays(today, -3), today }),
    );
    await endSubscription(operatorOf(database), { companyId });
    await endComplimentary(operatorOf(database), { companyId });
    // As earlier releases did.
    await run('DELETE FROM complimentary_grants');
    await removeAdministrator(operatorOf(database), { email: 'rui@example.com' });
    await run('CREATE TABLE notes_of_the_operator (text text)');
    expect(await missing()).to.deep.equal([]);
    await run('DROP TABLE notes_of_the_operator');
    await setSubscription(operatorOf(database), { companyId, plan: 'Pro' });
    await grantComplimentary(operatorOf(database), { companyId, limit: 100 });
  });

  it('nothing after rows of another resource, whose keys count no posting', async () => {
    await run(`
      INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, resource, resource_id, created_at)
      SELECT ${companyId}, environment::environment, 'porto-' || id, '{}', 'locations', id, now()
        FROM unnest(ARRAY['sandbox', 'production']) AS environment, generate_series(1, 9) AS id`);
    expect(await missing()).to.deep.equal([]);
  });

  it('the sequence that would give an id again, of any table', async () => {
    await run(`CREATE TABLE locations (company_id bigint, id bigserial, name text, PRIMARY KEY (company_id, id));
               INSERT INTO locations (company_id, name) SELECT ${companyId}, 'Porto' FROM generate_series(1, 9)`);
    expect(await missing()).to.deep.equal([]);
    await run(`SELECT setval('locations_id_seq', 1, false)`);
    expect(await missing()).to.deep.equal(['1 sequences behind their table']);
    // Only the keys know the ids of an empty table.
    await run('DELETE FROM locations');
    expect(await missing()).to.deep.equal(['1 sequences behind their table']);
    await run('DROP TABLE locations');
    expect(await missing()).to.deep.equal([]);
    // The same holds for a deleted job.
    const [{ id }] = (await run(`SELECT max(id) AS id FROM jobs WHERE company_id = ${companyId}`)).rows;
    await run(`DELETE FROM job_events WHERE company_id = ${companyId} AND job_id = ${id}`);
    await run(`DELETE FROM jobs WHERE company_id = ${companyId} AND id = ${id}`);
    expect(await missing()).to.deep.equal([]);
    const nameJob = (from: string, to: string) =>
      run(`UPDATE idempotency_keys SET job_id = ${to} WHERE company_id = ${companyId} AND job_id = ${from}`);
    await nameJob(id, `${id} + 1000000`);
    expect((await missing()).join()).to.match(/^1 sequences (of workers )?behind their table$/);
    await nameJob(`${id} + 1000000`, id);
    expect(await missing()).to.deep.equal([]);
    const { rows } = await run(`
      SELECT pg_get_serial_sequence(relname, 'id') AS name FROM pg_class JOIN pg_attrdef ON adrelid = pg_class.oid
       WHERE relname IN ('companies', 'administrators', 'audit_entries') AND pg_get_expr(adbin, adrelid) LIKE 'nextval(%'`);
    expect(rows).to.have.lengthOf(3);
    const before = await Promise.all(rows.map(({ name }) => run(`SELECT last_value AS last FROM ${name}`)));
    for (const { name } of rows) await run(`SELECT setval('${name}', 1, false)`);
    expect(await missing()).to.deep.equal(['3 sequences behind their table']);
    for (const [at, { name }] of rows.entries()) await run(`SELECT setval('${name}', ${before[at]?.rows[0].last})`);
    expect(await missing()).to.deep.equal([]);
  });

  for (const [lost, table, problem] of [
    [
      `UPDATE posting_usage SET used = 1 + (SELECT count(*) FROM idempotency_keys WHERE resource IS NULL)`,
      'posting_usage',
      '1 companies with more postings than keys',
    ],
    [
      `DELETE FROM posting_usage WHERE period_start >= current_date - 3`,
      'posting_usage',
      '1 companies with fewer postings than keys',
    ],
    ['DELETE FROM posting_usage', 'posting_usage', '1 companies with fewer postings than keys'],
    ['UPDATE posting_usage SET used = 1', 'posting_usage', '1 companies with fewer postings than keys'],
    ['DELETE FROM subscriptions', 'subscriptions', '1 subscriptions that are gone'],
    ['DELETE FROM complimentary_grants', 'complimentary_grants', '1 grants that are gone'],
    ['DELETE FROM administrators', 'administrators', '1 administrators who are gone'],
  ] as const)
    it(`${lost}: ${problem}`, async () => {
      const { rows } = await run(`SELECT * FROM ${table}`);
      await run(lost);
      expect(await missing()).to.deep.equal([problem]);
      await run(`DELETE FROM ${table}`);
      await database.pools.operations.query(
        `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
        [JSON.stringify(rows)],
      );
      expect(await missing()).to.deep.equal([]);
    });
});
