import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import lockfile from 'proper-lockfile';

/** The process that serves a data folder, as written in its owner file. */
export interface Owner {
  readonly pid: number;
  /** Distinguishes the process from a later one with the same id. */
  readonly startedAt: string;
  readonly socketFolder: string;
}

export type Claim = { kind: 'mine'; socketFolder: string; release(): Promise<void> } | { kind: 'taken'; owner: Owner };

/** sun_path has 104 bytes on macOS and 108 on Linux, including the final NUL. */
const socketPathBytesMax = 103;
const ownerName = 'owner.json';
const socketName = '.s.PGSQL.5432';
const privatePrefix = join(tmpdir(), 'vaga-');

export const socketPathIn = (folder: string): string => join(folder, socketName);

/**
 * Makes this process the owner of the folder, or returns the owner that it has. A killed owner is recognized at once by its process and
 * socket, not by the age of a file.
 */
export async function claimFolder(dataDir: string): Promise<Claim> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const ownerFile = join(dataDir, ownerName);
  // The lock makes the check and the write atomic; it is held for milliseconds.
  const done = await lockfile.lock(dataDir, {
    lockfilePath: join(dataDir, 'owner.lock'),
    stale: 2000,
    retries: { retries: 100, factor: 1, minTimeout: 30, maxTimeout: 30 },
  });
  try {
    const previous = await readOwner(ownerFile);
    if (previous && (await isServing(previous))) return { kind: 'taken', owner: previous };
    if (previous) await removeSocket(previous.socketFolder);
    const socketFolder = await makeSocketFolder(dataDir);
    const owner: Owner = { pid: process.pid, startedAt: startOf(process.pid) ?? '', socketFolder };
    await writeFile(`${ownerFile}.new`, JSON.stringify(owner), { mode: 0o600 });
    await rename(`${ownerFile}.new`, ownerFile);
    return { kind: 'mine', socketFolder, release: () => release(ownerFile, owner) };
  } finally {
    await done();
  }
}

async function release(ownerFile: string, owner: Owner): Promise<void> {
  const now = await readOwner(ownerFile);
  if (now?.pid !== owner.pid || now.startedAt !== owner.startedAt) return;
  await removeSocket(owner.socketFolder);
  await rm(ownerFile, { force: true });
}

/** Only this user may enter the folder: the socket gives access to the whole database. */
async function makeSocketFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir, 'run');
  if (Buffer.byteLength(socketPathIn(folder)) > socketPathBytesMax) return makePrivateFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}

/** A private folder with a short path. */
export const makePrivateFolder = (): Promise<string> => mkdtemp(privatePrefix);

export async function removeSocket(folder: string): Promise<void> {
  await rm(socketPathIn(folder), { force: true });
  if (dirname(folder) === dirname(privatePrefix) && folder.startsWith(privatePrefix)) {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readOwner(ownerFile: string): Promise<Owner | undefined> {
  const text = await readFile(ownerFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { pid, startedAt, socketFolder }: Partial<Owner> = JSON.parse(text);
    return pid && startedAt !== undefined && socketFolder ? { pid, startedAt, socketFolder } : undefined;
  } catch {
    return undefined;
  }
}

/** The process that serves the folder, if there is one. Changes nothing. */
export async function servingOwner(dataDir: string): Promise<Owner | undefined> {
  const owner = await readOwner(join(dataDir, ownerName));
  return owner && (await isServing(owner)) ? owner : undefined;
}

/** Whether the owner is alive. Also tries the socket: in another container, the process id means nothing here. */
export async function isServing(owner: Owner): Promise<boolean> {
  return startOf(owner.pid) === owner.startedAt || (await answers(owner.socketFolder));
}

/** Whether a process listens on the folder's socket. */
export const answers = (socketFolder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketPathIn(socketFolder));
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.setTimeout(500, () => settle(false));
  });

/** When a process started, in the system's own format; undefined for none or a zombie. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain spaces. The state follows it; the start is field 22 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}
