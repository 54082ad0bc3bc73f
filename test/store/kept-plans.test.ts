import { expect } from 'chai';
import type pg from 'pg';
import { Prisma } from '../../generated/prisma/client.ts';
import { KeptPlans } from '../../src/store/kept-plans.ts';
import { Lanes } from '../../src/store/lanes.ts';
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
      const config = { connectionString: process.env.DATABASE_URL, options: KeptPlans.options };
      const lanes = new Lanes(config, 1, new KeptPlans(keptMs));
      // The cast: pg declares a dozen overloads, of which this is one.
      const send = lanes.query.bind(lanes) as unknown as (query: pg.QueryConfig) => Promise<unknown>;
      const pick = () => send({ name: 'pick', text: 'SELECT * FROM filling WHERE id = $1', values: [1] });
      try {
        await send({ text: 'CREATE TEMPORARY TABLE filling (id int PRIMARY KEY) WITH (autovacuum_enabled = off)' });
        await send({ text: 'VACUUM ANALYZE filling' });
        await pick();
        await send({ text: 'INSERT INTO filling SELECT generate_series(1, 10000)' });
        await pick();
        const explained = (await send({ text: 'EXPLAIN EXECUTE pick (1)' })) as pg.QueryResult;
        expect(JSON.stringify(explained.rows)).to.include(scan);
      } finally {
        await lanes.end();
      }
    });
});
