import type { RequestListener } from 'node:http';
import { LastUsed } from './auth/last-used.ts';
import { MaintenanceSwitch } from './auth/maintenance-switch.ts';
import type { Config } from './config.ts';
import type { Database } from './database/open.ts';
import { environments, policy } from './domain/environment.ts';
import { isLoopback } from './domain/loopback.ts';
import type { Log } from './log.ts';
import { discoveryDocuments, serveDiscovery } from './mcp/discovery.ts';
import { mcp } from './mcp/mcp.ts';
import { ReferenceLists } from './operations/reference/reference-sql.ts';
import { AddressLimit } from './rate-limit/address-limit.ts';
import type { LimitStore } from './rate-limit/limit-store.ts';
import { RequestLimit } from './rate-limit/request-limit.ts';
import { SignInLimits } from './rate-limit/sign-in-limits.ts';
import { rest } from './rest/rest.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';
import { errorHandler, notFound } from './server/answer.ts';
import { refuseRequest, unsupportedExpectation } from './server/client-errors.ts';
import type { Listener } from './server/client-info.ts';
import { CompanyQueue } from './server/company-queue.ts';
import { Connections } from './server/connections.ts';
import type { AdapterDeps } from './server/deps.ts';
import { createExpress, trustedProxies } from './server/express-app.ts';
import { healthRoutes } from './server/health.ts';
import { logRequests } from './server/log-requests.ts';
import { receiveRequest } from './server/receive-requests.ts';
import type { HttpApp } from './server/server.ts';
import type { AppStats, CompletedRequest } from './telemetry/metrics.ts';
import { Readiness } from './telemetry/readiness.ts';
import { RequestLog } from './telemetry/request-log.ts';
import { pages } from './web/pages.ts';
import { reference } from './web/reference/reference.ts';

/** Everything that comes from outside; tests pass their own database, clock and limits. */
export interface Dependencies {
  readonly config: Config;
  readonly database: Pick<Database, 'db' | 'admission' | 'pages' | 'connectionsFor' | 'nodes'>;
  readonly sanitizer: Sanitizer;
  readonly limitStore: LimitStore;
  readonly log: Log;
  readonly clock: () => Date;
  /** Signs the cookies of page sessions. */
  readonly sessionSecret: string;
  /** Called after each response. */
  readonly observe?: ((completed: CompletedRequest) => void) | undefined;
}

export interface App extends HttpApp {
  /** Makes /readyz answer that this process is about to stop. */
  retire(): void;
  stats(): AppStats;
  /** Resolves when all background writes have ended. */
  flush(): Promise<void>;
}

/** The composition root. */
export function makeApp(dependencies: Dependencies): App {
  const { config, database, sanitizer, log, clock, sessionSecret, observe } = dependencies;
  const express = createExpress(config.trustProxy);
  const trusts = trustedProxies(express);
  const lastUsed = new LastUsed(database, log);
  const requestLog = new RequestLog(database, log, clock);
  const readiness = new Readiness(database, () => sanitizer.warm());
  const listener = { isLoopback: isLoopback(config.host), hasTls: config.tls !== undefined, trusts };
  const deps = adapterDeps(dependencies, listener, lastUsed);
  const pageDeps = {
    ...deps,
    db: database.pages,
    signInLimits: new SignInLimits(database.pages),
    sessionSecret,
  };

  // Not logged: proxies ask every second.
  express.use(healthRoutes(readiness));
  express.use(reference(deps));
  for (const environment of environments) {
    const { restBase, mcpPath } = policy[environment];
    express.use(restBase, rest(environment, deps));
    express.all(mcpPath, mcp(environment, deps));
  }
  for (const document of discoveryDocuments)
    express.all(document.path, serveDiscovery(document, deps, config.serverName));
  express.use(pages(pageDeps));
  express.use(notFound);
  express.use(errorHandler(log));

  const connections = new Connections(config, trusts);
  const receiving = { trusts, logRequest: logRequests({ log, requestLog, clock, observe }) };
  const refuseExpectation: RequestListener = (request, response) =>
    refuseRequest(request, response, unsupportedExpectation);

  return {
    connections,
    receive: (request, response) => receiveRequest(receiving, express, request, response),
    receiveExpectation: (request, response) => receiveRequest(receiving, refuseExpectation, request, response),
    retire: () => readiness.retire(),
    stats: () => ({
      inFlight: deps.queue.working,
      overloadRefusals: deps.queue.refused,
      connectionsRefused: connections.refused,
      requestLogDropped: requestLog.dropped,
    }),
    flush: async () => {
      await Promise.all([lastUsed.flush(), requestLog.flush()]);
    },
  };
}

function adapterDeps(
  { config, database, sanitizer, limitStore, log, clock }: Dependencies,
  listener: Listener,
  lastUsed: LastUsed,
): AdapterDeps {
  const { requestsPerMinute, addressRequestsPerMinute, publicUrl, timeZone, inFlightMax } = config;
  const { db, admission } = database;
  return {
    services: {
      database,
      reference: new ReferenceLists(db),
      sanitizer,
      requestsPerMinute,
      publicUrl,
    },
    auth: {
      database,
      addressLimit: new AddressLimit(addressRequestsPerMinute),
      maintenance: new MaintenanceSwitch(admission),
      lastUsed,
    },
    requestLimit: new RequestLimit(requestsPerMinute, limitStore),
    queue: new CompanyQueue({ max: inFlightMax }),
    listener,
    clock,
    timeZone,
    log,
  };
}
