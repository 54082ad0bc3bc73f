import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { type Run, Session } from './embedded-wire.ts';

/** A transaction that nobody continues for this long is rolled back, because every other session waits behind it. */
const idleInTransactionMs = 15_000;

const rollback = simpleQuery('ROLLBACK');
const checkpoint = simpleQuery('CHECKPOINT');

/**
 * Serves one backend to many connections, one run at a time. While a transaction is open only its owner's runs are taken; an owner
 * that goes away, or sleeps too long, is rolled back.
 */
export class Sessions {
  readonly #db: PGlite;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #waiting: Run[] = [];
  #owner: Session | undefined;
  #ownerSleeps: NodeJS.Timeout | undefined;
  #busy = false;
  #stopped = false;

  constructor(db: PGlite) {
    this.#db = db;
    this.#server = createServer((socket) => this.#connected(socket));
  }

  /** Resolves once clients can connect; rejects where the path cannot be bound. */
  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    });
  }

  /** Ends all connections and writes a checkpoint; what they had not committed is gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#ownerSleeps);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    if (this.#owner) await this.#execute(rollback, () => undefined);
    await this.#execute(checkpoint, () => undefined);
  }

  #connected(socket: Socket): void {
    const session = new Session(socket);
    this.#sockets.add(socket);
    socket.on('data', (bytes) => {
      this.#waiting.push(...session.receive(bytes));
      void this.#work();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      void this.#gone(session);
    });
  }

  async #gone(session: Session): Promise<void> {
    this.#waiting = this.#waiting.filter((run) => run.session !== session);
    if (this.#stopped || this.#busy || this.#owner !== session) return;
    this.#busy = true;
    await this.#release();
    this.#busy = false;
    await this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy || this.#stopped) return;
    this.#busy = true;
    for (let run = this.#next(); run && !this.#stopped; run = this.#next()) {
      await this.#serve(run);
      if (this.#owner?.socket.destroyed) await this.#release();
    }
    this.#busy = false;
  }

  #next(): Run | undefined {
    const index = this.#waiting.findIndex((run) => !this.#owner || run.session === this.#owner);
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  async #serve({ session, bytes }: Run): Promise<void> {
    clearTimeout(this.#ownerSleeps);
    session.socket.cork();
    await this.#execute(bytes, (reply) => {
      // A copy: the bytes are a view into the backend's memory.
      if (session.socket.writable) session.socket.write(Buffer.from(reply));
    });
    session.socket.uncork();
    this.#owner = this.#db.isInTransaction() ? session : undefined;
    if (this.#owner) this.#ownerSleeps = setTimeout(() => session.socket.destroy(), idleInTransactionMs).unref();
  }

  async #release(): Promise<void> {
    clearTimeout(this.#ownerSleeps);
    this.#owner = undefined;
    await this.#execute(rollback, () => undefined);
  }

  async #execute(bytes: Buffer, onRawData: (reply: Uint8Array) => void): Promise<void> {
    await this.#db.runExclusive(() => this.#db.execProtocolRawStream(bytes, { onRawData }));
  }
}

/** The Query message of PostgreSQL's protocol. */
function simpleQuery(sql: string): Buffer {
  const message = Buffer.from(`Q0000${sql}\0`, 'latin1');
  message.writeInt32BE(message.length - 1, 1);
  return message;
}
