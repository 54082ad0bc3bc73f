import type { Request, RequestHandler } from 'express';

/** A part of the service and the path that it stands at; `exact`: not below it too. */
export interface Place {
  readonly base: string;
  readonly exact?: boolean;
  readonly handler: RequestHandler;
}

/** One look in place of Express trying pattern after pattern, for what most requests are. What is not found is left to the next handler. */
export const ahead =
  (find: (request: Request) => RequestHandler | undefined): RequestHandler =>
  (request, response, next) => {
    const found = find(request);
    // An async handler's promise goes to Express, which hears of its failure.
    return found ? found(request, response, next) : next();
  };

/** Sends a request to the part at whose base its path is. */
export const toPlaces = (places: readonly Place[]): RequestHandler =>
  ahead(({ path }) => places.find((place) => isAt(place, path))?.handler);

function isAt({ base, exact }: Place, path: string): boolean {
  if (!path.startsWith(base)) return false;
  return path.length === base.length || (path[base.length] === '/' && (!exact || path.length === base.length + 1));
}
