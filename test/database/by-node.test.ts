import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { migrateServer } from '../../src/database/migrations.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { Readiness } from '../../src/telemetry/readiness.ts';
import { makeCompany } from '../faults/subject.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import { createServerDatabase, onCitus, type ServerDatabase } from '../helper/test-database.ts';

type Node = Readonly<{ nodeid: number; groupid: number; port: number }>;

describe('connections by node of Citus', () => {
  let own: ServerDatabase;
  let client: pg.Client;
  let database: Database;
  let companyId: bigint;
  let node: Node;
  let toNode: TcpProxy;

  before(async function () {
    if (!onCitus) this.skip();
    own = await createServerDatabase();
    await migrateServer(own.url);
    client = new pg.Client(own.url);
    await client.connect();
    database = await openDatabase({ databaseUrl: own.url, dataDir: ':memory:' });
    ({ companyId } = await makeCompany(database));
    node = await nodeOf(companyId);
    toNode = await TcpProxy.to({ host: '127.0.0.1', port: node.port });
  });
  after(async () => {
    await database?.close();
    // Citus goes on asking its nodes until the database is gone.
    if (toNode) await moveNode(node.port);
    await client?.end();
    // Citus's own connections may take longer to end than PostgreSQL waits.
    await own?.drop().catch(() => own.drop());
    toNode?.close();
  });

  async function nodeOf(id: bigint): Promise<Node> {
    const { rows } = await client.query<Node>(
      `SELECT nodeid, groupid, nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
        WHERE shardid = get_shard_id_for_distribution_column('companies', $1::bigint)`,
      [id],
    );
    if (!rows[0]) throw new Error('the company is on no node');
    return rows[0];
  }

  const moveNode = (port: number) => client.query(`SELECT citus_update_node($1, '127.0.0.1', $2)`, [node.nodeid, port]);
  const isRead = async (): Promise<boolean> => {
    const { admission } = await database.connectionsFor(companyId);
    const rows = await admission.rows({ text: 'SELECT FROM companies WHERE id = $1', values: [companyId] });
    return rows.length === 1;
  };
  const state = () => new Readiness(database, async () => undefined).state();

  async function becomes(expected: boolean): Promise<void> {
    while ((await isRead().catch(() => false)) !== expected) await sleep(50);
  }

  it('follow a node to another address', async () => {
    expect(await isRead()).to.equal(true);
    toNode.cut();
    await moveNode(toNode.port);
    await becomes(false);
    expect(await state()).to.deep.equal({ missing: [`node ${node.groupid}`] });
    toNode.open();
    await becomes(true);
    expect(await state()).to.deep.equal({ missing: [] });
  });
});
