import { readFile } from 'node:fs/promises';
import { policy } from '../../domain/environment.ts';
import { llmsText } from './llms-text.ts';
import { docsPage, docsPolicy, docsScript, docsStyle } from './page.ts';
import { type Published, publish } from './published.ts';

/** The build copies both beside the code. */
const yaml = new URL('../../../openapi.yaml', import.meta.url);
const json = new URL('../../../generated/openapi.json', import.meta.url);

const file = (url: URL | string, type: string) => async () => publish(type, await readFile(new URL(url)));

/** Every public path with the loader of its bytes; nothing is read before its first request. `publicUrl` as in the services. */
export function published(publicUrl: string): ReadonlyMap<string, () => Promise<Published>> {
  const javaScript = 'text/javascript; charset=utf-8';
  const css = 'text/css; charset=utf-8';
  const contract = ['', policy.production.restBase, policy.sandbox.restBase].flatMap((base) => [
    [`${base}/openapi.json`, file(json, 'application/json; charset=utf-8')] as const,
    [`${base}/openapi.yaml`, file(yaml, 'application/yaml; charset=utf-8')] as const,
  ]);
  return new Map([
    ...contract,
    [
      '/llms.txt',
      async () => publish('text/plain; charset=utf-8', llmsText(JSON.parse(await readFile(json, 'utf8')), publicUrl)),
    ],
    ['/docs', () => publish('text/html; charset=utf-8', docsPage, { 'Content-Security-Policy': docsPolicy })],
    ['/docs/docs.js', () => publish(javaScript, docsScript)],
    ['/docs/docs.css', () => publish(css, docsStyle)],
    ['/docs/swagger-ui-bundle.js', file(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), javaScript)],
    ['/docs/swagger-ui.css', file(import.meta.resolve('swagger-ui-dist/swagger-ui.css'), css)],
  ]);
}
