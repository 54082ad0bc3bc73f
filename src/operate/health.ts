import type { RequestHandler, Response } from 'express';
import { ahead } from '../http/ahead.ts';
import type { Rows } from '../store/open.ts';
import { type Reached, reach } from '../store/reachable.ts';

/** Whether this process should be sent requests. */
export class Readiness {
  readonly #db: Rows;
  #retiring = false;

  constructor(db: Rows) {
    this.#db = db;
  }

  /** From now on the process is not ready: it is about to stop. */
  retire(): void {
    this.#retiring = true;
  }

  async state(): Promise<'ready' | 'retiring' | 'database' | 'writable database'> {
    return this.#retiring ? 'retiring' : states[await reach(this.#db)];
  }
}

const states = { writable: 'ready', 'read-only': 'writable database', away: 'database' } as const satisfies Record<
  Reached,
  string
>;

/** Answers as long as the process runs. For everybody, by http too, outside of every limit. */
const healthz: RequestHandler = (_request, response) => answer(response, 200, { status: 'ok' });

/** 200 where requests can be answered, else 503 with what is missing. The migrations were found current at the start. */
const readyz =
  (readiness: Readiness): RequestHandler =>
  async (_request, response) => {
    const state = await readiness.state();
    if (state === 'ready') answer(response, 200, { status: 'ready' });
    else answer(response, 503, { status: 'not ready', missing: state });
  };

const answer = (response: Response, status: number, body: object): void => {
  response.status(status).json(body);
};

/** GET /healthz and GET /readyz. */
export function health(readiness: Readiness): RequestHandler {
  const handlers = new Map([
    ['/healthz', healthz],
    ['/readyz', readyz(readiness)],
  ]);
  return ahead(({ method, path }) => (method === 'GET' || method === 'HEAD' ? handlers.get(path) : undefined));
}
