import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const pauseMs = 1500;
const timeoutMs = 1000;

export interface WatchOptions {
  readonly isCitus?: boolean;
  readonly onChange?: () => void;
}

interface WatchedServer {
  /** For every connection of a pool, before its first use. Throws if it leads to another server than the address does now. */
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
  stop(): void;
}

/**
 * Closes the pools' connections when another server, or the same one restarted, answers at the database's address, or if the addresses of
 * Citus's nodes have changed. Open connections may lead to a former primary: one that is frozen keeps statements waiting until they time
 * out, and one that goes on acknowledges writes that are lost. So no connection to the new server is used while one to the old is open.
 */
export function watchServer(databaseUrl: string, { isCitus = false, onChange }: WatchOptions = {}): WatchedServer {
  const text = isCitus ? citusIdentity : identity;
  const connections = new Set<pg.PoolClient>();
  const stopped = new AbortController();
  let known: string | undefined;

  /** Takes an answer, and the connection that it came by, if that server is at the address: the address may have moved meanwhile. */
  const isCurrent = async (found: string, client?: pg.PoolClient): Promise<boolean> => {
    known ??= found;
    if (found !== known && (await identify(databaseUrl, text)) !== found) return false;
    if (found !== known) {
      known = found;
      // Statements fail as unavailable, and the pools replace the connections.
      for (const { connection } of connections) connection.stream.destroy();
      onChange?.();
    }
    if (client) connections.add(client);
    return true;
  };
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await identify(databaseUrl, text)
        .then((found) => isCurrent(found))
        .catch(() => undefined);
      await sleep(pauseMs, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined);
    }
  };
  void watch();
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    client.once('end', () => connections.delete(client as pg.PoolClient));
    const found = await identityOf(client, text);
    // Pools make PoolClients.
    if (!(await isCurrent(found, client as pg.PoolClient)))
      throw new Error('connection terminated: another server answers at the address');
  };
  return { onConnect, stop: () => stopped.abort() };
}

// As a number: a connection's date style does not change it.
const identity = 'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS found';
const citusIdentity = `
  SELECT concat(extract(epoch FROM pg_postmaster_start_time()), (SELECT string_agg(concat(groupid, nodename, nodeport), ' ' ORDER BY nodeid)
                                               FROM pg_dist_node WHERE noderole = 'primary')) AS found`;

async function identityOf(client: pg.ClientBase, text: string): Promise<string> {
  const { rows } = await client.query<{ found: string }>(text);
  return rows[0]?.found ?? '';
}

/** Connects anew, because an open connection stays with its server. */
async function identify(databaseUrl: string, text: string): Promise<string> {
  const timeouts = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'vaga watch', ...timeouts });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await identityOf(client, text);
  } finally {
    void client.end().catch(() => undefined);
  }
}
