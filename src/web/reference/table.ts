import { readFile } from 'node:fs/promises';
import type { OpenAPIV3 } from 'openapi-types';
import { policy } from '../../domain/environment.ts';
import { type Published, publish } from '../published.ts';
import { publicPolicy } from '../security.ts';
import { llmsText } from './llms-text.ts';

/** The build copies both beside the code. */
const yaml = new URL('../../../openapi.yaml', import.meta.url);
const json = new URL('../../../generated/openapi.json', import.meta.url);

/** The page that only a client which prefers HTML gets. */
export const frontPath = '/';

const file = (url: URL, type: string) => async () => publish(type, await readFile(url));

/** What is made of the contract: the text, or the page. */
const made =
  (type: string, make: (document: OpenAPIV3.Document) => string | Promise<string>, headers?: Record<string, string>) =>
  async () =>
    publish(type, await make(JSON.parse(await readFile(json, 'utf8'))), headers);

const html = 'text/html; charset=utf-8';

/** Every public path with the loader of its bytes; nothing is read before its first request. `publicUrl` as in the services. */
export function published(publicUrl: string): ReadonlyMap<string, () => Promise<Published>> {
  const contract = ['', policy.production.restBase, policy.sandbox.restBase].flatMap((base) => [
    [`${base}/openapi.json`, file(json, 'application/json; charset=utf-8')] as const,
    [`${base}/openapi.yaml`, file(yaml, 'application/yaml; charset=utf-8')] as const,
  ]);
  return new Map([
    ...contract,
    ['/llms.txt', made('text/plain; charset=utf-8', (document) => llmsText(document, publicUrl))],
    [
      '/docs',
      made(html, async (document) => (await import('./docs-page.tsx')).docsPage(document, publicUrl), {
        'Content-Security-Policy': publicPolicy("'self'"),
      }),
    ],
    [
      frontPath,
      made(html, async (document) => (await import('./front-page.tsx')).frontPage(document, publicUrl), {
        'Content-Security-Policy': publicPolicy("'none'"),
        Vary: 'Accept, Accept-Encoding',
      }),
    ],
  ]);
}
