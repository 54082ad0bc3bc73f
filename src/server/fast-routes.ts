import type { RequestHandler } from 'express';
import { isBelow } from '../domain/environment.ts';

/** A path and what is below it, or with `exact` the path only. */
export interface PathPattern {
  readonly base: string;
  readonly exact?: boolean;
}

export interface FastRoute extends PathPattern {
  readonly handler: RequestHandler;
}

/** Finds the handler without Express' patterns. Other requests go to the next handler. */
export const fastRoutes =
  (routes: readonly FastRoute[]): RequestHandler =>
  (request, response, next) => {
    const route = routes.find((one) => matchesPath(one, request.path));
    // Return the promise: Express handles its rejection.
    return route ? route.handler(request, response, next) : next();
  };

const nothingBelow = /^\/?(?:[?#]|$)/;

/** Matches a path, or a target with its query. */
export const matchesPath = ({ base, exact }: PathPattern, target: string): boolean =>
  isBelow(base, target) && (!exact || nothingBelow.test(target.slice(base.length)));
