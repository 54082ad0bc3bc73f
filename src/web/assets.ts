import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import express, { type Router } from 'express';

const require = createRequire(import.meta.url);

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Changes with the content, so that a browser may keep it for ever. */
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
};

const assetsBase = '/assets';

/** Where a page finds its style sheets and its script. */
export const assetPaths = {
  pico: assetsBase + all.pico.path,
  style: assetsBase + all.style.path,
  script: assetsBase + all.script.path,
};

/** The files that every page shares, from memory. */
export function serveAssets(): { readonly base: string; readonly router: Router } {
  const router = express.Router({ caseSensitive: true });
  for (const { type, bytes, path } of Object.values(all))
    router.get(path, (_request, response) => {
      response.set('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(bytes);
    });
  return { base: assetsBase, router };
}
