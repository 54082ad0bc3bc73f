import { setTimeout as sleep } from 'node:timers/promises';
import { makeApp } from './app.ts';
import type { Config } from './config.ts';
import { compileValidators } from './contract/validate.ts';
import type { Database } from './database/open.ts';
import { type Log, openLog } from './log.ts';
import { storeOfRequests } from './rate-limit/request-limits.ts';
import { purgeEndedCounts } from './rate-limit/sign-in-counts-sql.ts';
import { Sanitizer } from './sanitizer/sanitizer.ts';
import { openMetrics } from './server/metrics-server.ts';
import { addressOf, drain, listen, makeServer } from './server/server.ts';
import type { TlsFiles } from './server/tls-files.ts';
import { sessionSecret } from './session-secret.ts';

const purgeIntervalMs = 60_000;
const vacuumIntervalMs = 600_000;

/** Serves until a signal stops it. Throws a ConfigError if it cannot listen. */
export async function serve(config: Config, database: Database, tlsFiles: TlsFiles | undefined): Promise<void> {
  const log = openLog(config.logLevel);
  const sanitizer = new Sanitizer();
  const limitStore = storeOfRequests(database);
  const secret = await sessionSecret(config, database.kind, log);
  const purging = setInterval(() => void purgeCounts(database, log), purgeIntervalMs).unref();
  const vacuuming = setInterval(() => void vacuumEmbedded(database, log), vacuumIntervalMs).unref();
  const metrics = config.metrics && (await openMetrics(config.metrics));
  const observe = metrics?.observe;
  const app = makeApp({ config, database, sanitizer, limitStore, log, sessionSecret: secret, observe });
  metrics?.watch(() => ({
    app: app.stats(),
    pools: Object.values(database.pools),
    sanitizer: sanitizer.stats(),
  }));
  const server = makeServer(config, app, tlsFiles);
  const stop = async () => {
    app.retire();
    await sleep(config.drainNoticeSeconds * 1000);
    await drain(server, config.drainSeconds);
    await app.flush();
    clearInterval(purging);
    clearInterval(vacuuming);
    metrics?.close();
    await Promise.all([sanitizer.close(), database.close()]);
    log.info('stopped');
  };
  stopOnSignal(stop, log);
  await listen(server, config);
  const address = addressOf(server, config);
  log.info({ address, database: database.kind, limits: limitStore.kind }, 'listening');
  await makeReady(config, database, address);
  void sanitizer.warm();
  const error = await database.lost;
  log.error({ error }, 'the embedded database is lost');
  process.exit(1);
}

/** Does what the first requests would otherwise wait for. */
async function makeReady(config: Config, { kind, db }: Database, address: string): Promise<void> {
  const { makeDemo } = await import('./demo.ts');
  if (kind === 'embedded' && !config.isProduction) await makeDemo(db, new Date(), address, config.timeZone);
  await compileValidators();
}

/** In every process: sign-ins are always counted in the database. */
const purgeCounts = ({ db }: Database, log: Log): Promise<void> =>
  purgeEndedCounts(db).catch((error: unknown) => log.warn({ error }, 'ended counts were not deleted'));

/** Tables whose rows are often written again or deleted. The others grow by what their companies keep. */
const vacuumedTables = ['page_sessions', 'rate_limits', 'posting_usage', 'credentials', 'request_log'];

/** Makes the space of old row versions usable again, one table at a time: the embedded database has no autovacuum. */
async function vacuumEmbedded({ kind, db }: Database, log: Log): Promise<void> {
  if (kind !== 'embedded') return;
  try {
    for (const table of vacuumedTables) await db.$executeRawUnsafe(`VACUUM (ANALYZE) ${table}`);
  } catch (error) {
    log.warn({ error }, 'the embedded database was not vacuumed');
  }
}

function stopOnSignal(stop: () => Promise<void>, log: Log): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // Ctrl-C under npm sends two signals; the drain has its own timeout.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
