// node scripts/run.mjs FILE.ts [ARGUMENTS]: runs one of our programs from its TypeScript source, without a build.
// A bundle loads faster than many files through a loader, and Node 24 keeps the compiled code of the packages.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { withPackages } from './bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist', 'run');

const entryOf = (file) => join(folder, file.replace('.ts', '.js'));

/** Bundles a TypeScript file and imports it. */
export async function load(file) {
  module.enableCompileCache?.(join(folder, 'cache'));
  const { outputFiles } = await build({
    ...withPackages,
    entryPoints: [file],
    outbase: root,
    outdir: folder,
    write: false,
  });
  const entry = entryOf(file);
  mkdirSync(dirname(entry), { recursive: true });
  // Writes the entry last, and puts each file in place by renaming it: another process may be loading them.
  for (const { path, text } of outputFiles.toSorted((one, other) => (one.path === entry) - (other.path === entry))) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
  return import(pathToFileURL(entry).href);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file] = process.argv;
  // Gives the program the arguments that it would have if Node ran it directly.
  process.argv.splice(1, 2, entryOf(file));
  await load(file);
}
