import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const pauseMs = 1500;
const timeoutMs = 1000;

/**
 * Closes the pools' connections when another server, or the same one restarted, answers at the database's address. Open connections may
 * lead to a former primary that is frozen: after a failover, reads were refused for up to 12 s while statements timed out on them.
 */
export function watchServer(databaseUrl: string): { over(pool: pg.Pool): pg.Pool; stop(): void } {
  const connections = new Set<pg.PoolClient>();
  const stopped = new AbortController();
  void watch(databaseUrl, connections, stopped.signal);
  const over = (pool: pg.Pool): pg.Pool =>
    pool.on('connect', (client) => {
      connections.add(client);
      client.once('end', () => connections.delete(client));
    });
  return { over, stop: () => stopped.abort() };
}

async function watch(
  databaseUrl: string,
  connections: ReadonlySet<pg.PoolClient>,
  stopped: AbortSignal,
): Promise<void> {
  let known: string | undefined;
  while (!stopped.aborted) {
    const found = await identify(databaseUrl).catch(() => undefined);
    // Statements fail as unavailable, and the pools replace the connections.
    if (known && found && found !== known) for (const { connection } of connections) connection.stream.destroy();
    known = found ?? known;
    await sleep(pauseMs, undefined, { ref: false, signal: stopped }).catch(() => undefined);
  }
}

/** Connects anew, because an open connection stays with its server. */
async function identify(databaseUrl: string): Promise<string | undefined> {
  const timeouts = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'vaga watch', ...timeouts });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ started: string }>('SELECT pg_postmaster_start_time()::text AS started');
    return rows[0]?.started;
  } finally {
    void client.end().catch(() => undefined);
  }
}
