import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import { type Environment, policy } from './domain/environment.ts';
import { refusal, unavailable } from './domain/errors.ts';
import { LastUse } from './gate/last-use.ts';
import type { LimitBackend } from './gate/limit-backend.ts';
import { Limits } from './gate/limits.ts';
import { Load } from './gate/load.ts';
import { MaintenanceSwitch } from './gate/maintenance-switch.ts';
import { RequestLog } from './gate/request-log.ts';
import { SignInLimits } from './gate/sign-in-limits.ts';
import type { Sanitizer } from './html/sanitizer.ts';
import { type Place, toPlaces } from './http/ahead.ts';
import { envelope, sendRefusal, toRefusal } from './http/answer.ts';
import { Later } from './http/later.ts';
import { type Front, messagesOf } from './http/messages.ts';
import { overloadSeconds, type Shed, shedding } from './http/shed.ts';
import { setHeaders, stamp, traceOf } from './http/stamp.ts';
import type { Log } from './log.ts';
import { codes, failure } from './mcp/json-rpc.ts';
import { health, Readiness } from './operate/health.ts';
import type { Answered } from './operate/metrics.ts';
import { rest } from './rest/rest.ts';
import type { Db } from './store/open.ts';
import { ReferenceLists } from './store/reference-lists.ts';
import { reference } from './web/reference/reference.ts';

/** All that comes from outside; a test hands in its own database, clock and limits. */
export interface Dependencies {
  readonly config: Config;
  readonly db: Db;
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
  const { config, db, sanitizer, limitBackend, log, clock, sessionSecret, observe } = dependencies;
  const { requestsPerMinute, publicUrl, timeZone } = config;
  const services: Services = { db, reference: new ReferenceLists(db), sanitizer, requestsPerMinute, publicUrl };
  const lastUse = new LastUse(db, log);
  const requestLog = new RequestLog(db, log, clock);
  const handler = makeExpress(config);
  const load = new Load(config.inFlightMax);
  const readiness = new Readiness(db);
  const listener = { loopback: isLoopback(config.host), trusts: trustOf(handler) };
  const door = {
    services,
    gate: { db, limits: new Limits(config, limitBackend), lastUse, maintenance: new MaintenanceSwitch(db) },
    listener,
    clock,
    timeZone,
    log,
  };

  const later = new Later();
  const mcpOf = (environment: Environment) =>
    later.handler(async () => (await import('./mcp/mcp.ts')).mcp(environment, door));

  // Asked every second by proxies: they leave no line in the log.
  handler.use(health(readiness));
  handler.use(stamp({ log, requestLog, clock, observe }));
  handler.use(reference(door));
  const api = (['production', 'sandbox'] as const).flatMap((environment): Place[] => [
    { base: policy[environment].restBase, handler: rest(environment, door) },
    { base: policy[environment].mcpPath, exact: true, handler: mcpOf(environment) },
  ]);
  handler.use(toPlaces(api));
  handler.use(setHeaders);
  const pageDoor = { ...door, signInLimits: new SignInLimits(db, config.limitsNamespace), sessionSecret };
  handler.use(later.handler(async () => (await import('./web/pages.ts')).pages(pageDoor)));
  handler.use(() => {
    throw refusal(404, 'path', 'There is nothing at this path.');
  });
  handler.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else sendRefusal(response, toRefusal(error, log, traceOf(response).requestId));
  });
  const settle = async (): Promise<void> => {
    await Promise.all([lastUse.settle(), requestLog.settle()]);
  };
  const figures = () => {
    const { inFlight, refused } = load.figures();
    return { inFlight, overloadRefusals: refused, requestLogDropped: requestLog.dropped };
  };
  return {
    handler: shedding(load, sheds(), handler),
    messages: messagesOf(handler),
    load: () => later.load(),
    retire: () => readiness.retire(),
    figures,
    settle,
  };
}

/** The parts of the API, and what each answers when too much is asked of it. */
function sheds(): Shed[] {
  const refused = unavailable(
    'overload',
    'The service has more requests than it can answer; try again.',
    overloadSeconds,
  );
  const { status, message, details } = refused;
  const rest = JSON.stringify(envelope(status, message, details));
  const rpc = JSON.stringify(failure(null, { code: codes.server, message, data: { status, ...details } }));
  return Object.values(policy).flatMap(({ restBase, mcpPath }) => [
    { base: restBase, body: rest },
    { base: mcpPath, body: rpc },
  ]);
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
