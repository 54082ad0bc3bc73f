import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { RefusalText } from './early-refusal.ts';
import type { HeadersOf } from './standing-headers.ts';

/** What answers requests, and the classes that node:http makes them and their answers of. */
export interface Front {
  readonly handler: RequestListener;
  /** Answers a request whose Expect header asks for what we do not have. */
  readonly unexpected: RequestListener;
  readonly refusalText: RefusalText;
  readonly headersOf: HeadersOf;
  readonly messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/**
 * Gives requests and responses Express' prototypes when they are made. Express would change the prototype of each one, which undoes V8's
 * optimisations: a request then costs a fifth more CPU in the mixed benchmark.
 */
export function messagesOf(app: Express): Front['messages'] {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  // With the prototypes of Express above theirs they are what its types say.
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
