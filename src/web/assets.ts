import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import express, { type Router } from 'express';
import { publish, sendPublished } from '../server/published.ts';

const require = createRequire(import.meta.url);

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Contains a digest of the content, so that browsers may cache it for ever. */
  readonly path: string;
}

function asset(name: string, type: string, file: string | URL): Asset {
  const bytes = readFileSync(file);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { type, bytes, path: `/${name.replace('.', `.${digest}.`)}` };
}

const all = {
  pico: asset('pico.css', 'text/css', require.resolve('@picocss/pico/css/pico.min.css')),
  style: asset('vaga.css', 'text/css', new URL('./assets/vaga.css', import.meta.url)),
  script: asset('vaga.js', 'text/javascript', new URL('./assets/vaga.js', import.meta.url)),
  docsStyle: asset('docs.css', 'text/css', new URL('./assets/docs.css', import.meta.url)),
  docs: asset('docs.js', 'text/javascript', new URL('./assets/docs.js', import.meta.url)),
  renderer: asset('renderer.js', 'text/javascript', new URL('../../generated/renderer.js', import.meta.url)),
};

const assetsBase = '/assets';

/** The paths of style sheets and scripts. */
export const assetPaths = {
  pico: assetsBase + all.pico.path,
  style: assetsBase + all.style.path,
  script: assetsBase + all.script.path,
  docsStyle: assetsBase + all.docsStyle.path,
  docs: assetsBase + all.docs.path,
  renderer: assetsBase + all.renderer.path,
};

/** Serves the assets from memory, compressed. */
export function serveAssets(): { readonly base: string; readonly router: Router } {
  const router = express.Router({ caseSensitive: true });
  for (const { type, bytes, path } of Object.values(all)) {
    const published = publish(`${type}; charset=utf-8`, bytes, {
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    router.get(path, (request, response) => sendPublished(request, response, published));
  }
  return { base: assetsBase, router };
}
