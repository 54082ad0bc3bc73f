import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Log } from './log.ts';
import { beginStore, StoreError } from './store/open.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // The embedded database starts in a thread of its own; the rest of the program is loaded meanwhile.
  const begun = await beginStore(config);
  const [store, { openLog }, { makeApp }, { makeServer }, { sessionSecret }, { openSanitizer }, { openLimitBackend }] =
    await Promise.all([
      begun.open(),
      import('./log.ts'),
      import('./app.ts'),
      import('./http/server.ts'),
      import('./session-secret.ts'),
      import('./html/sanitizer.ts'),
      import('./gate/open-limit-backend.ts'),
    ]);
  const log = openLog(config.logLevel);
  const sanitizer = openSanitizer();
  const limitBackend = await openLimitBackend(config, store, log);
  const clock = () => new Date();
  const secret = await sessionSecret(config, store.kind, log);
  const parts = { config, db: store.db, sanitizer, limitBackend, log, clock, sessionSecret: secret };
  const app = makeApp(parts);
  const server = makeServer(config.tls, app.handler);
  const stop = async () => {
    await drain(server, config.drainSeconds);
    await app.settle();
    limitBackend.close();
    await Promise.all([sanitizer.close(), store.close()]);
    log.info('stopped');
  };
  stopOnSignal(stop, log);
  await listen(server, config);
  const address = addressOf(server, config);
  log.info({ address, database: store.kind, limits: limitBackend.kind }, 'listening');
  const { makeDemo } = await import('./demo.ts');
  if (store.kind === 'embedded' && !config.isProduction) await makeDemo(store.db, clock(), address, config.timeZone);
  const { compileValidators } = await import('./contract/validate.ts');
  await compileValidators();
  await app.load();
  void sanitizer.warm();
  await store.lost.then((error) => {
    log.error({ error }, 'the embedded database is lost');
    process.exit(1);
  });
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ConfigError(`cannot listen on HOST ${host}, PORT ${port}: ${error.code ?? error.message}`));
    });
    server.listen(port, host, resolve);
  });
}

function addressOf(server: Server, { host, tls }: Config): string {
  const { port } = server.address() as AddressInfo;
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Takes no new connection and lets the requests in flight finish; what is not done after `seconds` is cut. */
async function drain(server: Server, seconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A kept-alive connection becomes idle only when its answer has gone.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

function stopOnSignal(stop: () => Promise<void>, log: Log): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // Ctrl-C under npm signals twice; the drain has its own end.
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

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof StoreError;
  console.error(expected ? `vaga: ${(error as Error).message}` : error);
  process.exit(1);
});
