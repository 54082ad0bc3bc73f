import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { identityWithNodes } from './citus/citus.ts';

const pauseMs = 1500;
const timeouts = { connectionTimeoutMillis: 1000, query_timeout: 1000 };
// Reads the server's start time as a number, which does not depend on the connection's date style.
const identity = 'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS found';

/**
 * Closes the pools' connections when the database's address leads to another server, to the same server restarted, or to other nodes. Open
 * connections may lead to a former primary: if it is frozen, statements hang; if it runs, it acknowledges writes that will be lost. So
 * connections to the old and the new server are never used together. Pools call `onConnect` before a connection's first use; `onConnect`
 * throws if the address leads to another server by then.
 */
export function watchServer(databaseUrl: string, hasNodes = false) {
  const connections = new Set<pg.PoolClient>();
  const stopped = new AbortController();
  let known: string | undefined;
  const identify = async (client: pg.ClientBase): Promise<string> =>
    (await client.query<{ found: string }>(hasNodes ? identityWithNodes : identity)).rows[0]?.found ?? '';
  /** Identifies the server on a new connection, because an open connection stays with its server. */
  const identifyAnew = async (): Promise<string> => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'vaga watch', ...timeouts });
    client.on('error', () => undefined);
    const found = client.connect().then(() => identify(client));
    return found.finally(() => void client.end().catch(() => undefined));
  };
  /**
   * Whether the address leads to the server `found`. If that is a new server, checks the address again, because it may have changed meanwhile.
   * If true, remembers `client` and closes the connections to the previous server.
   */
  const isCurrent = async (found: string, client?: pg.PoolClient): Promise<boolean> => {
    known ??= found;
    if (found !== known && (await identifyAnew()) !== found) return false;
    if (found !== known) {
      known = found;
      for (const { connection } of connections) connection.stream.destroy();
      watched.onChange();
    }
    if (client) connections.add(client);
    return true;
  };
  const look = async (): Promise<boolean> => isCurrent(await identifyAnew());
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await look().catch(() => undefined);
      await sleep(pauseMs, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined);
    }
  };
  void watch();
  const onConnect = async (opened: pg.ClientBase): Promise<void> => {
    const client = opened as pg.PoolClient;
    client.once('end', () => connections.delete(client));
    if (!(await isCurrent(await identify(client), client)))
      throw new Error('connection terminated: another server answers at the address');
  };
  const watched = { onConnect, onChange: (): void => undefined, stop: () => stopped.abort() };
  return watched;
}
