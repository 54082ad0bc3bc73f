import { readFileSync } from 'node:fs';
import type { Request, RequestHandler, Response } from 'express';
import { checkClient } from '../../auth/authenticate-request.ts';
import { environmentOfPath, policy } from '../../domain/environment.ts';
import { methodNotAllowed } from '../../domain/errors.ts';
import { clientInfoOf } from '../../server/client-info.ts';
import type { AdapterDeps } from '../../server/deps.ts';
import { type Published, publish, sendPublished } from '../../server/published.ts';
import { docsPolicy, pagePolicy } from '../policies.ts';
import { type Language, languageOf, languageVary } from '../texts/language.ts';
import { docsPage } from './docs-page.tsx';
import { frontDocument, frontPage } from './front-page.tsx';
import { tryPage } from './try-page.ts';

const html = 'text/html; charset=utf-8';

const frontVary = `Accept, Accept-Encoding, ${languageVary}`;

/** The default of the contract's server variable. */
const addressInContract = 'http://127.0.0.1:3000';

/** Every public path with its document. The build copies the files beside the code. */
function publishAll(publicUrl: string): ReadonlyMap<string, Published> {
  const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const named = (text: string) => (publicUrl ? text.replaceAll(addressInContract, publicUrl) : text);
  const json = (name: string) => publish('application/json; charset=utf-8', named(read(`generated/${name}`)));
  const yaml = publish('application/yaml; charset=utf-8', named(read('openapi.yaml')));
  const contract = json('openapi.json');
  const page = docsPage(JSON.parse(read('generated/reference.json')));
  // Without PUBLIC_URL, a script puts the address at which the page was opened.
  const docs = publicUrl ? page.replaceAll('{address}', publicUrl) : page;
  const icon = readFileSync(new URL('../assets/favicon.svg', import.meta.url));
  return new Map([
    ...['', policy.production.restBase, policy.sandbox.restBase].flatMap((base): [string, Published][] => [
      [`${base}/openapi.json`, contract],
      [`${base}/openapi.yaml`, yaml],
    ]),
    ['/docs', publish(html, docs, { 'Content-Security-Policy': pagePolicy })],
    ['/docs/try', publish(html, tryPage, { 'Content-Security-Policy': docsPolicy })],
    ['/docs/reference.json', json('reference.json')],
    ['/favicon.ico', publish('image/svg+xml', icon, { 'Cache-Control': 'public, max-age=86400' })],
    ['/', publish('application/json; charset=utf-8', frontDocument(publicUrl), { Vary: frontVary })],
  ]);
}

interface Reference {
  /** Some are below the bases of REST, which would refuse them without a credential. */
  readonly paths: string[];
  readonly serve: RequestHandler;
}

/**
 * The documents that need no credential: the front page, the contract, the API reference and the icon.
 * Throws 400 `https`, 429 `address` and 405 `method`.
 */
export function reference({ auth, listener, services }: AdapterDeps): Reference {
  const documents = publishAll(services.publicUrl);
  const headers = { 'Content-Security-Policy': pagePolicy, Vary: frontVary };
  const front = (language: Language) => publish(html, frontPage(services.publicUrl, language), headers);
  const fronts = { en: front('en'), pt: front('pt') };
  const serve: RequestHandler = async (request, response, next) => {
    const { path, method } = request;
    const document = documents.get(path === '/docs/' ? '/docs' : path);
    if (!document) return next();
    await checkClient(auth, clientInfoOf(request, environmentOfPath(path), listener));
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    const isFront = path === '/' && prefersHtml(request, response);
    if (path === '/docs/') response.redirect(308, '/docs');
    else await sendPublished(request, response, isFront ? fronts[languageOf(request)] : document);
  };
  return { paths: [...documents.keys()], serve };
}

/** Whether the client reads and prefers HTML to JSON. */
export function prefersHtml(request: Request, response: Response): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  response.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}
