import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { withoutNodes } from '../../src/database/citus/left-out.ts';
import { isUnavailable } from '../../src/database/database-errors.ts';
import { type Database, type Db, openDatabase, poolDefaults } from '../../src/database/open.ts';
import { prismaOver, rowsOver, serverPool } from '../../src/database/pool.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { listMentions } from '../../src/operations/audit/audit-sql.ts';
import { portOf } from '../helper/address.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import { openTestDatabase, serverUrl, type TestDatabase } from '../helper/test-database.ts';

const onServer = serverUrl !== undefined;

const isRefused = (outcome: PromiseSettledResult<unknown> | undefined): void => {
  expect(outcome?.status === 'rejected' && isUnavailable(outcome.reason), JSON.stringify(outcome)).to.equal(true);
};

describe('connections', () => {
  it('to a server that accepts connections and never answers count as unavailable', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const port = portOf(silent);
    const timeouts = { connectTimeoutMs: 50, statementTimeoutMs: 50, idleInTransactionTimeoutMs: 50 };
    const pool = serverPool(`postgresql://vaga@127.0.0.1:${port}/vaga`, { poolSize: 1, ...timeouts });
    const nobody = prismaOver(pool, { namedStatements: true });
    const outcomes = await Promise.allSettled([
      nobody.$queryRaw`SELECT 1`,
      rowsOver(pool, { namedStatements: true }).rows({ text: 'SELECT 1', values: [] }),
      nobody.plan.count(),
    ]);
    for (const outcome of outcomes) isRefused(outcome);
    silent.close();
  });
});

describe('a statement about all companies while a node is away', () => {
  it('keeps its own common table expressions, also if a distributed table has the name of one', async () => {
    const { database, close } = await openTestDatabase();
    try {
      const { db } = database;
      const tables = ['mentioned', 'companies'].map((name) => ({ name, column: 'id' }));
      // As a cluster answers that has these tables. The cast is safe: nothing else is asked of it.
      const cluster = { $queryRaw: async () => [{ tables, companies: '{7}' }], $extends: db.$extends.bind(db) };
      const reachable = await withoutNodes(cluster as unknown as Db, [2]);
      await db.auditEntry.create({
        data: { actor: 'operator', action: 'company.changed', createdAt: new Date(), details: { job_id: 5 } },
      });
      const found = await listMentions(reachable.db, { sort: 'newest' }, ['job_id'], 10);
      expect(found).to.deep.equal([{ companyId: null, name: 'job_id', value: '5', companyName: null }]);
    } finally {
      await close();
    }
  });
});

describe('a connection whose client timed out', () => {
  const statementTimeoutMs = 500;
  let own: TestDatabase;

  before(async () => {
    own = await openTestDatabase({ statementTimeoutMs });
  });
  after(() => own.close());

  /** One connection for operations to the same database. On a server, it goes through a proxy that can hold traffic back. */
  async function narrowDatabase(): Promise<{ database: Database; proxy: TcpProxy | undefined }> {
    const settings = { dataDir: ':memory:', poolSize: 1, statementTimeoutMs };
    if (own.databaseUrl === undefined) return { database: await openDatabase(settings), proxy: undefined };
    const { proxy, through } = await TcpProxy.before(own.databaseUrl, 5432);
    return { database: await openDatabase({ ...settings, databaseUrl: through }), proxy };
  }

  /** A statement that succeeds after its client is gone: held back by the proxy or, on the embedded database, slow. */
  const outlast = (tx: Pick<Db, '$queryRaw'>) =>
    onServer ? tx.$queryRaw`SELECT count(*)::int FROM plans` : tx.$queryRaw`SELECT pg_sleep(4)::text`;

  async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await ask();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
  }

  const unanswered: Record<string, (database: Database, hold: () => void) => Promise<unknown>> = {
    'in a transaction, whose ROLLBACK is never sent': (database, hold) =>
      inTransaction(database.db, async (tx) => {
        await tx.plan.update({ where: { id: 1 }, data: { name: 'Nunca' } });
        hold();
        await outlast(tx);
      }),
    'when a transaction begins': (database, hold) => {
      hold();
      return inTransaction(database.db, (tx) => outlast(tx));
    },
    'at a single statement': (database, hold) => {
      hold();
      return outlast(database.db);
    },
  };

  for (const [when, wait] of Object.entries(unanswered))
    it(`is closed, and later acknowledged writes are visible to others: ${when}`, async () => {
      const { database, proxy } = await narrowDatabase();
      try {
        isRefused((await Promise.allSettled([wait(database, () => proxy?.hold())]))[0]);
        proxy?.open();
        // A backend may still run the statement. Until it ends, refusing is right and acknowledging is wrong.
        for (let acknowledged = 0; acknowledged < 5; acknowledged++) {
          const name = `Escrito ${acknowledged}`;
          await untilAnswered(() => database.db.plan.update({ where: { id: 1 }, data: { name } }));
          const read = await untilAnswered(() => database.pages.plan.findUnique({ where: { id: 1 } }));
          expect(read?.name).to.equal(name);
        }
      } finally {
        proxy?.open();
        await database.close();
        proxy?.close();
      }
    });
});

describe('DATABASE_URL', () => {
  it("keeps its options; the service's own win", async function () {
    if (!serverUrl) this.skip();
    const url = new URL(serverUrl);
    url.searchParams.set(
      'options',
      '-c datestyle=SQL,DMY -c timezone=Asia/Tokyo -c search_path=public -c work_mem=5MB',
    );
    const pool = serverPool(url.href, {
      ...poolDefaults,
      poolSize: 1,
      connectTimeoutMs: 60_000,
      statementTimeoutMs: 60_000,
    });
    try {
      const settings = ['datestyle', 'timezone', 'plan_cache_mode', 'work_mem', 'statement_timeout'];
      const sql = 'SELECT current_setting(name) AS setting FROM unnest($1::text[]) AS name';
      const { rows } = await pool.query<{ setting: string }>(sql, [settings]);
      expect(rows.map(({ setting }) => setting)).to.deep.equal([
        'ISO, DMY',
        'UTC',
        'force_generic_plan',
        '5MB',
        '1min',
      ]);
    } finally {
      await pool.end();
    }
  });
});
