import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { serveSocket } from './embedded-socket.ts';
import { initDbStartParams } from './embedded-template.ts';

export interface WorkerInput {
  /** Undefined keeps the cluster in memory. */
  readonly clusterFolder: string | undefined;
  readonly socketPath: string;
  /** The path of a tar file from which to create a new cluster. */
  readonly template: string | undefined;
}

export type WorkerRequest = 'beat' | 'close';
export type WorkerReply = 'ready' | 'beaten';

const input: WorkerInput = workerData;
if (!parentPort) throw new Error('this file runs as a worker thread');
const parent = parentPort;
const reply = (message: WorkerReply): void => parent.postMessage(message);

/** Not PostgreSQL's default of 128 MB: PGlite writes all buffers when it starts. Small buffers suffice, as the operating system caches files. */
const sharedBuffers = ['-c', 'shared_buffers=32MB'];
const options: PGliteOptions = { initDbStartParams, startParams: [...PGlite.defaultStartParams, ...sharedBuffers] };
if (input.clusterFolder) options.dataDir = input.clusterFolder;
if (input.template) options.loadDataDir = new Blob([new Uint8Array(await readFile(input.template))]);

const db = await PGlite.create(options);
const stopServing = await serveSocket(db, input.socketPath);

parent.on('message', (request: WorkerRequest) => {
  if (request === 'beat') reply('beaten');
  else void close();
});
reply('ready');

async function close(): Promise<void> {
  await stopServing();
  await db.close();
  parent.close();
}
