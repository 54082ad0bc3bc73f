import type { Request, Response } from 'express';

/**
 * Whether If-None-Match shows that the client already has this response, by weak comparison of the ETags (RFC 9110 section 13.1.2).
 * Express' `request.fresh` would ignore If-None-Match in a request with `Cache-Control: no-cache`, which fetch adds.
 */
export function hasCurrent({ method, headers }: Request, response: Response): boolean {
  const asked = headers['if-none-match'];
  const etag = response.get('ETag')?.replace(/^W\//, '');
  if (asked === undefined || etag === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return asked.trim() === '*' || (asked.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
