import { on, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type PGlite, protocol } from '@electric-sql/pglite';

/** Codes of StartupMessage, and of SSLRequest and GSSENCRequest, which are declined (PostgreSQL documentation, 55.7). */
const startupCode = 196_608;
const encryptionCodes = new Set([80_877_103, 80_877_104]);
const messageBytesMax = 64 * 1024 * 1024;
const [sync, query, terminate] = Buffer.from('SQX');

/**
 * Serves one backend to many connections. Returns a function that closes them and writes a checkpoint.
 * Replaces @electric-sql/pglite-socket 0.2.17, which mixes up messages of different connections after an error, uses 1.5 times the CPU per
 * query, and lets an idle transaction block other connections forever. Here, it blocks them for `idleInTransactionMs` at most.
 */
export async function serveSocket(
  db: PGlite,
  path: string,
  { idleInTransactionMs = 15_000 } = {},
): Promise<() => Promise<void>> {
  const serving = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    serving.set(
      socket,
      serveConnection(db, socket, idleInTransactionMs).finally(() => serving.delete(socket)),
    );
  });
  await once(server.listen(path), 'listening');
  return async () => {
    const closed = once(server.close(), 'close');
    for (const socket of serving.keys()) socket.destroy();
    await Promise.all([closed, ...serving.values()]);
    await db.exec('CHECKPOINT');
  };
}

/**
 * Holds the backend for one request, or for a whole transaction. Rolls a transaction back when its client disconnects. All connections share
 * one session, so its settings, temporary tables, prepared statements and role are reset when a connection begins and when it ends.
 */
async function serveConnection(db: PGlite, socket: Socket, idleInTransactionMs: number): Promise<void> {
  const requests = readRequests(socket);
  const clean = () => execute(db, protocol.serialize.query('DISCARD ALL'));
  const startup = await requests.next();
  if (startup.done) return;
  await db.runExclusive(async () => {
    await clean();
    socket.write(await execute(db, startup.value));
  });
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
  await db.runExclusive(clean);
}

async function execute(db: PGlite, request: Uint8Array): Promise<Buffer> {
  const answer: Buffer[] = [];
  // Copied, because the bytes are a view of the backend's memory.
  await db.execProtocolRawStream(request, { onRawData: (bytes) => answer.push(Buffer.from(bytes)) });
  return Buffer.concat(answer);
}

/**
 * Splits a client's bytes into requests: the StartupMessage, then everything up to a Sync or Query. A request must reach the backend whole,
 * because all connections share the backend's one unnamed statement. Closes a connection that speaks another protocol.
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
    // The connection ended or was reset, or a message was invalid.
  } finally {
    // Unlike destroy(), destroySoon() sends a pending refusal first.
    socket.destroySoon();
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
  const parameters = await read(head.readInt32BE(0) - 8);
  if (!isOurs(parameters)) {
    socket.write(refusal);
    throw new Error('not a client of this service');
  }
  return Buffer.concat([head, parameters]);
}

/**
 * Every connection of this service has an `application_name` that begins with `vaga`. Other programs are refused: they change the shared
 * session, or expect a session of their own.
 */
function isOurs(parameters: Buffer): boolean {
  const words = parameters.toString().split('\0');
  return words.some(
    (word, place) => place % 2 === 1 && words[place - 1] === 'application_name' && /^vaga\b/.test(word),
  );
}

/** ErrorResponse: psql and pg_dump print its message. */
const refusal = errorResponse(
  'the embedded database serves only Vaga itself: `npm run -s ops -- move` copies it to PostgreSQL, ' +
    'a copy of its folder while the service is stopped is a backup, and `npm run -s ops -- --help` lists what else can be done',
);

function errorResponse(message: string): Buffer {
  const fields = Buffer.from(['SFATAL', 'VFATAL', 'C08004', `M${message}`, '', ''].join('\0'));
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
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
