import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Environment, environmentOfPath } from '../domain/environment.ts';
import { isHttps, type Listener } from './client-info.ts';

export type HeadersOf = (request: IncomingMessage) => Record<string, string>;

/** What every answer to a request carries. */
export const headersFor =
  (listener: Pick<Listener, 'trusts'>): HeadersOf =>
  (request) =>
    standingHeaders(environmentOfPath(targetOf(request)), isHttps(request, listener));

/** The headers of every answer; by https also RFC 6797's. */
export function standingHeaders(environment: Environment, https: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Request-Id': randomUUID(),
    'X-API-Environment': environment,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  if (https) headers['Strict-Transport-Security'] = 'max-age=31536000';
  return headers;
}

/** A request's target; a router of Express that has it has shortened `url`. */
export const targetOf = ({ originalUrl, url = '' }: IncomingMessage & { readonly originalUrl?: string }): string =>
  originalUrl ?? url;
