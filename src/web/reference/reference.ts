import type { Request, RequestHandler, Response } from 'express';
import { checkClient } from '../../auth/authenticate-request.ts';
import { environmentOfPath } from '../../domain/environment.ts';
import { refusal } from '../../domain/errors.ts';
import { clientInfoOf } from '../../server/client-info.ts';
import type { AdapterDeps } from '../../server/deps.ts';
import { type Published, sendPublished } from '../published.ts';
import { frontPath, published } from './table.ts';

/**
 * What anybody reads without a credential: the front page, the contract, its rendered reference, llms.txt. The gate's rules for strangers
 * hold: 400 `https`, 429 `address`. Whatever is not published is left to the next handler.
 */
export function reference({ auth, listener, services }: AdapterDeps): RequestHandler {
  const loaders = published(services.publicUrl);
  const loaded = new Map<string, Promise<Published>>();
  const load = (path: string, loader: () => Promise<Published>): Promise<Published> => {
    const known = loaded.get(path) ?? loader();
    loaded.set(path, known);
    return known;
  };
  return async (request, response, next) => {
    const { path, method } = request;
    const loader = loaders.get(path);
    if (!loader || (path === frontPath && !isForBrowser(request, response))) return next();
    await checkClient(auth, clientInfoOf(request, environmentOfPath(path), listener));
    if (method !== 'GET' && method !== 'HEAD')
      throw refusal(405, 'method', 'This path does not have that method.', {}, { Allow: 'GET, HEAD' });
    sendPublished(request, response, await load(path, loader));
  };
}

/** Whether the client asks for a page: it reads, and prefers HTML to JSON. curl and API clients get the envelope of an unknown path. */
function isForBrowser(request: Request, response: Response): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  response.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}
