import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { openTestDatabase } from '../helper/test-database.ts';

const readDeletions = async (): Promise<string[]> => {
  const readme = await readFile(join(packageRoot, 'scripts/deploy/README.md'), 'utf8');
  return readme.match(/^DELETE FROM .*;$/gm) ?? [];
};

describe('what the operations guide lets an operator delete', () => {
  it('does not change a company or anything that it uses', async () => {
    const acme = await newCompany();
    const clients = [await acme.writer('sandbox'), await acme.writer('production')];
    for (const client of clients) await client.create(minimalJob, 'kept');
    const accounts = async () => Promise.all(clients.map(async (client) => (await client.get('/account')).body));
    const before = await accounts();
    const deletions = await readDeletions();
    expect(deletions).to.have.length(3);
    for (const deletion of deletions) await db().$executeRawUnsafe(deletion);
    expect(await accounts()).to.deep.equal(before);
    for (const client of clients) expect((await client.create(minimalJob, 'kept')).status).to.equal(200);
  });

  it("deletes old rows and keeps the sandbox's count", async () => {
    const own = await openTestDatabase();
    try {
      const pool = own.database.pools.operations;
      await pool.query(`INSERT INTO companies (id, name) VALUES (7, 'Oficina')`);
      await pool.query(
        `INSERT INTO audit_entries (actor, action, details, created_at)
         VALUES ('operator', 'old', '{}', now() - interval '3 years'), ('operator', 'new', '{}', now())`,
      );
      await pool.query(
        `INSERT INTO credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at, revoked_at)
         SELECT 7, 'sandbox', 'read', label, label::bytea, '', now(), now() + expires::interval, now() + revoked::interval
           FROM (VALUES ('expired', '-2 years', NULL), ('revoked', '1 day', '-2 years'), ('lately', '-1 day', NULL),
                        ('valid', '1 year', NULL)) AS c (label, expires, revoked)`,
      );
      await pool.query(
        `INSERT INTO posting_usage (company_id, allowance, period_start, used)
         VALUES (7, 'sandbox', '1970-01-01', 5), (7, 'subscription', '2020-01-01', 5), (7, 'complimentary', now(), 5)`,
      );
      for (const deletion of await readDeletions()) await pool.query(deletion);
      const left = async (sql: string) => (await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
      expect(await left('SELECT action AS name FROM audit_entries')).to.deep.equal(['new']);
      expect(await left('SELECT label AS name FROM credentials ORDER BY id')).to.deep.equal(['lately', 'valid']);
      const used = await left('SELECT allowance::text AS name FROM posting_usage ORDER BY 1');
      expect(used).to.deep.equal(['complimentary', 'sandbox']);
    } finally {
      await own.close();
    }
  });
});
