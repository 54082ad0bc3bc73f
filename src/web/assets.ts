import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RequestHandler } from 'express';
import { builtFile } from '../files.ts';
import { publish, sendPublished } from '../server/published.ts';

const require = createRequire(import.meta.url);

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Contains a digest of the content or the renderer's version, so that browsers may cache the asset for ever. */
  readonly path: string;
}

function asset(name: string, type: string, file: string): Asset {
  const bytes = readFileSync(file);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { type, bytes, path: `/${name.replace('.', `.${digest}.`)}` };
}

export const assetsBase = '/assets';

const all = {
  oat: asset('oat.css', 'text/css', require.resolve('@knadh/oat/oat.min.css')),
  style: asset('vaga.css', 'text/css', builtFile('src/web/assets/vaga.css')),
  script: asset('vaga.js', 'text/javascript', builtFile('src/web/assets/vaga.js')),
  docsStyle: asset('docs.css', 'text/css', builtFile('src/web/assets/docs.css')),
  docs: asset('docs.js', 'text/javascript', builtFile('src/web/assets/docs.js')),
};

/** The API reference's renderer: scripts that import each other, in a folder named after the renderer's version. */
const renderer = readdirSync(builtFile('generated/renderer'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }): Asset => {
    const file = `${parentPath}/${name}`;
    return { type: 'text/javascript', bytes: readFileSync(file), path: file.slice(file.lastIndexOf('/renderer/')) };
  });

/** The path of the renderer's main script, then those of the scripts that it imports. */
export const rendererPaths: readonly string[] = renderer
  .filter(({ path }) => path.endsWith('standalone.esm.js'))
  .flatMap(({ path, bytes }) => [
    assetsBase + path,
    ...[...bytes.toString().matchAll(/from"\.(\/chunks\/[^"]+)"/g)].map(
      ([, chunk]) => assetsBase + path.replace('/standalone.esm.js', String(chunk)),
    ),
  ]);

/** The paths of style sheets and scripts. */
export const assetPaths = Object.fromEntries(
  Object.entries(all).map(([name, { path }]) => [name, assetsBase + path]),
) as Readonly<Record<keyof typeof all, string>>;

/** The assets, by their path below `assetsBase`. */
const published = new Map(
  [...Object.values(all), ...renderer].map(({ type, bytes, path }) => [
    path,
    publish(type.startsWith('text/') ? `${type}; charset=utf-8` : type, bytes, {
      'Cache-Control': 'public, max-age=31536000, immutable',
    }),
  ]),
);

/** Serves the assets from memory. */
export const serveAssets: RequestHandler = (request, response, next) => {
  const document = published.get(request.path);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return document && isRead ? sendPublished(request, response, document) : next();
};
