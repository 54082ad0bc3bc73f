import { existsSync } from 'node:fs';
import { onServer } from '../helper/test-database.ts';
import { Skipped } from './fault.ts';
import { PrivatePostgres } from './private-postgres.ts';

const settings = `
shared_preload_libraries = 'citus'
wal_level = logical
shared_buffers = 64MB
max_connections = 150
max_prepared_transactions = 300
jit = off
citus.node_conninfo = 'sslmode=disable'
citus.shard_count = 8
citus.enable_statistics_collection = off
`;

/** A private Citus cluster whose nodes a test may stop or freeze. */
export class PrivateCitus {
  static readonly isInstalled = [18, 17, 16, 15].some((major) =>
    existsSync(`/usr/share/postgresql/${major}/extension/citus.control`),
  );
  readonly coordinator: PrivatePostgres;
  readonly workers: readonly PrivatePostgres[];

  private constructor(coordinator: PrivatePostgres, workers: readonly PrivatePostgres[]) {
    this.coordinator = coordinator;
    this.workers = workers;
  }

  /** Creates a coordinator and two workers, with these additional lines of configuration. Throws Skipped without Citus. */
  static async make(more = ''): Promise<PrivateCitus> {
    if (!PrivateCitus.isInstalled) throw new Skipped('Citus is not installed');
    const [coordinator, ...workers] = [await makeNode(more), await makeNode(more), await makeNode(more)];
    await onServer(coordinator.url, async (client) => {
      await client.query(`SELECT citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port]);
      for (const { port } of workers) await client.query(`SELECT citus_add_node('127.0.0.1', $1)`, [port]);
    });
    return new PrivateCitus(coordinator, workers);
  }

  /** The worker that has the company's rows. */
  async workerOf(companyId: bigint): Promise<PrivatePostgres> {
    const port = await onServer(this.coordinator.url, async (client) => {
      const { rows } = await client.query<{ port: number }>(
        `SELECT nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
          WHERE shardid = get_shard_id_for_distribution_column('companies', $1::bigint)`,
        [companyId],
      );
      return rows[0]?.port;
    });
    const worker = this.workers.find((node) => node.port === port);
    if (!worker) throw new Error(`company ${companyId} is on no worker`);
    return worker;
  }

  async remove(): Promise<void> {
    for (const node of [this.coordinator, ...this.workers]) await node.remove();
  }
}

async function makeNode(more: string): Promise<PrivatePostgres> {
  const node = await PrivatePostgres.make(settings + more);
  await onServer(node.url, (client) => client.query('CREATE EXTENSION citus'));
  return node;
}
