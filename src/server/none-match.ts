import type { Request, Response } from 'express';

/**
 * Whether the client has the response with this ETag already: If-None-Match by weak comparison, whatever Cache-Control says (RFC 9110 section
 * 13.1.2). Express' `request.fresh` ignores the header beside `Cache-Control: no-cache`, which fetch adds.
 */
export function hasCurrent({ method, headers }: Request, response: Response): boolean {
  const asked = headers['if-none-match'];
  const etag = response.get('ETag')?.replace(/^W\//, '');
  if (asked === undefined || etag === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return asked.trim() === '*' || (asked.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
