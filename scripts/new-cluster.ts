import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { initDbStartParams } from '../src/database/embedded-template.ts';
import { packageRoot } from '../src/database/prisma-folder.ts';

/** Opens an empty embedded database in this process. Later calls open a copy of the first one, because making one takes 4 s of CPU. */
export async function newCluster(): Promise<PGlite> {
  const { dependencies } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  const path = join(packageRoot, 'dist/run', `cluster-${dependencies['@electric-sql/pglite']}.tar`);
  if (existsSync(path)) return openCluster(path);
  const db = await PGlite.create({ initDbStartParams });
  const tar = await db.dumpDataDir('none');
  await mkdir(dirname(path), { recursive: true });
  // The file gets its name when it is complete, because another process may look for it now.
  await writeFile(`${path}.${process.pid}`, Buffer.from(await tar.arrayBuffer()));
  await rename(`${path}.${process.pid}`, path);
  return db;
}

/** Opens a copy of a cluster in this process. */
export const openCluster = async (path: string): Promise<PGlite> =>
  PGlite.create({ initDbStartParams, loadDataDir: new Blob([new Uint8Array(await readFile(path))]) });
