import { on, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type PGlite, protocol } from '@electric-sql/pglite';

/** An idle transaction is rolled back after this time, because every other connection waits for it. */
const idleInTransactionMs = 15_000;

/** PostgreSQL documentation, 55.7: StartupMessage, and SSLRequest and GSSENCRequest, which are declined. */
const startupCode = 196_608;
const encryptionCodes = new Set([80_877_103, 80_877_104]);
const messageBytesMax = 64 * 1024 * 1024;
const [sync, query, terminate] = Buffer.from('SQX');

/**
 * Serves one backend to many connections. Returns a function that closes them and writes a checkpoint.
 * Replaces @electric-sql/pglite-socket 0.2.17, which mixes up messages of different connections after an error, lets an idle transaction
 * block the others forever, and uses 1.5 times the CPU per query.
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

/** Holds the backend for each request, or for a whole transaction. Rolls back when the client disconnects in one. */
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
  // Copy: the bytes are a view of the backend's memory.
  await db.execProtocolRawStream(request, { onRawData: (bytes) => answer.push(Buffer.from(bytes)) });
  return Buffer.concat(answer);
}

/**
 * Splits what a client sends into requests: its StartupMessage, then everything up to a Sync or Query. A request must reach the backend
 * whole, because all connections share its one unnamed statement. Closes a connection with another protocol.
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
    // The connection ended or was reset, or sent no valid message.
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

/** Reads exactly `count` bytes; rejects if the connection ends first. */
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
