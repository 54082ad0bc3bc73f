import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import type { Trusts } from './client-info.ts';

export function createExpress(trustProxy: readonly string[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  app.set('trust proxy', trustProxy.length > 0 ? [...trustProxy] : false);
  return app;
}

/** Express compiles the list of trusted proxies into this function. */
export function trustedProxies(app: Express): Trusts {
  const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (address) => trust(address, 0);
}

export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Classes that already have Express' prototypes. Express would otherwise change the prototype of each message, which costs a fifth of
 * a request's CPU in the mixed benchmark.
 */
export function messageClasses(app: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  // With Express' prototypes above their own, they are what the types say.
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
