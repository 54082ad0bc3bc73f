import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Caller } from '../domain/caller.ts';
import { environmentOfPath } from '../domain/environment.ts';
import { unavailable } from '../domain/errors.ts';
import { claimedTenant } from '../gate/authenticate.ts';
import type { Load, Place } from '../gate/load.ts';

/** A part of the service whose requests are counted, and the JSON that refuses one. */
export interface Shed {
  readonly base: string;
  readonly body: string;
}

const places = new WeakMap<ServerResponse, Place>();

/** Counts a request towards its company's share of the places. Refuses with 503 `overload` where that is used up. */
export function assignPlace(response: ServerResponse, { tenant }: Caller): void {
  if (places.get(response)?.assign(tenant.companyId) !== false) return;
  throw unavailable(
    'overload',
    'This company has too many requests being answered at once; try again.',
    overloadSeconds,
  );
}

/** What clients are told to wait. */
export const overloadSeconds = 1;

/**
 * Refuses with 503 what comes past the bound, before Express and with texts made once: a refusal that cost as much as an answer
 * would leave nothing for those that are accepted. It leaves no line in the log; the metrics count it.
 */
export function shedding(load: Load, sheds: readonly Shed[], handler: RequestListener): RequestListener {
  return (request, response) => {
    const url = request.url ?? '';
    const shed = sheds.find(({ base }) => url.startsWith(base));
    if (!shed) {
      handler(request, response);
      return;
    }
    const place = load.take(() => claimedTenant(request.headers.authorization)?.companyId);
    if (place) {
      places.set(response, place);
      response.on('close', () => place.giveBack());
      handler(request, response);
      return;
    }
    const head = {
      'X-Request-Id': randomUUID(),
      'X-API-Environment': environmentOfPath(url),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Retry-After': overloadSeconds,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(shed.body),
    };
    response.writeHead(503, head).end(shed.body);
  };
}
