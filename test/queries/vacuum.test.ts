import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { vacuum } from '../../src/queries/vacuum.ts';

describe('vacuum of the embedded database', function () {
  this.timeout(60_000);
  let database: Database;
  before(async () => {
    // On a server another connection's snapshot may keep old versions for a moment.
    database = await openDatabase({ dataDir: ':memory:' });
  });
  after(() => database.close());

  it('keeps a table as small as its rows, however often they are written', async () => {
    const { db } = database;
    const session = { portal: 'company', idHash: Buffer.from('a'), data: {}, createdAt: new Date() } as const;
    await db.pageSession.create({ data: { ...session, expiresAt: new Date() } });
    const rewrite = async (): Promise<void> => {
      for (let round = 0; round < 20; round++)
        await db.$executeRaw`
          UPDATE page_sessions
             SET expires_at = expires_at + interval '1 second', data = jsonb_build_object('filler', repeat('x', 1500))`;
    };
    const sizes: number[] = [];
    for (let round = 0; round < 5; round++) {
      await rewrite();
      await vacuum(db);
      const [row] = await db.$queryRaw<{ bytes: number }[]>`SELECT pg_relation_size('page_sessions')::int AS bytes`;
      sizes.push(row?.bytes ?? 0);
    }
    expect(sizes[0]).to.be.above(0);
    expect(sizes.slice(1)).to.deep.equal(sizes.slice(1).map(() => sizes[0]));
  });
});
