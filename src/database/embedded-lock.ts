import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseError } from './database-errors.ts';

/**
 * The longest path of a data folder. A socket's path (sun_path) has 104 bytes on macOS, 108 on Linux, of which `/run/.s.PGSQL.5432` and a NUL
 * take 19. The path of the lock's socket is no longer.
 */
const pathBytesMax = 85;

export const socketPathIn = (folder: string): string => join(folder, '.s.PGSQL.5432');

/**
 * Returns the folder of the socket on which a data folder's database listens: `run` for a service, `own` for a process that serves only
 * itself. Throws a DatabaseError if the path is too long.
 */
export function socketFolderIn(dataDir: string, name: 'run' | 'own' = 'run'): string {
  const bytes = Buffer.byteLength(dataDir);
  if (bytes <= pathBytesMax) return join(dataDir, name);
  throw new DatabaseError(
    `the path of ${dataDir} has ${bytes} bytes; a Unix socket in it allows at most ${pathBytesMax}`,
  );
}

/**
 * Locks the folder until this process ends or calls the returned function. Returns undefined if the folder is in use. The lock is a
 * listening socket in a subfolder. A rename replaces only an empty subfolder, and socket names are never reused, so removing a dead socket
 * cannot remove a live one.
 */
export async function lockFolder(dataDir: string): Promise<(() => Promise<void>) | undefined> {
  await makeFolder(dataDir);
  const own = await mkdtemp(join(dataDir, 'lock'));
  const name = own.slice(-6);
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await once(server.listen(join(own, name)), 'listening');
    if (await replaces(own, lockIn(dataDir)))
      return () => {
        server.close();
        return rm(join(lockIn(dataDir), name), { force: true });
      };
    server.close();
    return undefined;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Makes the folder and its parents. Node's recursive mkdir never returns where no folder can be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const code = await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => error.code);
  if (code === undefined || code === 'EEXIST') return;
  const parent = dirname(folder);
  if (code === 'ENOENT' && parent !== folder) await makeFolder(parent);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const lockIn = (dataDir: string): string => join(dataDir, 'lock');

/** Replaces the lock. Returns false if the lock has a live socket. */
async function replaces(own: string, lock: string): Promise<boolean> {
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    if (!/^(ENOTEMPTY|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  const paths = await socketsIn(lock);
  if (await someAnswers(paths)) return false;
  for (const path of paths) await rm(path, { force: true });
  return replaces(own, lock);
}

/** Whether a process holds the lock. Changes nothing. */
export const isLocked = async (dataDir: string): Promise<boolean> => someAnswers(await socketsIn(lockIn(dataDir)));

const socketsIn = async (lock: string): Promise<string[]> =>
  existsSync(lock) ? (await readdir(lock)).map((name) => join(lock, name)) : [];

const someAnswers = async (paths: string[]): Promise<boolean> => (await Promise.all(paths.map(answers))).includes(true);

/**
 * Whether a process listens on a socket, even if the process is too busy to accept a connection. Throws EACCES if this user may not know.
 */
export const answers = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(true));
    socket.once('connect', () => socket.destroy());
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EACCES' ? reject(error) : resolve(!/^(ECONNREFUSED|ENOENT|ENOTSOCK)$/.test(error.code ?? '')),
    );
  });
