import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listMigrations, packageRoot, readFunctions, readMigration, referenceSeed } from './prisma-folder.ts';

/** Small WAL segments, and no files that only initdb reads: a first start spends most of its time writing files. */
export const initDbStartParams = ['--wal-segsize=1', '--no-sync', '--no-instructions'];

export const templateFolder = join(packageRoot, 'dist', 'embedded');

/**
 * The migrated cluster that the build prepares for first starts: making one takes seconds, copying it a fraction of a second. Its name has
 * a hash of its inputs, so that a stale one is never used.
 */
export async function templatePath(names?: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const { dependencies } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  hash.update(dependencies['@electric-sql/pglite']);
  for (const name of names ?? (await listMigrations())) hash.update(name).update(await readMigration(name));
  hash.update(await readFunctions());
  hash.update(JSON.stringify(await referenceSeed({ again: false })));
  return join(templateFolder, `cluster-${hash.digest('hex').slice(0, 16)}.tar`);
}

/** The template of this version, or of these migrations, if it was built. */
export async function findTemplate(names?: readonly string[]): Promise<string | undefined> {
  if (!existsSync(templateFolder)) return undefined;
  const path = await templatePath(names);
  return existsSync(path) ? path : undefined;
}
