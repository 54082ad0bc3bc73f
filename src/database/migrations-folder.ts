import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json; the same from src and from dist/src. */
export const packageRoot = above(dirname(fileURLToPath(import.meta.url)));

export const prismaFolder = join(packageRoot, 'prisma');
export const migrationsFolder = join(prismaFolder, 'migrations');

function above(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json is not above the program');
  return above(parent);
}

/** Names of the migrations that this version knows, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export const readMigration = (name: string): Promise<string> =>
  readFile(join(migrationsFolder, name, 'migration.sql'), 'utf8');
