import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
// Loaded at the start: if a later import failed for lack of file descriptors, Node would keep the failure, and nobody could sign in.
import '@node-rs/argon2';
import { makeApp } from './app.ts';
import { sessionSecrets } from './auth/session-secrets-sql.ts';
import { backupAgeSeconds, type Config } from './config.ts';
import { compileValidators } from './contract/validate.ts';
import type { Database } from './database/open.ts';
import { requestTimeAt } from './domain/dates.ts';
import { type Log, type LogOutput, openLog, standardOutput } from './log.ts';
import { storeOfRequests } from './rate-limit/request-limits.ts';
import { purgeEndedCounts } from './rate-limit/sign-in-counts-sql.ts';
import { release } from './release.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';
import { openMetrics } from './server/metrics-server.ts';
import { addressOf, drain, listen, makeServer } from './server/server.ts';
import { tellServiceManager } from './server/service-manager.ts';
import { endOf, readTlsFiles, type TlsFiles, warnOfEnd } from './server/tls-files.ts';
import { databaseFigures } from './telemetry/database-figures-sql.ts';
import { purgeRequests } from './telemetry/request-log-sql.ts';

const purgeIntervalMs = 60_000;
const purgeLogIntervalMs = 3_600_000;
const vacuumIntervalMs = 600_000;
/** How long a stop waits for clients to use their connections once more; the response then says that the connection closes. */
const closeNoticeMs = 1000;
/** The signals that end a process at once unless they are handled. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGALRM', 'SIGUSR2'] as const;

/** Serves until a signal stops it; does not listen if that was before. Throws a ConfigError if it cannot listen. */
export async function serve(
  config: Config,
  database: Database,
  sanitizer: Sanitizer,
  tlsFiles: TlsFiles | undefined,
): Promise<void> {
  const output = standardOutput();
  const log = openLog(config.logLevel, output);
  const limitStore = storeOfRequests(database);
  const metrics = config.metrics && (await openMetrics(config.metrics));
  const observe = metrics?.observe;
  const secrets = await sessionSecrets(database.db, config);
  const app = makeApp({ config, database, sanitizer, limitStore, log, sessionSecrets: secrets, observe });
  const figures = databaseFigures(database);
  metrics?.watch(() => ({
    app: app.stats(),
    pools: Object.values(database.pools),
    sanitizer: sanitizer.stats(),
    certificateEndsAt: certificate && endOf(certificate),
    backupAgeSeconds: backupAgeSeconds(config),
    database: figures,
  }));
  let certificate = tlsFiles;
  if (certificate) warnOfEnd(certificate, log);
  const server = makeServer(config, app, certificate);
  let demo: Promise<void> | undefined;
  let upkeep: ReturnType<typeof startUpkeep> | undefined;
  const stop = async () => {
    app.retire();
    const idleMs = app.connections.areOpen && config.drainSeconds > 0 ? closeNoticeMs : 0;
    await sleep(Math.max(config.drainNoticeSeconds * 1000, idleMs));
    await drain(server, app.connections, config.drainSeconds);
    await app.flush();
    // Waits, because the demo uses the database. serve() reports a failure of the demo.
    await demo?.catch(() => undefined);
    await upkeep?.stop();
    metrics?.close();
    await Promise.all([sanitizer.close(), database.close()]);
    log.info('stopped');
  };
  const stopping = stopOnSignal(stop, output, log, stopsOnHangUp(config) ? [...stopSignals, 'SIGHUP'] : stopSignals);
  process.on('SIGHUP', () => {
    certificate = readCertificateAgain(server, config, log) ?? certificate;
  });
  // Runs before the port is open, because a proxy sends requests as soon as it is.
  await compileValidators();
  if (!stopping.aborted) await listen(server, config);
  if (stopping.aborted) return;
  const address = addressOf(server, config);
  log.info({ address, database: database.kind, limits: limitStore.kind, ...release }, 'listening');
  tellServiceManager(config, log);
  upkeep = startUpkeep(database, log);
  if (database.kind === 'embedded' && !config.isProduction) {
    const time = { clock: () => new Date(), ...requestTimeAt(new Date(), config.timeZone) };
    demo = import('./demo.ts').then(({ makeDemo }) => makeDemo({ db: database.db, sanitizer, ...time }, address));
    await demo;
  }
  await endWhenLost(database, log, output);
}

async function endWhenLost({ lost }: Database, log: Log, { written }: LogOutput): Promise<void> {
  log.error({ error: await lost }, 'the embedded database is lost');
  await written();
  process.exit(1);
}

/** In a terminal, SIGHUP says that it was closed. A service with a certificate takes it as the order to read that again. */
const stopsOnHangUp = ({ tls }: Config): boolean => !tls && (isatty(0) || isatty(1));

/** Returns undefined if the new certificate cannot be used; the server then keeps the former one. */
function readCertificateAgain(server: Server, { tls }: Config, log: Log): TlsFiles | undefined {
  if (!tls) return undefined;
  try {
    const files = readTlsFiles(tls);
    (server as TlsServer).setSecureContext(files);
    log.info('the certificate is read again');
    warnOfEnd(files, log);
    return files;
  } catch (error) {
    log.error({ error }, 'the certificate could not be read again');
    return undefined;
  }
}

/** Deletes what has ended, and vacuums the embedded database, at intervals. `stop` waits for the request log's deletion. */
function startUpkeep(database: Database, log: Log) {
  let purged: Promise<void> | undefined;
  const startPurge = () => {
    purged = purgeLog(database, log);
  };
  startPurge();
  const timers = [
    setInterval(() => void purgeCounts(database, log), purgeIntervalMs),
    setInterval(startPurge, purgeLogIntervalMs),
    setInterval(() => void vacuumEmbedded(database, log), vacuumIntervalMs),
  ];
  for (const timer of timers) timer.unref();
  const stop = async () => {
    timers.forEach(clearInterval);
    await purged;
  };
  return { stop };
}

/** Runs with any kind of database, because sign-ins are always counted in the database, even if requests are counted in memory. */
const purgeCounts = ({ db }: Database, log: Log): Promise<void> =>
  purgeEndedCounts(db).catch((error: unknown) => log.warn({ error }, 'ended counts were not deleted'));

/** Also without requests, the log keeps them for no longer than documented. */
const purgeLog = ({ db }: Database, log: Log): Promise<void> =>
  purgeRequests(db, new Date()).catch((error: unknown) =>
    log.warn({ error }, 'old entries of the request log were not deleted'),
  );

/** Tables whose rows are often updated or deleted. The others only grow with their companies' data. */
const vacuumedTables = ['page_sessions', 'rate_limits', 'posting_usage', 'credentials', 'request_log'];

/** Frees the space of old row versions, one table at a time: the embedded database has no autovacuum. */
async function vacuumEmbedded({ kind, db }: Database, log: Log): Promise<void> {
  if (kind !== 'embedded') return;
  try {
    for (const table of vacuumedTables) await db.$executeRawUnsafe(`VACUUM (ANALYZE) ${table}`);
  } catch (error) {
    log.warn({ error }, 'the embedded database was not vacuumed');
  }
}

/** Returns a signal that is aborted when the stop begins. The process ends when the log's lines are written, or nobody reads them. */
function stopOnSignal(
  stop: () => Promise<void>,
  { written }: LogOutput,
  log: Log,
  signals: readonly NodeJS.Signals[],
): AbortSignal {
  const stopping = new AbortController();
  const end = async (): Promise<void> => {
    const failure = await stop().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failure) log.error(failure, 'the stop failed');
    await written();
    process.exit(failure ? 1 : 0);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    // Ignores further signals. Ctrl-C under npm sends two, and nobody needs a second one to end the drain: it has a timeout.
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping');
    void end();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return stopping.signal;
}
