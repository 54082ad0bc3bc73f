import type { Socket } from 'node:net';

/** What an accumulated piece of the client's stream is. */
type Frame = { kind: 'message' | 'end'; bytes: Buffer } | { kind: 'encryption' } | { kind: 'refused' } | undefined;

const startupCode = 196_608;
/** SSLRequest and GSSENCRequest (PostgreSQL 55.7, message formats). */
const encryptionCodes = new Set([80_877_103, 80_877_104]);
const frameBytesMax = 64 * 1024 * 1024;

/** These end a run of messages: Sync, Query. Terminate ends the connection. */
const lastOfRun = new Set(['S'.charCodeAt(0), 'Q'.charCodeAt(0)]);
const terminate = 'X'.charCodeAt(0);

export interface Run {
  readonly session: Session;
  readonly bytes: Buffer;
}

/**
 * One client's connection, cut into runs: everything up to a Sync or a Query. All sessions share one backend and its one unnamed
 * statement, so a run must reach it whole, or one client's parameters would meet another one's SQL.
 */
export class Session {
  readonly socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #run: Buffer[] = [];
  #started = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** The runs that these bytes complete. Ends the connection on what is not PostgreSQL's protocol. */
  receive(bytes: Buffer): Run[] {
    this.#buffer = this.#buffer.length === 0 ? bytes : Buffer.concat([this.#buffer, bytes]);
    const runs: Run[] = [];
    for (let frame = this.#next(); frame; frame = this.#next()) {
      if (frame.kind === 'refused') {
        this.socket.destroy();
        return [];
      }
      if (frame.kind === 'encryption') {
        this.socket.write('N');
        continue;
      }
      this.#run.push(frame.bytes);
      if (frame.kind === 'message') continue;
      runs.push({ session: this, bytes: Buffer.concat(this.#run) });
      this.#run = [];
    }
    return runs;
  }

  #next(): Frame {
    return this.#started ? this.#message() : this.#startup();
  }

  #startup(): Frame {
    if (this.#buffer.length < 8) return undefined;
    const length = this.#buffer.readInt32BE(0);
    const code = this.#buffer.readInt32BE(4);
    if (length === 8 && encryptionCodes.has(code)) {
      this.#take(length);
      return { kind: 'encryption' };
    }
    if (code !== startupCode || length < 8 || length > 10_000) return { kind: 'refused' };
    if (this.#buffer.length < length) return undefined;
    this.#started = true;
    return { kind: 'end', bytes: this.#take(length) };
  }

  #message(): Frame {
    if (this.#buffer.length < 5) return undefined;
    const type = this.#buffer.readUInt8(0);
    const length = 1 + this.#buffer.readInt32BE(1);
    if (type === terminate || length < 5 || length > frameBytesMax) return { kind: 'refused' };
    if (this.#buffer.length < length) return undefined;
    return { kind: lastOfRun.has(type) ? 'end' : 'message', bytes: this.#take(length) };
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return taken;
  }
}
