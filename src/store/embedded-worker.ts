import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { serveSocket } from './embedded-socket.ts';

export interface WorkerInput {
  /** Where the cluster lies; undefined keeps it in memory. */
  readonly clusterFolder: string | undefined;
  readonly socketPath: string;
  /** A tar of a cluster to begin with, where there is none yet. */
  readonly template: string | undefined;
}

export type WorkerRequest = 'beat' | 'close' | { readonly dumpTo: string };
export type WorkerReply = 'ready' | 'beaten' | 'closed' | 'dumped';

const input: WorkerInput = workerData;
if (!parentPort) throw new Error('this file runs as a worker thread');
const parent = parentPort;
const reply = (message: WorkerReply): void => parent.postMessage(message);

/** Small log segments and no copies on disk of what initdb alone would reread: a first start is mostly file writing. */
const initDbStartParams = ['--wal-segsize=1', '--no-sync', '--no-instructions'];

const options: PGliteOptions = { initDbStartParams };
if (input.clusterFolder) options.dataDir = input.clusterFolder;
if (input.template) options.loadDataDir = new Blob([new Uint8Array(await readFile(input.template))]);

const db = await PGlite.create(options);
const stopServing = await serveSocket(db, input.socketPath);

parent.on('message', (request: WorkerRequest) => {
  if (request === 'beat') reply('beaten');
  else void (request === 'close' ? close() : dump(request.dumpTo));
});
reply('ready');

async function close(): Promise<void> {
  await stopServing();
  await db.close();
  reply('closed');
  parent.close();
}

async function dump(path: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  const tar = await db.dumpDataDir('none');
  await writeFile(path, Buffer.from(await tar.arrayBuffer()));
  reply('dumped');
}
