import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listMigrations, packageRoot, readFunctions, readMigration, referenceSeed } from './prisma-folder.ts';

/** Small WAL segments, and no wait for the disk: a first start spends most of its time writing files. */
export const initDbStartParams = ['--wal-segsize=1', '--no-sync', '--no-instructions'];

export const templateFolder = join(packageRoot, 'dist', 'embedded');

/**
 * Returns the path of the migrated cluster that the build prepares for first starts: making a cluster takes seconds, copying it a fraction
 * of a second. The file's name contains a hash of the cluster's inputs, so a stale cluster is never used.
 */
export const templatePath = async (names?: readonly string[]): Promise<string> =>
  join(templateFolder, `cluster-${await digestOfInputs(names)}.tar`);

/** Returns the path of the list of what that cluster's migrations made. */
export const partsPath = async (): Promise<string> => join(templateFolder, `parts-${await digestOfInputs()}.json`);

async function digestOfInputs(names?: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const { dependencies } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  hash.update(dependencies['@electric-sql/pglite']);
  for (const name of names ?? (await listMigrations())) hash.update(name).update(await readMigration(name));
  hash.update(await readFunctions());
  hash.update(JSON.stringify(await referenceSeed({ again: false })));
  return hash.digest('hex').slice(0, 16);
}

/** Returns the path of this version's template, or of the one with the migrations `names`. Undefined if it was not built. */
export async function findTemplate(names?: readonly string[]): Promise<string | undefined> {
  if (!existsSync(templateFolder)) return undefined;
  const path = await templatePath(names);
  return existsSync(path) ? path : undefined;
}
