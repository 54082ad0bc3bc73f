import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { Config } from '../config.ts';
import { handleClientError, refuseConnect } from './client-errors.ts';
import type { MessageClasses } from './express-app.ts';
import type { TlsFiles } from './tls-files.ts';

export interface HttpApp {
  readonly handler: RequestListener;
  /** Handles requests with an Expect header other than 100-continue. */
  readonly expectationHandler: RequestListener;
  readonly messageClasses: MessageClasses;
}

/** Longer than a proxy's, so that the proxy closes idle connections. */
const keepAliveTimeout = 65_000;

/** Creates the server, not yet listening: https if there is a certificate, else http. */
export function makeServer({ serverTimeouts, sendTimeoutMs }: Config, app: HttpApp, tls?: TlsFiles): http.Server {
  const handler = withSendTimeout(sendTimeoutMs, app.handler);
  const connectionsCheckingInterval = Math.min(5000, serverTimeouts.headersTimeout);
  // We refuse a missing Host ourselves: Node's response would lack the headers and the body.
  const settings = { keepAliveTimeout, connectionsCheckingInterval, requireHostHeader: false };
  const options = { ...app.messageClasses, ...serverTimeouts, ...settings };
  const server = tls ? https.createServer({ ...options, ...tls }, handler) : http.createServer(options, handler);
  server.on('checkExpectation', app.expectationHandler);
  server.on('connect', refuseConnect);
  server.on('clientError', handleClientError);
  return server;
}

/** Closes a connection whose client reads nothing for that long; any byte sent restarts the time. */
const withSendTimeout =
  (sendTimeoutMs: number, handler: RequestListener): RequestListener =>
  (request, response) => {
    response.setTimeout(sendTimeoutMs, () => {
      if (request.socket.writableLength > 0) response.destroy();
    });
    handler(request, response);
  };
