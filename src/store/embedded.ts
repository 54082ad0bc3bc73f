import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { PoolConfig } from 'pg';
import { heartbeatMs, stuck } from './embedded-heartbeat.ts';
import {
  answers,
  claimFolder,
  isServing,
  makePrivateFolder,
  type Owner,
  removeSocket,
  socketPathIn,
} from './embedded-lock.ts';
import { findTemplate } from './embedded-template.ts';
import type { WorkerInput, WorkerReply, WorkerRequest } from './embedded-worker.ts';
import { firstLine, StoreError } from './open-error.ts';

/** The data folder that lives in memory, for tests. */
const inMemory = ':memory:';

export interface Embedded {
  /** Resolves if the database dies, or answers nothing any more, while it should run. */
  readonly lost: Promise<Error>;
  /** Call when the schema and the reference data stand: from now on a start continues with what is there. */
  keep(): Promise<void>;
  /** Writes the whole cluster as a tar file. */
  dump(path: string): Promise<void>;
  /** Writes a checkpoint, ends the worker and gives the folder back. */
  close(): Promise<void>;
}

/** How long a stop waits for the checkpoint. */
const closeMs = 10_000;

export type Opened =
  | { kind: 'mine'; connection: PoolConfig; start(): Promise<Embedded> }
  | { kind: 'joined'; connection: PoolConfig };

const never = new Promise<never>(() => undefined);
const connectionTo = (socketFolder: string): PoolConfig => ({
  host: socketFolder,
  user: 'postgres',
  database: 'postgres',
});

/** Claims the folder, or with `join` finds the process that serves it. Refuses a folder in use. */
export async function openEmbedded(dataDir: string, join: boolean): Promise<Opened> {
  if (dataDir === inMemory) return openInMemory(findTemplate);
  const claim = await claimFolder(dataDir).catch((error) => {
    throw new StoreError(`the data folder ${dataDir} cannot be used: ${firstLine(error)}`);
  });
  if (claim.kind === 'taken') {
    if (!join) throw new StoreError(`the data folder ${dataDir} is in use by process ${claim.owner.pid}`);
    await listening(claim.owner, dataDir);
    return { kind: 'joined', connection: connectionTo(claim.owner.socketFolder) };
  }
  const { socketFolder, release } = claim;
  const start = () => orRelease(startInFolder(dataDir, socketPathIn(socketFolder), release), release);
  return { kind: 'mine', connection: connectionTo(socketFolder), start };
}

/** An empty database in memory, for the schema engine to compare with. */
export const openEmpty = (beatMs = heartbeatMs): Promise<Opened & { kind: 'mine' }> =>
  openInMemory(async () => undefined, beatMs);

async function openInMemory(
  template: () => Promise<string | undefined>,
  beatMs = heartbeatMs,
): Promise<Opened & { kind: 'mine' }> {
  const socketFolder = await makePrivateFolder();
  const release = (): Promise<void> => removeSocket(socketFolder);
  const start = async (): Promise<Embedded> => {
    const input = { clusterFolder: undefined, socketPath: socketPathIn(socketFolder), template: await template() };
    const worker = await orRelease(startWorker(input, release, beatMs), release);
    return { ...worker, keep: async () => undefined };
  };
  return { kind: 'mine', connection: connectionTo(socketFolder), start };
}

/** Waits for an owner that is still starting, at most 15 seconds. */
async function listening(owner: Owner, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await answers(owner.socketFolder)) return;
    if (!(await isServing(owner))) break;
    await sleep(50);
  }
  throw new StoreError(`process ${owner.pid} holds the data folder ${dataDir} but does not answer; try again`);
}

async function startInFolder(dataDir: string, socketPath: string, release: () => Promise<void>): Promise<Embedded> {
  const clusterFolder = join(dataDir, 'pg');
  const unfinished = join(dataDir, 'unfinished');
  // A first start that was cut off has acknowledged nothing: begin again.
  if (existsSync(unfinished)) await rm(clusterFolder, { recursive: true, force: true });
  const isNew = !existsSync(join(clusterFolder, 'PG_VERSION'));
  if (isNew) await writeFile(unfinished, '');
  await mkdir(clusterFolder, { recursive: true, mode: 0o700 });
  await chmod(clusterFolder, 0o700);
  const template = isNew ? await findTemplate() : undefined;
  const worker = await startWorker({ clusterFolder, socketPath, template }, release);
  return { ...worker, keep: () => rm(unfinished, { force: true }) };
}

async function orRelease<T>(start: Promise<T>, release: () => Promise<void>): Promise<T> {
  try {
    return await start;
  } catch (error) {
    await release();
    throw error;
  }
}

async function startWorker(
  workerData: WorkerInput,
  release: () => Promise<void>,
  beatMs = heartbeatMs,
): Promise<Pick<Embedded, 'lost' | 'dump' | 'close'>> {
  const worker = new Worker(workerEntry, { workerData });
  const died = new Promise<Error>((resolve) => {
    worker.once('error', (error) =>
      resolve(new StoreError(`the embedded database failed (is its disk full?): ${firstLine(error)}`)),
    );
    worker.once('exit', (code) => resolve(new StoreError(`the embedded database ended (${code})`)));
  });
  const replied = (wanted: WorkerReply): Promise<void> =>
    new Promise((resolve, reject) => {
      void died.then(reject);
      worker.on('message', (reply: WorkerReply) => reply === wanted && resolve());
    });
  const ask = async (request: WorkerRequest, wanted: WorkerReply): Promise<void> => {
    const answer = replied(wanted);
    worker.postMessage(request);
    await answer;
  };
  await replied('ready');
  const lost = Promise.race([died, stuck(worker, beatMs)]);
  let closing: Promise<void> | undefined;
  const isClosing = (): boolean => closing !== undefined;
  const close = async (): Promise<void> => {
    // A worker that is stuck is ended as a crash would: what was acknowledged stays.
    await Promise.race([
      ask('close', 'closed').catch(() => undefined),
      lost,
      sleep(closeMs, undefined, { ref: false }),
    ]);
    await worker.terminate();
    await release();
  };
  return {
    lost: lost.then((error) => (isClosing() ? never : error)),
    dump: (path) => ask({ dumpTo: path }, 'dumped'),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

const workerEntry = new URL('./embedded-worker.js', import.meta.url);
