import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listMigrations, packageRoot, readMigration } from './migrations-folder.ts';
import { referenceSeed } from './reference-data.ts';

/** Small log segments and no copies on disk of what initdb alone would reread: a first start is mostly file writing. */
export const initDbStartParams = ['--wal-segsize=1', '--no-sync', '--no-instructions'];

export const templateFolder = join(packageRoot, 'dist', 'embedded');

/**
 * Where the build puts a migrated cluster for a first start to begin with: making one takes seconds, copying it a part of one. The
 * name changes with whatever the cluster is made from, so that a stale one is never found.
 */
export async function templatePath(): Promise<string> {
  const hash = createHash('sha256');
  const { dependencies } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  hash.update(dependencies['@electric-sql/pglite']);
  for (const name of await listMigrations()) hash.update(name).update(await readMigration(name));
  hash.update(JSON.stringify(await referenceSeed({ again: false })));
  return join(templateFolder, `cluster-${hash.digest('hex').slice(0, 16)}.tar`);
}

/** The template that fits this version, or undefined: then the cluster is made from nothing. */
export async function findTemplate(): Promise<string | undefined> {
  if (!existsSync(templateFolder)) return undefined;
  const path = await templatePath();
  return existsSync(path) ? path : undefined;
}
