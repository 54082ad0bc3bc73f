import type { RequestHandler, Response } from 'express';
import type { Rows } from '../database/open.ts';
import { type Reached, reach } from '../database/reachable.ts';
import { type ApiError, refusal, unavailable } from '../domain/errors.ts';
import { envelope } from './answer.ts';
import { ahead } from './fast-routes.ts';
import type { HeadersOf } from './standing-headers.ts';

/** Whether this process should be sent requests. */
export class Readiness {
  readonly #db: Rows;
  readonly #warm: () => Promise<void>;
  #retiring = false;

  /** `warm` resolves when the first requests are answered as fast as later ones. */
  constructor(db: Rows, warm: () => Promise<void>) {
    this.#db = db;
    this.#warm = warm;
  }

  /** From now on the process is not ready: it is about to stop. */
  retire(): void {
    this.#retiring = true;
  }

  async state(): Promise<'ready' | 'retiring' | 'database' | 'writable database'> {
    if (!this.#retiring) await this.#warm();
    return this.#retiring ? 'retiring' : states[await reach(this.#db)];
  }
}

const states = { writable: 'ready', 'read-only': 'writable database', away: 'database' } as const satisfies Record<
  Reached,
  string
>;

/** Answers as long as the process runs. For everybody, by http too, outside of every limit. */
const healthz: RequestHandler = (_request, response) => answer(response, 200, { status: 'ok' });

const refusals = {
  retiring: unavailable('draining', 'This process is about to stop.', 1),
  database: unavailable('database', 'The database does not answer.', 1),
  'writable database': unavailable('database', 'The database takes no writes.', 1),
};

/** 200 where requests can be answered, once the sanitizer is warm, else 503 with what is missing. The migrations were found current at the start. */
const readyz =
  (readiness: Readiness): RequestHandler =>
  async (_request, response) => {
    const state = await readiness.state();
    if (state === 'ready') answer(response, 200, { status: 'ready' });
    else refuse(response, refusals[state], { status: 'not ready', missing: state });
  };

const notAllowed: RequestHandler = (_request, response) =>
  refuse(response, refusal(405, 'method', 'This path does not have that method.', {}, { Allow: 'GET, HEAD' }));

const answer = (response: Response, status: number, body: object): void => {
  response.status(status).json(body);
};

function refuse(response: Response, { status, message, details, headers }: ApiError, beside: object = {}): void {
  response.set(headers);
  answer(response, status, { ...beside, ...envelope(status, message, details) });
}

/** GET /healthz and GET /readyz. */
export function health(readiness: Readiness, headersOf: HeadersOf): RequestHandler {
  const withHeaders =
    (handler: RequestHandler): RequestHandler =>
    (request, response, next) => {
      response.set(headersOf(request));
      return request.method === 'GET' || request.method === 'HEAD'
        ? handler(request, response, next)
        : notAllowed(request, response, next);
    };
  const handlers = new Map([
    ['/healthz', withHeaders(healthz)],
    ['/readyz', withHeaders(readyz(readiness))],
  ]);
  return ahead(({ path }) => handlers.get(path));
}
