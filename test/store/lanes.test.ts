import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { Prisma } from '../../generated/prisma/client.ts';
import { isUnavailable } from '../../src/store/failure.ts';
import { prismaOver, serverPool } from '../../src/store/open-pool.ts';
import { db } from '../helper/world.ts';

const onServer = process.env.DATABASE_URL !== undefined;

describe('reads that share connections', () => {
  it('each gets its own answer, also beside reads that fail', async () => {
    const reads = Array.from({ length: 300 }, (_, index) => index);
    const answers = await Promise.allSettled(
      reads.map(
        (index) => db().$queryRaw<{ quotient: number }[]>`SELECT ${index}::int / ${index % 7}::int AS quotient`,
      ),
    );
    for (const [index, answer] of answers.entries()) {
      if (index % 7 === 0) expect(answer.status, String(index)).to.equal('rejected');
      else
        expect(answer, String(index)).to.deep.equal({
          status: 'fulfilled',
          value: [{ quotient: Math.floor(index / (index % 7)) }],
        });
    }
  });

  it('a connection that the server ends fails what was on it and is replaced', async function () {
    if (!onServer) this.skip();
    const [ended] = await Promise.allSettled([db().$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`]);
    expect(ended.status === 'rejected' && isUnavailable(ended.reason)).to.equal(true);
    const answers = await Promise.all(Array.from({ length: 20 }, () => db().$queryRaw`SELECT 1 AS one`));
    expect(answers).to.deep.equal(Array.from({ length: 20 }, () => [{ one: 1 }]));
  });

  it('a server that takes connections and says nothing counts as out of reach', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const timeouts = { connectTimeoutMs: 50, statementTimeoutMs: 50, idleInTransactionTimeoutMs: 50 };
    const pool = serverPool(`postgresql://vaga@127.0.0.1:${port}/vaga`, { poolSize: 1, ...timeouts });
    const nobody = prismaOver(pool, { namedStatements: true });
    const outcomes = await Promise.allSettled([
      nobody.rows(Prisma.sql`SELECT 1`),
      nobody.rows(Prisma.sql`WITH one AS (SELECT 1) SELECT * FROM one`),
      nobody.plan.count(),
    ]);
    for (const outcome of outcomes)
      expect(outcome.status === 'rejected' && isUnavailable(outcome.reason), JSON.stringify(outcome)).to.equal(true);
    silent.close();
  });

  it('do not wait behind a write that waits for a lock', async function () {
    if (!onServer) this.skip();
    const rename = () => db().$executeRaw`UPDATE plans SET name = name WHERE id = 1`;
    let waiting: Promise<number> | undefined;
    await db().$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE plans SET name = name WHERE id = 1`;
      waiting = rename();
      const reads = await Promise.all(Array.from({ length: 20 }, () => db().plan.count()));
      expect(reads).to.deep.equal(reads.map(() => reads[0]));
    });
    expect(await waiting).to.equal(1);
  });
});
