import { readFile } from 'node:fs/promises';
import type { Request, RequestHandler, Response } from 'express';
import { checkClient } from '../../auth/authenticate-request.ts';
import { environmentOfPath, policy } from '../../domain/environment.ts';
import { refusal } from '../../domain/errors.ts';
import { clientInfoOf } from '../../server/client-info.ts';
import type { AdapterDeps } from '../../server/deps.ts';
import { type Published, publish, sendPublished } from '../../server/published.ts';
import { publicPolicy } from '../security.ts';
import { en, type Texts } from './texts.ts';

type Loader = (texts: Texts) => Promise<Published>;

const frontPath = '/';
const docsPath = '/docs';
const html = 'text/html; charset=utf-8';

/** The build copies both files beside the code. */
const yaml = new URL('../../../openapi.yaml', import.meta.url);
const json = new URL('../../../generated/openapi.json', import.meta.url);

const pageHeaders = ({ tag }: Texts, connectSrc: "'none'" | "'self'") => ({
  'Content-Security-Policy': publicPolicy(connectSrc),
  'Content-Language': tag,
});

/** Every public path. Nothing is read or rendered before its first request. */
const loaders = (publicUrl: string): ReadonlyMap<string, Loader> =>
  new Map<string, Loader>([
    ...['', policy.production.restBase, policy.sandbox.restBase].flatMap((base): [string, Loader][] => [
      [`${base}/openapi.json`, async () => publish('application/json; charset=utf-8', await readFile(json))],
      [`${base}/openapi.yaml`, async () => publish('application/yaml; charset=utf-8', await readFile(yaml))],
    ]),
    [
      '/llms.txt',
      async () => publish('text/plain; charset=utf-8', (await import('./llms-text.ts')).llmsText(publicUrl)),
    ],
    [
      docsPath,
      async (texts) =>
        publish(html, (await import('./docs-page.tsx')).docsPage(publicUrl, texts), {
          ...pageHeaders(texts, "'self'"),
          Vary: 'Accept-Encoding',
        }),
    ],
    [
      frontPath,
      async (texts) =>
        publish(html, (await import('./front-page.tsx')).frontPage(publicUrl, texts), {
          ...pageHeaders(texts, "'none'"),
          Vary: 'Accept, Accept-Encoding',
        }),
    ],
  ]);

/**
 * Serves what needs no credential: the front page, the contract, the API reference and llms.txt.
 * Throws 400 `https`, 429 `address` and 405 `method`. Leaves every other path to the next handler.
 */
export function reference({ auth, listener, services }: AdapterDeps): RequestHandler {
  const known = loaders(services.publicUrl);
  const loaded = new Map<string, Promise<Published>>();
  return async (request, response, next) => {
    const { path, method } = request;
    const load = known.get(path);
    if (!load || (path === frontPath && !prefersHtml(request, response))) return next();
    await checkClient(auth, clientInfoOf(request, environmentOfPath(path), listener));
    if (method !== 'GET' && method !== 'HEAD')
      throw refusal(405, 'method', 'This path does not have that method.', {}, { Allow: 'GET, HEAD' });
    const published = loaded.get(path) ?? load(en);
    loaded.set(path, published);
    sendPublished(request, response, await published);
  };
}

/** Whether the client reads and prefers HTML to JSON. curl and API clients get the envelope of an unknown path. */
function prefersHtml(request: Request, response: Response): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  response.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}
