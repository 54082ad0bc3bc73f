import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const pauseMs = 1500;
const timeoutMs = 1000;

export interface WatchOptions {
  readonly isCitus?: boolean;
  readonly onChange?: () => void;
}

/**
 * Closes the pools' connections when another server, or the same one restarted, answers at the database's address, or if the addresses of
 * Citus's nodes have changed. Open connections may lead to a former primary that is frozen: after a failover, reads were refused for up to
 * 12 s while statements timed out on them.
 */
export function watchServer(
  databaseUrl: string,
  { isCitus = false, onChange }: WatchOptions = {},
): { over(pool: pg.Pool): pg.Pool; stop(): void } {
  const connections = new Set<pg.PoolClient>();
  const stopped = new AbortController();
  const close = (): void => {
    // Statements fail as unavailable, and the pools replace the connections.
    for (const { connection } of connections) connection.stream.destroy();
    onChange?.();
  };
  void watch(() => identify(databaseUrl, isCitus ? citusIdentity : identity), close, stopped.signal);
  const over = (pool: pg.Pool): pg.Pool =>
    pool.on('connect', (client) => {
      connections.add(client);
      client.once('end', () => connections.delete(client));
    });
  return { over, stop: () => stopped.abort() };
}

const identity = 'SELECT pg_postmaster_start_time()::text AS found';
const citusIdentity = `
  SELECT concat(pg_postmaster_start_time(), (SELECT string_agg(concat(groupid, nodename, nodeport), ' ' ORDER BY nodeid)
                                               FROM pg_dist_node WHERE noderole = 'primary')) AS found`;

async function watch(
  identifyServer: () => Promise<string | undefined>,
  close: () => void,
  stopped: AbortSignal,
): Promise<void> {
  let known: string | undefined;
  while (!stopped.aborted) {
    const found = await identifyServer().catch(() => undefined);
    if (known && found && found !== known) close();
    known = found ?? known;
    await sleep(pauseMs, undefined, { ref: false, signal: stopped }).catch(() => undefined);
  }
}

/** Connects anew, because an open connection stays with its server. */
async function identify(databaseUrl: string, text: string): Promise<string | undefined> {
  const timeouts = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'vaga watch', ...timeouts });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ found: string }>(text);
    return rows[0]?.found;
  } finally {
    void client.end().catch(() => undefined);
  }
}
