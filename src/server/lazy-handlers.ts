import type { RequestHandler } from 'express';

type Load = () => Promise<RequestHandler>;

/** Handlers whose code is loaded after the start, so that a start need not wait for it: by `load`, or by the first request that needs it. */
export class LazyHandlers {
  readonly #loads: Load[] = [];

  handler(load: Load): RequestHandler {
    let loading: Promise<RequestHandler> | undefined;
    const once: Load = () => {
      loading ??= load();
      return loading;
    };
    this.#loads.push(once);
    return async (request, response, next) => (await once())(request, response, next);
  }

  async load(): Promise<void> {
    await Promise.all(this.#loads.map((load) => load()));
  }
}
