import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { DatabaseError, firstLine } from './database-errors.ts';
import { clusterIn, hasCluster, unfinishedIn, whyNotMoved, whyNotServed } from './embedded-folder.ts';
import { answers, isLocked, lockFolder, socketFolderIn, socketPathIn } from './embedded-lock.ts';
import { findTemplate } from './embedded-template.ts';
import { heartbeatMs, startThread, type Thread } from './embedded-thread.ts';

/** Keeps nothing on disk; for tests. */
const inMemory = ':memory:';

export interface Embedded extends Pick<Thread, 'lost'> {
  /** Call after migrating and seeding. Without this call, the next start discards a new database and creates it again. */
  keep(): Promise<void>;
  /** Writes a checkpoint, ends the thread and releases the folder. Idempotent. */
  close(): Promise<void>;
}

/** How to connect to a database, and a function that starts it. The function is absent if another process serves the database. */
export interface Opened {
  readonly connection: PoolConfig;
  readonly start?: () => Promise<Embedded>;
}

export const connectionTo = (socketFolder: string): PoolConfig => ({
  host: socketFolder,
  user: 'postgres',
  database: 'postgres',
  // The database refuses connections with other names.
  application_name: 'vaga',
});

/** A first start that was interrupted leaves no database: the next start begins again. */
const hasDatabase = (dataDir: string): boolean => hasCluster(dataDir) && !existsSync(unfinishedIn(dataDir));

/**
 * Whether the folder contains a database, or its lock is held by a process that may be creating a database. Throws a DatabaseError if the
 * folder cannot be used.
 */
export async function isDatabaseIn(dataDir: string): Promise<boolean> {
  const isThere = await readdir(dataDir).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && refusedIn(dataDir)(error),
  );
  return isThere && (hasDatabase(dataDir) || isLocked(dataDir));
}

/**
 * Locks the folder, for a process that serves others. With `joins`, for a command: returns how to connect to the process that serves the
 * folder or, without one, locks the folder and serves nobody else. Throws a DatabaseError if the folder is in use.
 */
export async function openEmbedded(dataDir: string, joins: boolean): Promise<Opened> {
  if (dataDir === inMemory) return openInMemory(() => findTemplate());
  const socketFolder = socketFolderIn(dataDir);
  if (joins) return takeTurn(dataDir, socketFolder).catch(refusedIn(dataDir));
  const release = await lock(dataDir);
  if (!release) throw new DatabaseError(`the data folder ${dataDir} is in use by another process`);
  return startable(socketFolder, release, (socketPath) => startInFolder(dataDir, socketPath));
}

/** How often, every tenth of a second, a command tries to get the folder from other commands. */
const triesMax = 600;

async function takeTurn(dataDir: string, servedIn: string): Promise<Opened> {
  for (let tries = 0; tries < triesMax; tries++) {
    if (await answers(socketPathIn(servedIn))) return { connection: connectionTo(servedIn) };
    const release = (await isLocked(dataDir)) ? undefined : await lock(dataDir);
    if (release) return startableAlone(dataDir, release);
    await sleep(100);
  }
  throw new DatabaseError(`another process has used the data folder ${dataDir} for a minute; try again`);
}

/** Opens a folder's database for its move: no other process can join. Throws a DatabaseError if the folder is in use or has no database. */
export async function openAlone(dataDir: string): Promise<Required<Opened>> {
  if (!hasDatabase(dataDir)) throw new DatabaseError(`there is no database in ${dataDir}`);
  const release = await lock(dataDir, whyNotMoved);
  if (!release) throw new DatabaseError(`the data folder ${dataDir} is in use by another process: stop it first`);
  return startableAlone(dataDir, release);
}

/** Listens where no other process looks for a service, which would lose its connections when this one ends. */
const startableAlone = (dataDir: string, release: () => Promise<void>): Required<Opened> =>
  startable(socketFolderIn(dataDir, 'own'), release, (socketPath) => startInFolder(dataDir, socketPath));

async function lock(dataDir: string, whyNot = whyNotServed): ReturnType<typeof lockFolder> {
  const release = await lockFolder(dataDir).catch(refusedIn(dataDir));
  const reason = release && (await whyNot(dataDir));
  if (reason === undefined) return release;
  await release?.();
  throw new DatabaseError(reason);
}

/** Throws what the system refuses as a DatabaseError. */
const refusedIn =
  (dataDir: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error instanceof DatabaseError) throw error;
    const fix = error.code === 'EACCES' ? ' (run this as the user of the service)' : '';
    throw new DatabaseError(`the data folder ${dataDir} cannot be used: ${firstLine(error)}${fix}`);
  };

/** Makes a folder that only this user may enter, in the system's temporary folder. */
export const makePrivateFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'vaga-'));

/** Opens an empty in-memory database. */
export const openEmpty = (beatMs = heartbeatMs): Promise<Required<Opened>> =>
  openInMemory(async () => undefined, beatMs);

async function openInMemory(
  template: () => Promise<string | undefined>,
  beatMs = heartbeatMs,
): Promise<Required<Opened>> {
  const socketFolder = await makePrivateFolder();
  const release = (): Promise<void> => rm(socketFolder, { recursive: true, force: true });
  return startable(socketFolder, release, async (socketPath) => {
    const thread = await startThread({ clusterFolder: undefined, socketPath, template: await template() }, beatMs);
    return { ...thread, keep: async () => thread.migrated() };
  });
}

/** Returns a `start` that releases the folder if the database fails to start, or when the database is closed. */
function startable(
  socketFolder: string,
  release: () => Promise<void>,
  startAt: (socketPath: string) => Promise<Embedded>,
): Required<Opened> {
  const start = async (): Promise<Embedded> => {
    try {
      const embedded = await startAt(socketPathIn(socketFolder));
      let closing: Promise<void> | undefined;
      const close = (): Promise<void> => {
        closing ??= embedded.close().then(release);
        return closing;
      };
      return { ...embedded, close };
    } catch (error) {
      await release();
      throw error;
    }
  };
  return { connection: connectionTo(socketFolder), start };
}

async function startInFolder(dataDir: string, socketPath: string): Promise<Embedded> {
  const clusterFolder = clusterIn(dataDir);
  const unfinished = unfinishedIn(dataDir);
  // An interrupted first start acknowledged nothing, so begin again.
  if (existsSync(unfinished)) await rm(clusterFolder, { recursive: true, force: true });
  const isNew = !hasCluster(dataDir);
  if (isNew) await writeFile(unfinished, '');
  // Only this user may enter: the socket gives access to the whole database.
  for (const folder of [clusterFolder, dirname(socketPath)]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  }
  // A killed process leaves its socket behind.
  await rm(socketPath, { force: true });
  const template = isNew ? await findTemplate() : undefined;
  const thread = await startThread({ clusterFolder, socketPath, template }, heartbeatMs);
  const keep = async (): Promise<void> => {
    thread.migrated();
    await rm(unfinished, { force: true });
  };
  return { ...thread, keep };
}
