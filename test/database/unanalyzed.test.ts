import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { makeCompany } from '../faults/subject.ts';
import { startWholeApp } from '../helper/fixtures.ts';
import { freshKey, RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, openTestDatabase, type TestDatabase } from '../helper/test-database.ts';

const jobs = 5000;

describe('statements that were planned before their tables were filled and analyzed', () => {
  let own: TestDatabase;
  let database: Database;
  let client: RestClient;
  let companyId: bigint;
  let settle: () => Promise<void>;

  before(async function () {
    // A company's rows are counted on its worker.
    if (onCitus) return this.skip();
    own = await openTestDatabase();
    const { databaseUrl } = own;
    // One connection, which keeps its plans and makes its counts readable.
    database = databaseUrl ? await openDatabase({ databaseUrl, dataDir: ':memory:', poolSize: 1 }) : own.database;
    for (const table of ['jobs', 'job_events', 'idempotency_keys'])
      await own.database.pools.operations.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    const app = await startWholeApp({}, { db: database.db });
    settle = app.settle;
    const made = await makeCompany(database);
    ({ companyId } = made);
    client = new RestClient(app.server, 'production', made.token);
  });
  after(async () => {
    await settle?.();
    if (database !== own?.database) await database?.close();
    await own?.close();
  });

  /**
   * What was read from the jobs' tables since the database was made: rows and index entries, and blocks of indexes, which show skipped
   * entries too. Statements that the database runs itself count, such as checks of foreign keys.
   */
  async function countReads(): Promise<{ rows: number; blocks: number }> {
    await settle();
    const { operations } = database.pools;
    await operations.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await operations.query<{ rows: number; blocks: number }>(
      `SELECT ((SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname ~ '^(job|idempotency)') +
               (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname ~ '^(job|idempotency)'))::float8 AS rows,
              (SELECT sum(idx_blks_hit + idx_blks_read) FROM pg_statio_user_indexes
                WHERE relname ~ '^(job|idempotency)')::float8 AS blocks`,
    );
    return rows[0] ?? { rows: Number.NaN, blocks: Number.NaN };
  }

  it('read a bounded number of rows', async () => {
    const key = freshKey();
    const created = await client.create(minimalJob, key);
    expect(created.status).to.equal(201);
    const { id } = created.body.data;
    let title = 0;
    const steps: Readonly<
      Record<string, [work: () => Promise<{ status: number }>, status: number, rowsMax: number, blocksMax: number]>
    > = {
      create: [() => client.create(minimalJob), 201, 20, 60],
      replay: [() => client.create(minimalJob, key), 200, 20, 60],
      read: [() => client.get(`/jobs/${id}`), 200, 20, 60],
      // A long history keeps 200 edits; at most 500 are deleted at once.
      update: [() => client.patch(id, { title: `Outra ${title++}` }), 200, 1500, 200],
      withdraw: [() => client.withdraw(id), 204, 20, 200],
    };
    for (const [name, [work, status]] of Object.entries(steps)) expect((await work()).status, name).to.equal(status);
    const { operations } = own.database.pools;
    await operations.query(
      `INSERT INTO jobs (company_id, environment, status, created_at, updated_at, title, body, contact_instructions, application_method)
       SELECT $1, 'production', 'active', now(), now(), 'Vaga', 'Obras', 'Aqui', 'system' FROM generate_series(1, ${jobs})`,
      [companyId],
    );
    await operations.query(
      `INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at, is_edit)
       SELECT $1, 'production', $2, 'updated', 'active', 'operator', now(), true FROM generate_series(1, ${jobs})`,
      [companyId, id],
    );
    await operations.query(
      `INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
       SELECT company_id, environment, 'key-' || id, '{}', id, now() FROM jobs WHERE company_id = $1`,
      [companyId],
    );
    await operations.query(`UPDATE jobs SET revision = 500, status = 'active' WHERE company_id = $1 AND id = $2`, [
      companyId,
      id,
    ]);
    for (const [name, [work, status, rowsMax, blocksMax]] of Object.entries(steps)) {
      const before = await countReads();
      expect((await work()).status, name).to.equal(status);
      const after = await countReads();
      expect(after.rows - before.rows, name).to.be.within(1, rowsMax);
      expect(after.blocks - before.blocks, name).to.be.within(1, blocksMax);
    }
  });
});
