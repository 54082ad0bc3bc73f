import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const clusterIn = (dataDir: string): string => join(dataDir, 'pg');
/** A mark that a first start has not ended. */
export const unfinishedIn = (dataDir: string): string => join(dataDir, 'unfinished');
const movingIn = (dataDir: string): string => join(dataDir, 'moving');
const movedIn = (dataDir: string): string => join(dataDir, 'moved');

export const hasCluster = (dataDir: string): boolean => existsSync(join(clusterIn(dataDir), 'PG_VERSION'));

/** A move whose copy may have been committed. */
export interface Move {
  /** The copy contains it too, until the folder is marked as moved. */
  readonly id: string;
  readonly tables: number;
  readonly rows: number;
  /** The database with the copy, for people. */
  readonly place: string;
}

/** Marks the folder before its copy is committed. */
export async function markMoving(dataDir: string, move: Move): Promise<void> {
  const written = `${movingIn(dataDir)}.new`;
  await writeFile(written, JSON.stringify(move));
  await rename(written, movingIn(dataDir));
}

export const readMove = async (dataDir: string): Promise<Move | undefined> =>
  existsSync(movingIn(dataDir)) ? JSON.parse(await readFile(movingIn(dataDir), 'utf8')) : undefined;

/** Marks the folder as moved, so that it is not opened again: writes to it would be missing from the moved database. Repeats what was not finished. */
export async function markMoved(dataDir: string, place: string): Promise<void> {
  if ((await readMoved(dataDir)) !== place) await writeFile(movedIn(dataDir), place);
  await rm(movingIn(dataDir), { force: true });
}

/** The database to which the folder's was moved. */
export const readMoved = async (dataDir: string): Promise<string | undefined> =>
  existsSync(movedIn(dataDir)) ? readFile(movedIn(dataDir), 'utf8') : undefined;

/** Says why the folder's database cannot be served. Undefined if it can, or if the folder has none. */
export async function whyNotServed(dataDir: string): Promise<string | undefined> {
  const move = await readMove(dataDir);
  return (
    (await whyNotMoved(dataDir)) ??
    (move &&
      `the move of the database in ${dataDir} to ${move.place} is not finished: run move again, or remove ${movingIn(dataDir)} if nothing was copied`)
  );
}

/** PGlite's major version of PostgreSQL. */
const clusterVersion = '18';

async function whyNotOpened(dataDir: string): Promise<string | undefined> {
  const cluster = clusterIn(dataDir);
  // The next start makes it anew.
  if (!existsSync(cluster) || existsSync(unfinishedIn(dataDir))) return undefined;
  if (!(await stat(cluster)).isDirectory()) return `${cluster} is not a folder`;
  const version = hasCluster(dataDir) ? (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim() : clusterVersion;
  if (version === clusterVersion) return undefined;
  return `the database in ${dataDir} is of PostgreSQL ${JSON.stringify(version)}, and this release has ${clusterVersion}`;
}

/** The same, but a move may move it again. */
export async function whyNotMoved(dataDir: string): Promise<string | undefined> {
  const place = await readMoved(dataDir);
  if (place === undefined) return whyNotOpened(dataDir);
  return `the database in ${dataDir} was moved to ${place}: set DATABASE_URL, or remove ${movedIn(dataDir)} to use the folder again`;
}
