import { randomUUID } from 'node:crypto';
import type { Environment } from '../domain/environment.ts';

/** The headers of every answer; by https also RFC 6797's, for as long as the pages ask for. */
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
