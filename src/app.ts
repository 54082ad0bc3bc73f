import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { LastUse } from './auth/last-use.ts';
import { MaintenanceSwitch } from './auth/maintenance-switch.ts';
import type { Config } from './config.ts';
import type { Database } from './database/open.ts';
import { type Environment, policy } from './domain/environment.ts';
import { type ErrorDetails, refusal, unavailable } from './domain/errors.ts';
import type { Log } from './log.ts';
import { codes, failure } from './mcp/json-rpc.ts';
import { ReferenceLists } from './queries/reference.ts';
import { ConcurrencyLimit } from './rate-limit/concurrency-limit.ts';
import { InFlightLimit } from './rate-limit/in-flight-limit.ts';
import type { LimitBackend } from './rate-limit/limit-backend.ts';
import { Limits } from './rate-limit/limits.ts';
import { SignInLimits } from './rate-limit/sign-in-limits.ts';
import { rest } from './rest/rest.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';
import { envelope, sendRefusal, toRefusal } from './server/answer.ts';
import type { AdapterDeps } from './server/deps.ts';
import { type EarlyRefusal, type RefusalText, refuseRequest } from './server/early-refusal.ts';
import { type FastRoute, fastRoutes, isAt } from './server/fast-routes.ts';
import { health, Readiness } from './server/health.ts';
import { LazyHandlers } from './server/lazy-handlers.ts';
import { type LimitedPart, overloadSeconds, sheddingLoad } from './server/load-shedding.ts';
import { type Front, messagesOf } from './server/messages.ts';
import { requestContext, requestContextOf } from './server/request-context.ts';
import { withReadHead } from './server/request-head.ts';
import { type HeadersOf, headersFor } from './server/standing-headers.ts';
import type { Answered } from './telemetry/metrics.ts';
import { RequestLog } from './telemetry/request-log.ts';
import { reference } from './web/reference/reference.ts';

/** All that comes from outside; a test hands in its own database, clock and limits. */
export interface Dependencies {
  readonly config: Config;
  readonly database: Pick<Database, 'db' | 'admission' | 'pages'>;
  readonly sanitizer: Sanitizer;
  readonly limitBackend: LimitBackend;
  readonly log: Log;
  readonly clock: () => Date;
  /** What the cookies of page sessions are signed with. */
  readonly sessionSecret: string;
  /** Told of every answer. */
  readonly observe?: ((answered: Answered) => void) | undefined;
}

export interface App extends Front {
  /** Loads what the first requests would else wait for. */
  load(): Promise<void>;
  /** Says at /readyz that this process is about to stop. */
  retire(): void;
  figures(): { readonly inFlight: number; readonly overloadRefusals: number; readonly requestLogDropped: number };
  /** Resolves when nothing is left to be written. */
  settle(): Promise<void>;
}

/** The composition root: every layer is put together here and nowhere else. */
export function makeApp(dependencies: Dependencies): App {
  const { config, database, log, clock, sessionSecret, observe } = dependencies;
  const lastUse = new LastUse(database.db, log);
  const requestLog = new RequestLog(database.db, log, clock);
  const handler = makeExpress(config);
  const inFlightLimit = new InFlightLimit(config.inFlightMax);
  const readiness = new Readiness(database.admission, () => dependencies.sanitizer.warm());
  const deps = doorOf(dependencies, handler, lastUse);

  const lazy = new LazyHandlers();
  const mcpOf = (environment: Environment) =>
    lazy.handler(async () => (await import('./mcp/mcp.ts')).mcp(environment, deps));

  const headersOf = headersFor(deps.listener);
  // Asked every second by proxies: they leave no line in the log.
  handler.use(health(readiness, headersOf));
  handler.use(requestContext({ log, requestLog, clock, headersOf, observe }));
  handler.use(reference(deps));
  const api = (['production', 'sandbox'] as const).flatMap((environment): FastRoute[] => [
    { base: policy[environment].restBase, handler: rest(environment, deps) },
    { base: policy[environment].mcpPath, exact: true, handler: mcpOf(environment) },
  ]);
  handler.use(fastRoutes(api));
  const pageDeps = {
    ...deps,
    services: { ...deps.services, db: database.pages },
    signInLimits: new SignInLimits(database.pages, config.limitsNamespace),
    sessionSecret,
  };
  handler.use(lazy.handler(async () => (await import('./web/pages.ts')).pages(pageDeps)));
  handler.use(() => {
    throw refusal(404, 'path', 'There is nothing at this path.');
  });
  // Express tells an error handler by its four parameters.
  handler.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const refused = toRefusal(error, log, requestContextOf(response).requestId);
    if (!response.headersSent) sendRefusal(response, refused);
    else if (!response.writableEnded) response.destroy();
  });
  const settle = async (): Promise<void> => {
    await Promise.all([lastUse.settle(), requestLog.settle()]);
  };
  const figures = () => {
    const { inFlight, refused } = inFlightLimit.figures();
    return { inFlight, overloadRefusals: refused, requestLogDropped: requestLog.dropped };
  };
  return {
    ...early(deps.listener.trusts, headersOf, sheddingLoad(inFlightLimit, limitedParts(), headersOf, handler)),
    messages: messagesOf(handler),
    load: () => lazy.load(),
    retire: () => readiness.retire(),
    figures,
    settle,
  };
}

/** Lists of jobs of one company that are answered at the same time. */
const listsMax = 2;
/** Bodies of one company that are sanitized at the same time. */
const bodiesMax = 2;

/** What the adapters share. */
function doorOf(
  { config, database, sanitizer, limitBackend, log, clock }: Dependencies,
  app: Express,
  lastUse: LastUse,
): AdapterDeps {
  const { requestsPerMinute, publicUrl, timeZone } = config;
  const { db, admission } = database;
  return {
    services: {
      db,
      reference: new ReferenceLists(db),
      sanitizer,
      lists: new ConcurrencyLimit(listsMax),
      bodies: new ConcurrencyLimit(bodiesMax),
      requestsPerMinute,
      publicUrl,
    },
    auth: {
      db: admission,
      limits: new Limits(config, limitBackend),
      lastUse,
      maintenance: new MaintenanceSwitch(admission),
    },
    listener: { loopback: isLoopback(config.host), trusts: trustOf(app) },
    clock,
    timeZone,
    log,
  };
}

/** What stands before Express and beside it: the look at every request's head, and refusals of what Express never sees. */
function early(trusts: (address: string) => boolean, headersOf: HeadersOf, handler: RequestListener) {
  const refuse = (request: IncomingMessage, response: ServerResponse, refused: EarlyRefusal): void =>
    refuseRequest(response, headersOf(request), refused.status, refusalText(request.url ?? '', refused));
  const checks = { trusts, refuse };
  const unmet = { status: 417, message: 'Of Expect only 100-continue is understood.' };
  return {
    handler: withReadHead(checks, handler),
    unexpected: withReadHead(checks, (request, response) => refuse(request, response, unmet)),
    headersOf,
    refusalText,
  };
}

const mcpBases = Object.values(policy).map(({ mcpPath }) => ({ base: mcpPath, exact: true }));

const refusalText: RefusalText = (target, { status, message }) =>
  bodyOf(target, status, message, { reason: 'malformed_request' });

/** A refusal as the part of the service at a target writes it. */
const bodyOf = (target: string, status: number, message: string, details: ErrorDetails): string =>
  JSON.stringify(
    mcpBases.some((base) => isAt(base, target))
      ? failure(null, { code: codes.server, message, data: { status, ...details } })
      : envelope(status, message, details),
  );

/** The parts of the API, and what each answers when too much is asked of it. */
function limitedParts(): LimitedPart[] {
  const refused = unavailable(
    'overload',
    'The service has more requests than it can answer; try again.',
    overloadSeconds,
  );
  const { status, message, details } = refused;
  const rest = Object.values(policy).map(({ restBase }) => ({ base: restBase }));
  return [...rest, ...mcpBases].map((base) => ({ ...base, body: bodyOf(base.base, status, message, details) }));
}

function makeExpress({ trustProxy }: Config): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  app.set('trust proxy', trustProxy.length > 0 ? [...trustProxy] : false);
  return app;
}

/** Express compiles the list of trusted proxies into this function. */
function trustOf(app: Express): (address: string) => boolean {
  const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (address) => trust(address, 0);
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);
