import express, { type Express } from 'express';
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
