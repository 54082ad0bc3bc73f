import { expect } from 'chai';
import { makeCompany } from '../faults/subject.ts';
import { startApp } from '../helper/fixtures.ts';
import { guideCommands } from '../helper/guide.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { openTestDatabase } from '../helper/test-database.ts';

it('the guide’s deletions remove only old rows that no company uses', async () => {
  const { database, close } = await openTestDatabase();
  try {
    const pool = database.pools.operations;
    const at = await startApp({}, { db: database.db });
    const { companyId, token, sandbox } = await makeCompany(database);
    const clients = [new RestClient(at, 'sandbox', sandbox), new RestClient(at, 'production', token)];
    for (const client of clients) expect((await client.create(minimalJob, 'kept')).status).to.equal(201);
    const accounts = async () => Promise.all(clients.map(async (client) => (await client.get('/account')).body));
    const before = await accounts();
    await pool.query(
      `INSERT INTO audit_entries (actor, action, details, created_at)
       VALUES ('operator', 'old', '{}', now() - interval '3 years'), ('operator', 'new', '{}', now())`,
    );
    await pool.query(
      `INSERT INTO credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at, revoked_at)
       SELECT $1::bigint, 'sandbox', 'read', label, label::bytea, '', now(), now() + expires::interval, now() + revoked::interval
         FROM (VALUES ('expired', '-2 years', NULL), ('revoked', '1 day', '-2 years'), ('lately', '-1 day', NULL)) AS c (label, expires, revoked)`,
      [companyId],
    );
    await pool.query(
      `INSERT INTO posting_usage (company_id, allowance, period_start, used)
       VALUES ($1, 'subscription', '2020-01-01', 5), ($1, 'complimentary', now(), 5)`,
      [companyId],
    );
    const deletions = guideCommands('DELETE FROM audit_entries').trim().split('\n');
    expect(deletions).to.have.length(3);
    for (const deletion of deletions) await pool.query(deletion);
    const left = async (sql: string) => (await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
    expect(await left(`SELECT action AS name FROM audit_entries WHERE action IN ('old', 'new')`)).to.deep.equal([
      'new',
    ]);
    expect(await left('SELECT label AS name FROM credentials ORDER BY id')).to.deep.equal(['fault', 'fault', 'lately']);
    const used = await left('SELECT allowance::text AS name FROM posting_usage ORDER BY 1');
    expect(used).to.deep.equal(['complimentary', 'sandbox', 'subscription']);
    expect(await accounts()).to.deep.equal(before);
    for (const client of clients) expect((await client.create(minimalJob, 'kept')).status).to.equal(200);
  } finally {
    await close();
  }
});
