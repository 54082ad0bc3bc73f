import type { RequestListener } from 'node:http';
import type { Load } from '../gate/load.ts';
import { type Base, isAt } from './ahead.ts';
import type { HeadersOf } from './standing-headers.ts';

/** A part of the service whose requests are counted, and the JSON that refuses one. */
export interface Shed extends Base {
  readonly body: string;
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
    if (load.take()) {
      response.on('close', () => load.giveBack());
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
