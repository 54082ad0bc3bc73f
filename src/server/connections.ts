import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import type { Lifetime } from '../domain/lifetime.ts';
import { addressKey } from '../rate-limit/address-limit.ts';
import type { Trusts } from './client-info.ts';

/** Requests of a connection that wait for the one before. Clients that pipeline send a few. */
const waitingMax = 8;
/** How much of a body that was refused is read, so that its client gets the response and can go on with the connection. */
const drainedBytesMax = 1024 * 1024;
/** Of the files that this process may open: the rest is for databases. */
const clientShare = 1 / 2;
const checkEveryMs = 1000;

/** A request whose head has been read. */
export interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lifetime: Lifetime;
  /** Answers the request. */
  run(): void;
}

/** Refuses what cannot be parsed, in place of the response to `turn` if its body is what is broken. */
type Refuse = (turn?: Turn) => void;

interface Settings extends Pick<Config, 'sendTimeoutMs' | 'connectionsMax' | 'connectionsPerAddressMax'> {
  readonly trusts: Trusts;
}

/**
 * The connections of a server, and with them where every request begins and ends. A connection runs one request at a time. A request's
 * lifetime begins when its head has been read and ends when its response has been sent or its connection is closed. Node emits no
 * `close` for responses that wait behind another one, so nothing else may listen to a response or a socket.
 */
export class Connections {
  readonly #sendTimeoutMs: number;
  readonly #trusts: Trusts;
  readonly #limit: ConcurrencyLimit<string>;
  readonly #open = new Map<Socket, Connection>();

  constructor({ sendTimeoutMs, connectionsMax, connectionsPerAddressMax, trusts }: Settings) {
    this.#sendTimeoutMs = sendTimeoutMs;
    this.#trusts = trusts;
    this.#limit = new ConcurrencyLimit({ max: connectionsMax, maxPerKey: connectionsPerAddressMax });
  }

  /** Connections that were closed because too many were open. */
  get refused(): number {
    return this.#limit.refused;
  }

  /** Bounds the server's connections and closes those whose clients do not read. */
  watch(server: Server): void {
    // Also those of proxies.
    server.maxConnections = Math.floor(openFilesMax() * clientShare);
    // Before TLS begins.
    server.prependListener('connection', (socket: Socket) => this.#admit(socket));
    const checks = setInterval(() => this.#closeStuck(), Math.min(checkEveryMs, this.#sendTimeoutMs / 2)).unref();
    server.on('close', () => clearInterval(checks));
  }

  /** Runs a request when those before it on its connection have ended. `begin` is called only if there is room. */
  receive(request: IncomingMessage, response: ServerResponse, begin: () => Turn): void {
    this.#connectionOf(request.socket).receive(response, begin);
  }

  /** What follows on a connection cannot be parsed: refuses it after the responses to what came before. */
  fail(socket: Socket, refuse: Refuse): void {
    const connection = this.#open.get(socket);
    if (connection) connection.fail(refuse);
    else refuse();
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#open.get(socket);
    if (known) return known;
    const connection = new Connection(socket);
    this.#open.set(socket, connection);
    socket.on('close', () => {
      this.#open.delete(socket);
      connection.end();
    });
    return connection;
  }

  /** A trusted proxy has connections for many clients. */
  #admit(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && this.#trusts(remoteAddress)) return;
    const release = remoteAddress === undefined ? undefined : this.#limit.take(addressKey(remoteAddress));
    if (release) socket.on('close', release);
    else socket.destroy();
  }

  #closeStuck(): void {
    const now = performance.now();
    for (const [socket, connection] of this.#open) if (connection.isStuck(now, this.#sendTimeoutMs)) socket.destroy();
  }
}

class Connection {
  readonly #socket: Socket;
  #running: Turn | undefined;
  #waiting: Turn[] = [];
  #isFull = false;
  #refuse: Refuse | undefined;
  /** Bytes that the client has taken, and since when. */
  #taken = -1;
  #takenAt = 0;
  /** Bytes read when the rest of a body began to be drained. */
  #drainedFrom = Number.POSITIVE_INFINITY;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  receive(response: ServerResponse, begin: () => Turn): void {
    if (this.#waiting.length >= waitingMax) {
      // Node's parser goes on to the end of the packet.
      this.#isFull = true;
      this.#socket.destroy();
    }
    if (this.#isFull) return;
    const turn = begin();
    this.#drainedFrom = Number.POSITIVE_INFINITY;
    this.#waiting.push(turn);
    response.on('finish', () => this.#answered(turn));
    if (!this.#running) this.#next();
  }

  fail(refuse: Refuse): void {
    this.#refuse ??= refuse;
    const turn = this.#running;
    if (!turn?.request.complete) this.#refuse(turn);
  }

  end(): void {
    for (const { lifetime } of [...(this.#running ? [this.#running] : []), ...this.#waiting]) lifetime.end('aborted');
    this.#waiting = [];
  }

  /** Whether the client reads nothing of a response, or sends a refused body without end. */
  isStuck(now: number, sendTimeoutMs: number): boolean {
    const { bytesWritten, writableLength, bytesRead } = this.#socket;
    const taken = bytesWritten - writableLength;
    if (writableLength === 0 || taken !== this.#taken) {
      this.#taken = taken;
      this.#takenAt = now;
    }
    return now - this.#takenAt >= sendTimeoutMs || bytesRead - this.#drainedFrom > drainedBytesMax;
  }

  #answered({ request, response, lifetime }: Turn): void {
    lifetime.end(response.statusCode);
    if (!request.complete) {
      this.#drainedFrom = this.#socket.bytesRead;
      request.resume();
    }
    this.#next();
  }

  #next(): void {
    this.#running = undefined;
    // The response before was the connection's last: what waits is not run.
    if (this.#socket.writableEnded) return;
    this.#running = this.#waiting.shift();
    if (this.#refuse && !this.#running?.request.complete) this.#refuse(this.#running);
    else this.#running?.run();
  }
}

/** The limit of the operating system for this process. */
function openFilesMax(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
