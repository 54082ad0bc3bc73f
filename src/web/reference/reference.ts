import { readFileSync } from 'node:fs';
import type { Request, RequestHandler, Response } from 'express';
import { checkClient } from '../../auth/authenticate-request.ts';
import { environmentOfPath, policy } from '../../domain/environment.ts';
import { methodNotAllowed } from '../../domain/errors.ts';
import { builtFile } from '../../files.ts';
import { clientInfoOf } from '../../server/client-info.ts';
import type { AdapterDeps } from '../../server/deps.ts';
import { ownAddress } from '../../server/own-address.ts';
import { type Published, publish, sendPublished } from '../../server/published.ts';
import { docsPolicy, pagePolicy } from '../policies.ts';
import { type Language, languageOf, languageVary } from '../texts/language.ts';
import { docsPage } from './docs-page.tsx';
import { frontDocument, frontPage } from './front-page.tsx';
import { tryPage } from './try-page.ts';

const html = 'text/html; charset=utf-8';

const frontVary = `Accept, Accept-Encoding, ${languageVary}`;

/** The address in openapi.yaml. */
const addressInContract = 'http://127.0.0.1:3000';

/** Public documents by their path. They name the service's address, if it is known. */
type Documents = ReadonlyMap<string, Published>;

const read = (name: string): string => readFileSync(builtFile(name), 'utf8');

/** Reads the documents' sources once, so that no request waits for a file or fails for lack of file descriptors. */
const readSources = () => ({
  yaml: read('openapi.yaml'),
  json: read('generated/openapi.json'),
  reference: read('generated/reference.json'),
  icon: readFileSync(builtFile('src/web/assets/favicon.svg')),
  client: readFileSync(builtFile('vaga-client.tgz')),
});

function documentsAt(
  address: string | undefined,
  publicUrl: string,
  sources: ReturnType<typeof readSources>,
  docsText: string,
): Documents {
  // Without an address, the URLs in `servers` are relative to the URL of the contract itself, as OpenAPI defines.
  const contract = (text: string) => text.replaceAll(addressInContract, address ?? '');
  // Without an address, a script in the page fills in the address at which the page was opened.
  const named = (text: string) => (address === undefined ? text : text.replaceAll('{address}', address));
  const json = (text: string) => publish('application/json; charset=utf-8', text);
  const asJson = json(contract(sources.json));
  const asYaml = publish('application/yaml; charset=utf-8', contract(sources.yaml));
  return new Map([
    ...['', policy.production.restBase, policy.sandbox.restBase].flatMap((base): [string, Published][] => [
      [`${base}/openapi.json`, asJson],
      [`${base}/openapi.yaml`, asYaml],
    ]),
    ['/docs', publish(html, named(docsText), { 'Content-Security-Policy': pagePolicy })],
    ['/docs/try', publish(html, tryPage, { 'Content-Security-Policy': docsPolicy })],
    ['/docs/reference.json', json(named(sources.reference))],
    ['/vaga-client.tgz', publish('application/gzip', sources.client)],
    ['/favicon.ico', publish('image/svg+xml', sources.icon, { 'Cache-Control': 'public, max-age=86400' })],
    ['/', publish('application/json; charset=utf-8', frontDocument(publicUrl), { Vary: frontVary })],
  ]);
}

interface Reference {
  /** The paths to serve before REST, because REST refuses every request below its bases that has no credential. */
  readonly paths: string[];
  readonly serve: RequestHandler;
}

/**
 * Serves what needs no credential: the front page, the contract, the API reference, the typed client's package and the icon.
 * Throws 400 `https`, 429 `address` and 405 `method`.
 */
export function reference(deps: AdapterDeps): Reference {
  const { auth, listener, services } = deps;
  const sources = readSources();
  const docs = docsPage(JSON.parse(sources.reference));
  const made = new Map<string | undefined, Documents>();
  const documentsOf = (address: string | undefined): Documents => {
    const documents = made.get(address) ?? documentsAt(address, services.publicUrl, sources, docs);
    made.set(address, documents);
    return documents;
  };
  const headers = { 'Content-Security-Policy': pagePolicy, Vary: frontVary };
  const front = (language: Language) => publish(html, frontPage(services.publicUrl, language), headers);
  const fronts = { en: front('en'), pt: front('pt') };
  const serve: RequestHandler = async (request, response, next) => {
    const { path, method } = request;
    const document = documentsOf(ownAddress(deps, request)).get(path === '/docs/' ? '/docs' : path);
    if (!document) return next();
    await checkClient(auth, clientInfoOf(request, environmentOfPath(path), listener));
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    const isFront = path === '/' && prefersHtml(request, response);
    if (path === '/docs/') response.redirect(308, '/docs');
    else await sendPublished(request, response, isFront ? fronts[languageOf(request)] : document);
  };
  return { paths: [...documentsOf(undefined).keys()], serve };
}

/** Whether the request is a GET or HEAD that prefers HTML to JSON. Adds `Accept` to the Vary header. */
export function prefersHtml(request: Request, response: Response): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  response.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}
