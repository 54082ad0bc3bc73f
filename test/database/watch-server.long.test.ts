import { expect } from 'chai';
import type pg from 'pg';
import { isUnavailable } from '../../src/database/database-errors.ts';
import { poolDefaults } from '../../src/database/open.ts';
import { serverPool } from '../../src/database/pool.ts';
import { watchServer } from '../../src/database/watch-server.ts';
import { skipIn } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';

describe('when the address of the database moves to another server', () => {
  const servers: PrivatePostgres[] = [];
  let proxy: TcpProxy;
  let pool: pg.Pool;
  let stop: () => void;

  before(async function () {
    for (let n = 0; n < 2; n++) servers.push(await PrivatePostgres.make().catch(skipIn(this)));
  });
  beforeEach(async () => {
    const [former] = servers;
    proxy = await TcpProxy.to({ host: '127.0.0.1', port: former?.port ?? 0 });
    const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
    const watch = watchServer(url);
    stop = watch.stop;
    pool = serverPool(url, { ...poolDefaults, poolSize: 2 }, { onConnect: watch.onConnect });
  });
  afterEach(async () => {
    stop();
    await pool.end();
    proxy.close();
  });
  after(async () => {
    for (const server of servers) await server.remove();
  });

  const portOf = async (at: pg.Pool | pg.PoolClient): Promise<number> => {
    const { rows } = await at.query<{ port: number }>('SELECT inet_server_port() AS port');
    return rows[0]?.port ?? 0;
  };

  it('once a statement reached the new server, none reaches the former one', async () => {
    const [former, current] = servers;
    const open = await pool.connect();
    expect(await portOf(open)).to.equal(former?.port);
    proxy.moveTo({ host: '127.0.0.1', port: current?.port ?? 0 });
    expect(await portOf(pool)).to.equal(current?.port);
    const refusal = await portOf(open).catch((error: unknown) => error);
    expect(isUnavailable(refusal), String(refusal)).to.equal(true);
    open.release(true);
  });
});
