import type { RequestListener, ServerResponse } from 'node:http';
import { claimedTenant } from '../auth/authenticate.ts';
import type { Caller } from '../domain/actor.ts';
import { unavailable } from '../domain/errors.ts';
import type { InFlightLimit, Slot } from '../rate-limit/in-flight-limit.ts';
import { type Base, isAt } from './fast-routes.ts';
import type { HeadersOf } from './standing-headers.ts';

/** A part of the service whose requests are limited, and the JSON that refuses one. */
export interface LimitedPart extends Base {
  readonly body: string;
}

const slots = new WeakMap<ServerResponse, Slot>();

/** Counts a request towards its company's share of the slots. Throws 503 `overload` where that is used up. */
export function assignSlot(response: ServerResponse, { tenant }: Caller): void {
  if (slots.get(response)?.assign(tenant.companyId) !== false) return;
  throw unavailable(
    'overload',
    'This company has too many requests being answered at once; try again.',
    overloadSeconds,
  );
}

/** What clients are told to wait. */
export const overloadSeconds = 1;

/**
 * Refuses with 503 what comes past the limit, before Express and with texts made once: a refusal that cost as much as an answer
 * would leave nothing for those that are accepted. It leaves no line in the log; the metrics count it.
 */
export function sheddingLoad(
  limit: InFlightLimit,
  parts: readonly LimitedPart[],
  headersOf: HeadersOf,
  handler: RequestListener,
): RequestListener {
  return (request, response) => {
    const url = request.url ?? '';
    const part = parts.find((one) => isAt(one, url));
    const slot = part && limit.take(() => claimedTenant(request.headers.authorization)?.companyId);
    if (part && !slot) {
      refuse(response, headersOf(request), part.body);
      return;
    }
    if (slot) {
      slots.set(response, slot);
      response.on('close', () => slot.release());
    }
    handler(request, response);
  };
}

function refuse(response: ServerResponse, headers: ReturnType<HeadersOf>, body: string): void {
  const own = {
    'Retry-After': overloadSeconds,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  };
  response.writeHead(503, { ...headers, ...own }).end(body);
}
