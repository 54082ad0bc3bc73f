import { on, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type PGlite, protocol } from '@electric-sql/pglite';

/** A transaction that nobody continues for this long is rolled back, because every other connection waits behind it. */
const idleInTransactionMs = 15_000;

/** PostgreSQL 55.7, message formats: StartupMessage, and SSLRequest and GSSENCRequest, which are declined. */
const startupCode = 196_608;
const encryptionCodes = new Set([80_877_103, 80_877_104]);
const messageBytesMax = 64 * 1024 * 1024;
const [sync, query, terminate] = Buffer.from('SQX');

/**
 * Serves one backend to many connections; returns what ends them all and writes a checkpoint.
 * Not by @electric-sql/pglite-socket 0.2.17, which mixes the messages of connections: an error of one before its Sync empties the
 * answer of another. An idle transaction blocks the others for ever there, and a query takes one and a half times the CPU.
 */
export async function serveSocket(db: PGlite, path: string): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void serveConnection(db, socket);
  });
  await once(server.listen(path), 'listening');
  return async () => {
    const closed = once(server.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
    await db.exec('CHECKPOINT');
  };
}

/** Holds the backend for a request, and for the rest of the transaction that it may open; what a lost client leaves is rolled back. */
async function serveConnection(db: PGlite, socket: Socket): Promise<void> {
  const requests = readRequests(socket);
  for await (const first of requests)
    await db.runExclusive(async () => {
      let request: Buffer | undefined = first;
      while (request && !socket.destroyed) {
        socket.write(await execute(db, request));
        if (!db.isInTransaction()) return;
        const timer = setTimeout(() => socket.destroy(), idleInTransactionMs);
        const next: IteratorResult<Buffer, undefined> = await requests.next();
        clearTimeout(timer);
        request = next.value;
      }
      if (db.isInTransaction()) await execute(db, protocol.serialize.query('ROLLBACK'));
    });
}

async function execute(db: PGlite, request: Uint8Array): Promise<Buffer> {
  const answer: Buffer[] = [];
  // A copy: the bytes are a view into the backend's memory.
  await db.execProtocolRawStream(request, { onRawData: (bytes) => answer.push(Buffer.from(bytes)) });
  return Buffer.concat(answer);
}

/**
 * What a client sends, cut into requests: its StartupMessage, then everything up to a Sync or a Query. All connections share the
 * backend's one unnamed statement, so that a request must reach it whole. Ends with the connection, and closes it where the protocol
 * is another one.
 */
async function* readRequests(socket: Socket): AsyncGenerator<Buffer, undefined> {
  const read = readerOf(socket);
  try {
    yield await readStartup(socket, read);
    for (;;) {
      const messages: Buffer[] = [];
      let type: number | undefined;
      while (type !== sync && type !== query) {
        const head = await read(5);
        type = head[0];
        if (type === terminate) return;
        messages.push(head, await read(head.readInt32BE(1) - 4));
      }
      yield Buffer.concat(messages);
    }
  } catch {
    // The connection ended or was reset, or what came was no message.
  } finally {
    socket.destroy();
  }
}

async function readStartup(socket: Socket, read: Read): Promise<Buffer> {
  const head = await read(8);
  const code = head.readInt32BE(4);
  if (encryptionCodes.has(code)) {
    socket.write('N');
    return readStartup(socket, read);
  }
  if (code !== startupCode) throw new Error('not a StartupMessage');
  return Buffer.concat([head, await read(head.readInt32BE(0) - 8)]);
}

/** Exactly so many bytes; rejects where the connection ends before. */
type Read = (count: number) => Promise<Buffer>;

function readerOf(socket: Socket): Read {
  const chunks = on(socket, 'data', { close: ['close'] });
  let bytes: Buffer = Buffer.alloc(0);
  return async (count) => {
    if (count < 0 || count > messageBytesMax) throw new Error('not a message');
    while (bytes.length < count) {
      const { done, value } = await chunks.next();
      if (done) throw new Error('the connection ended');
      bytes = Buffer.concat([bytes, ...value]);
    }
    const taken = bytes.subarray(0, count);
    bytes = bytes.subarray(count);
    return taken;
  };
}
