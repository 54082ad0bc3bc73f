import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { Prisma } from '../../generated/prisma/client.ts';
import { poolDefaults } from '../../src/database/open.ts';
import { serverPool } from '../../src/database/pool.ts';
import { databaseUrl, db } from '../helper/fixtures.ts';
import { onCitus, serverUrl } from '../helper/test-database.ts';

describe("PostgreSQL's plans", () => {
  before(function () {
    // Citus cannot plan most statements without their values.
    if (!serverUrl || onCitus) this.skip();
  });

  it('are made once per connection, not for each list of keys', async () => {
    // Sequentially, so that they share a connection.
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

  it('follow a growing table, because connections are renewed', async function () {
    this.timeout(20_000);
    const pool = serverPool(databaseUrl() ?? '', { ...poolDefaults, poolSize: 1 }, { maxLifetimeSeconds: 1 });
    const table = `filling_${randomBytes(4).toString('hex')}`;
    const plan = async (): Promise<string> => {
      const client = await pool.connect();
      try {
        await client.query({ name: 'pick', text: `SELECT * FROM ${table} WHERE id = $1`, values: [1] });
        return JSON.stringify((await client.query('EXPLAIN EXECUTE pick (1)')).rows);
      } finally {
        client.release();
      }
    };
    try {
      await pool.query(`CREATE TABLE ${table} (id int PRIMARY KEY) WITH (autovacuum_enabled = off)`);
      await pool.query(`VACUUM ANALYZE ${table}`);
      expect(await plan()).to.include('Seq Scan');
      await pool.query(`INSERT INTO ${table} SELECT generate_series(1, 10000)`);
      expect(await plan()).to.include('Seq Scan');
      while (!(await plan()).includes('Index')) await once(pool, 'remove');
    } finally {
      await pool.query(`DROP TABLE ${table}`);
      await pool.end();
    }
  });
});
