import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the nearest folder at or above the program that has a file of this name. Works in src, dist/src and a bundle in dist/bin. */
export const folderWith = (name: string): string => above(dirname(fileURLToPath(import.meta.url)), name);

function above(folder: string, name: string): string {
  if (existsSync(join(folder, name))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`${name} is not above the program`);
  return above(parent, name);
}

const builtFolder = folderWith('openapi.yaml');

/** The path of a file that the build copies to dist. `name` is its path from the project's root. */
export const builtFile = (name: string): string => join(builtFolder, name);
