import type { RequestHandler } from 'express';

type Load = () => Promise<RequestHandler>;

/** Handlers whose modules load after the start: by `load`, or with their first request. */
export class LazyHandlers {
  readonly #loads: Load[] = [];

  handler(load: Load): RequestHandler {
    let loading: Promise<RequestHandler> | undefined;
    const loadOnce: Load = () => {
      loading ??= load();
      return loading;
    };
    this.#loads.push(loadOnce);
    return async (request, response, next) => (await loadOnce())(request, response, next);
  }

  async load(): Promise<void> {
    await Promise.all(this.#loads.map((load) => load()));
  }
}
