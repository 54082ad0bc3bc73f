import { expect } from 'chai';
import pg from 'pg';
import { Prisma } from '../../generated/prisma/client.ts';
import { KeptPlans } from '../../src/store/kept-plans.ts';
import { db } from '../helper/world.ts';

describe("PostgreSQL's plans", () => {
  before(function () {
    if (!process.env.DATABASE_URL) this.skip();
  });

  it('are made once for a connection, not anew for each list of keys', async () => {
    // One after the other, so that they share a connection.
    for (let length = 1; length <= 20; length++) {
      const asked = Array.from({ length }, (_, index) => index + 1);
      const found = await db().rows(Prisma.sql`
        SELECT found.id FROM unnest(${asked}::int[]) AS asked (id),
               LATERAL (SELECT id FROM plans WHERE plans.id = asked.id LIMIT 1) AS found`);
      expect(found).to.have.length(Math.min(length, 5));
    }
    const planned = await db().rows<{ generic: number; custom: number }>(Prisma.sql`
      SELECT generic_plans::float8 AS generic, custom_plans::float8 AS custom FROM pg_prepared_statements
       WHERE statement LIKE '%AS asked (id)%' AND statement NOT LIKE '%pg_prepared_statements%'`);
    expect(planned).to.deep.equal([{ generic: 20, custom: 0 }]);
  });

  for (const [keptMs, outcome, scan] of [
    [0, 'follow a table that grows', 'Index'],
    [3_600_000, 'stay until it is time', 'Seq Scan'],
  ] as const)
    it(outcome, async () => {
      const pool = new pg.Pool({
        connectionString: process.env.DATABASE_URL,
        options: KeptPlans.options,
        max: 1,
      });
      const plans = new KeptPlans(keptMs);
      pool.on('acquire', (client) => plans.renew(client));
      const pick = () => pool.query({ name: 'pick', text: 'SELECT * FROM filling WHERE id = $1', values: [1] });
      try {
        await pool.query('CREATE TEMPORARY TABLE filling (id int PRIMARY KEY) WITH (autovacuum_enabled = off)');
        await pool.query('VACUUM ANALYZE filling');
        await pick();
        await pool.query('INSERT INTO filling SELECT generate_series(1, 10000)');
        await pick();
        const explained = await pool.query('EXPLAIN EXECUTE pick (1)');
        expect(JSON.stringify(explained.rows)).to.include(scan);
      } finally {
        await pool.end();
      }
    });
});
