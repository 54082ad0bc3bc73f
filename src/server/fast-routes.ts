import type { Request, RequestHandler } from 'express';
import { isBelow } from '../domain/environment.ts';

/** The path of a part of the service; `exact`: not below it too. */
export interface Base {
  readonly base: string;
  readonly exact?: boolean;
}

/** A part of the service at its path. */
export interface FastRoute extends Base {
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
export const fastRoutes = (routes: readonly FastRoute[]): RequestHandler =>
  ahead(({ path }) => routes.find((route) => isAt(route, path))?.handler);

const nothingBelow = /^\/?(?:[?#]|$)/;

/** Whether a path, or a target with its query, is that part's. */
export const isAt = ({ base, exact }: Base, target: string): boolean =>
  isBelow(base, target) && (!exact || nothingBelow.test(target.slice(base.length)));
