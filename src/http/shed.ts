import type { RequestListener, ServerResponse } from 'node:http';
import type { Caller } from '../domain/caller.ts';
import { unavailable } from '../domain/errors.ts';
import { claimedTenant } from '../gate/authenticate.ts';
import type { Load, Place } from '../gate/load.ts';
import { type Base, isAt } from './ahead.ts';
import type { HeadersOf } from './standing-headers.ts';

/** A part of the service whose requests are counted, and the JSON that refuses one. */
export interface Shed extends Base {
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
export function shedding(
  load: Load,
  sheds: readonly Shed[],
  headersOf: HeadersOf,
  handler: RequestListener,
): RequestListener {
  return (request, response) => {
    const url = request.url ?? '';
    const shed = sheds.find((part) => isAt(part, url));
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
      ...headersOf(request),
      'Retry-After': overloadSeconds,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(shed.body),
    };
    response.writeHead(503, head).end(shed.body);
  };
}
