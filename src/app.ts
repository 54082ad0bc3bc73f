import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import { LastUsed } from './auth/credential-lookup-sql.ts';
import { MaintenanceSwitch } from './auth/maintenance-sql.ts';
import { type Config, isLoopback } from './config.ts';
import type { Database } from './database/open.ts';
import { environments, policy } from './domain/environment.ts';
import type { Log } from './log.ts';
import { discoveryDocuments, serveDiscovery } from './mcp/discovery.ts';
import { mcp } from './mcp/mcp.ts';
import { referenceLists } from './operations/reference/reference-sql.ts';
import type { LimitStore } from './rate-limit/limit-store.ts';
import { AddressLimit, FormLimit, RequestLimit } from './rate-limit/request-limits.ts';
import { SignInLimits } from './rate-limit/sign-in-limits.ts';
import { rest } from './rest.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';
import { errorHandler, notFound } from './server/answer.ts';
import { refuseRequest, unsupportedExpectation } from './server/client-errors.ts';
import { isHttps, type Listener, normalizeRequest, type Trusts } from './server/client-info.ts';
import { CompanyQueue } from './server/company-queue.ts';
import { Connections, type Turn } from './server/connections.ts';
import type { AdapterDeps } from './server/deps.ts';
import { healthChecks, healthPaths } from './server/health.ts';
import { logRequests } from './server/log-requests.ts';
import { startRequestContext } from './server/request-context.ts';
import type { HttpApp } from './server/server.ts';
import { UnreadAnswers } from './server/unread-answers.ts';
import type { AppStats, CompletedRequest } from './telemetry/metrics.ts';
import { Readiness } from './telemetry/readiness.ts';
import { RequestLog } from './telemetry/request-log.ts';
import { FormRoom } from './web/form-room.ts';
import { pages } from './web/pages.ts';
import { reference } from './web/reference/reference.ts';
import { newSignInQueue } from './web/sign-in-page.tsx';

/** Everything that makeApp gets from outside. Tests pass their own database, clock and limits. */
export interface Dependencies {
  readonly config: Config;
  readonly database: Pick<Database, 'db' | 'admission' | 'pages' | 'connectionsFor' | 'nodes'>;
  readonly sanitizer: Sanitizer;
  readonly limitStore: LimitStore;
  readonly log: Log;
  readonly clock?: () => Date;
  /** How long a request may wait in the CompanyQueue before it is refused. */
  readonly queueWaitMs?: number;
  /** The secrets that page-session cookies are signed with. The first one signs new cookies. */
  readonly sessionSecrets: readonly string[];
  /** Called after each response. */
  readonly observe?: ((completed: CompletedRequest) => void) | undefined;
}

export interface App extends HttpApp {
  /** Makes /readyz answer that this process is about to stop. Every connection closes after its next response. */
  retire(): void;
  stats(): AppStats;
  /** Resolves when all background writes have ended. */
  flush(): Promise<void>;
}

/** The composition root. */
export function makeApp(dependencies: Dependencies): App {
  const { config, database, limitStore, log, clock = () => new Date(), sessionSecrets, observe } = dependencies;
  const routes = createExpress(config.trustProxy);
  const trusts = trustedProxies(routes);
  const lastUsed = new LastUsed(database, log);
  const requestLog = new RequestLog(database, log, clock);
  const readiness = new Readiness(database, log);
  const listener = { isLoopback: isLoopback(config.host), hasTls: config.tls !== undefined, trusts };
  const deps = adapterDeps({ ...dependencies, clock }, listener, lastUsed);
  const pageDeps = {
    ...deps,
    db: database.pages,
    signInLimits: new SignInLimits(database.pages),
    formLimit: new FormLimit(config.formsPerMinute, limitStore),
    formRoom: new FormRoom(),
    signInQueue: newSignInQueue(dependencies.queueWaitMs),
    sessionSecrets,
  };

  const documents = reference(deps);
  routes.all(documents.paths, documents.serve);
  for (const environment of environments) {
    const { restBase, mcpPath } = policy[environment];
    routes.use(restBase, rest(environment, deps));
    routes.all(mcpPath, mcp(environment, deps));
  }
  routes.all(healthPaths, healthChecks(readiness));
  for (const document of discoveryDocuments)
    routes.all(document.path, serveDiscovery(document, deps, config.serverName));
  routes.use(pages(pageDeps));
  routes.use(notFound);
  routes.use(errorHandler(log));

  const connections = new Connections(config, trusts);
  const receive = receiver(trusts, logRequests({ log, requestLog, clock, observe }));

  return {
    messages: messageClasses(routes),
    connections,
    receive: receive(routes),
    receiveExpectation: receive((request, response) => refuseRequest(request, response, unsupportedExpectation)),
    retire: () => {
      readiness.retire();
      connections.retire();
    },
    stats: () => ({
      inFlight: deps.queue.taken,
      overloadRefusals: refusedBy(deps.queue, deps.unread, pageDeps.formRoom, pageDeps.signInQueue),
      connectionsRefused: connections.refused,
      requestLogDropped: requestLog.dropped,
    }),
    flush: async () => {
      await Promise.all([lastUsed.flush(), requestLog.flush()]);
    },
  };
}

const refusedBy = (...queues: readonly { readonly refused: number }[]): number =>
  queues.reduce((sum, { refused }) => sum + refused, 0);

/** The outermost layer: normalizes a request, starts its context, runs the handler, and logs the request when it ends. */
const receiver =
  (trusts: Trusts, logRequest: ReturnType<typeof logRequests>) =>
  (handler: RequestListener): HttpApp['receive'] =>
  (request, response): Turn => {
    const error = normalizeRequest(request, trusts);
    const context = startRequestContext(request, response, isHttps(request, trusts));
    const { lifetime } = context;
    lifetime.onEnd((outcome) => logRequest(request, context, outcome));
    const run = () => (error ? refuseRequest(request, response, error) : handler(request, response));
    return { request, response, lifetime, run };
  };

function adapterDeps(
  {
    config,
    database,
    sanitizer,
    limitStore,
    log,
    clock,
    queueWaitMs: waitMs,
  }: Dependencies & Pick<AdapterDeps, 'clock'>,
  listener: Listener,
  lastUsed: LastUsed,
): AdapterDeps {
  const { requestsPerMinute, addressRequestsPerMinute, publicUrl, timeZone, support, inFlightMax } = config;
  const { admission } = database;
  return {
    services: {
      database,
      reference: referenceLists(),
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
    queue: new CompanyQueue({ max: inFlightMax, companyMax: 2, ...(waitMs && { waitMs }) }),
    unread: new UnreadAnswers(),
    listener,
    clock,
    timeZone,
    support,
    log,
  };
}

function createExpress(trustProxy: readonly string[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  app.set('trust proxy', trustProxy.length > 0 ? [...trustProxy] : false);
  return app;
}

/**
 * Returns classes of requests and responses that already have Express' prototypes; otherwise Express changes the prototype of each object.
 * On Node 20 that costs 7 to 17% of a request's CPU, on Node 24 nothing (scripts/bench/RESULTS.md). Remove this with Node 20.
 */
function messageClasses(app: Express): HttpApp['messages'] {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Returns the function that Express compiled from the list of trusted proxies. */
function trustedProxies(app: Express): Trusts {
  const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (address) => trust(address, 0);
}
