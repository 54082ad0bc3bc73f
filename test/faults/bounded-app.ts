import type { Server } from 'node:http';
import type pg from 'pg';
import type { App, Dependencies } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { connectionTo } from '../../src/database/embedded.ts';
import { type Database, openDatabase, poolDefaults } from '../../src/database/open.ts';
import { type Connections, connect, disconnect } from '../../src/database/open-pools.ts';
import { embeddedPool } from '../../src/database/pool.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { requestTimeAt } from '../../src/domain/dates.ts';
import { databaseStore } from '../../src/rate-limit/limit-store.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { Boundaries } from '../helper/boundaries.ts';
import { startWholeApp } from '../helper/fixtures.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { watchRows } from '../helper/row-changes.ts';
import { patienceMs } from '../helper/test-database.ts';

export interface BoundedApp {
  readonly server: Server;
  readonly app: App;
  readonly lines: Record<string, unknown>[];
}

/** After this time, everything that is kept for a while is read again. */
const pauseMs = 3_660_000;

/** The service on its own embedded database, with boundaries that can fail and a clock that stands still. */
export class BoundedService {
  readonly boundaries = new Boundaries();
  /** Not watched: for the test's own statements. */
  readonly database: Database;
  readonly watched: Connections;
  now = new Date('2026-03-02T10:00:00Z');

  private constructor(database: Database, watched: Connections) {
    this.database = database;
    this.watched = watched;
  }

  static async open(): Promise<BoundedService> {
    const database = await openDatabase({ dataDir: ':memory:' });
    await watchRows(database.db);
    const { host = '' } = database.pools.operations.options;
    return BoundedService.#over(database, connectionTo(host));
  }

  /** The same on a server, whose statements wait for each other's locks. */
  static async openServer(databaseUrl: string): Promise<BoundedService> {
    const database = await openDatabase({ databaseUrl, dataDir: ':memory:' });
    const service = await BoundedService.#over(database, { connectionString: databaseUrl });
    service.boundaries.countBlocked = async () => {
      // Not wait_event: a process still shows it after its lock was granted, until it runs.
      const text = `SELECT count(*)::int AS blocked FROM pg_locks JOIN pg_stat_activity USING (pid)
                     WHERE datname = current_database() AND NOT granted`;
      const [row] = await database.admission.rows<{ blocked: number }>({ text, values: [] });
      return row?.blocked ?? 0;
    };
    return service;
  }

  static async #over(database: Database, connection: pg.PoolConfig): Promise<BoundedService> {
    let service: BoundedService | undefined;
    const stream = () => {
      if (!service) throw new Error('no connection is opened before the first statement');
      return service.boundaries.databaseStream();
    };
    const open = (poolSize: number) => embeddedPool({ ...connection, stream }, { ...poolDefaults, poolSize });
    const connections = await connect(open, poolDefaults, { namedStatements: false });
    service = new BoundedService(database, connections);
    service.boundaries.install();
    return service;
  }

  async close(): Promise<void> {
    this.boundaries.uninstall();
    await disconnect(this.watched);
    await this.database.close();
  }

  /** Connections to the database that somebody holds or waits for. */
  get busyConnections(): number {
    const pools = Object.values(this.watched.pools);
    return pools.reduce(
      (sum, { totalCount, idleCount, waitingCount }) => sum + totalCount - idleCount + waitingCount,
      0,
    );
  }

  get watchedDatabase(): Dependencies['database'] {
    const { watched } = this;
    return {
      ...watched,
      connectionsFor: async () => watched,
      nodes: async () => ({ all: [], missing: [] }),
    };
  }

  /** Expires everything that is cached for a while. */
  pause(): void {
    this.now = new Date(this.now.getTime() + pauseMs);
  }

  /** For an operation of people. */
  context(connections: Pick<Connections, 'db'> = this.database, actor: Actor = { kind: 'operator' }): Context {
    return {
      db: connections.db,
      sanitizer: new Sanitizer({ timeoutMs: patienceMs }),
      clock: () => this.now,
      ...requestTimeAt(this.now, 'Europe/Lisbon'),
      actor,
    };
  }

  async startApp(): Promise<BoundedApp> {
    const { boundaries, watched } = this;
    const { log, lines } = recordedLog();
    const started = await startWholeApp(
      {},
      {
        database: this.watchedDatabase,
        limitStore: databaseStore(watched.admission, 60),
        log: boundaries.watchLog(log),
        clock: () => this.now,
      },
    );
    boundaries.watchClients(started.server);
    const { server, app } = started;
    return { server, app, lines };
  }
}
