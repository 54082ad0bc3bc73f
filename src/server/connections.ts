import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import type { Trusts } from './client-info.ts';
import type { Lifetime } from './request-context.ts';

/** Requests of a connection that wait for the one before. Clients that pipeline send a few. */
const waitingMax = 8;
/** How much of a body that was refused is read, so that its client gets the response and can go on with the connection. */
const drainedBytesMax = 1024 * 1024;
/** How long a client may take to read the connection's last response and close. */
const closeTimeoutMs = 2000;
const checkEveryMs = 1000;

/** A request whose head has been read. */
export interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lifetime: Lifetime;
  /** Answers the request. */
  run(): void;
}

/** Begins a request whose head has been read. */
type Begin = (request: IncomingMessage, response: ServerResponse) => Turn;

export interface Receivers {
  readonly receive: Begin;
  /** For a request with an Expect header other than 100-continue, to refuse it. */
  readonly receiveExpectation: Begin;
}

/** Refuses what cannot be parsed, in place of the response to `turn` if its body is what is broken. */
type Refuse = (turn?: Turn) => void;

/**
 * The connections of a server, and with them where every request begins and ends. A connection runs one request at a time. A request's
 * lifetime begins when its head has been read and ends when its response has been sent or its connection is closed. Node emits no
 * `close` for responses that wait behind another one, so nothing else may listen to a response or a socket.
 */
export class Connections {
  readonly #limits: Pick<Config, 'sendTimeoutMs' | 'connectionsMax'>;
  readonly #trusts: Trusts;
  /** The other half is for databases. */
  readonly #openMax = Math.floor(openFilesMax() / 2);
  readonly #open = new Map<Socket, Connection>();
  /** Clients' connections with no request at work, also before the first; the one idle longest comes first. */
  readonly #idle = new Set<Connection>();
  #clients = 0;
  #isRetiring = false;
  /** Connections that were closed because too many were open. */
  refused = 0;

  constructor(limits: Pick<Config, 'sendTimeoutMs' | 'connectionsMax'>, trusts: Trusts) {
    this.#limits = limits;
    this.#trusts = trusts;
  }

  /** Bounds the server's connections, closes those whose clients do not read, and runs their requests in turn. */
  watch(server: Server, { receive, receiveExpectation }: Receivers): void {
    server.on('request', (...request) => this.#receive(...request, receive));
    server.on('checkExpectation', (...request) => this.#receive(...request, receiveExpectation));
    // Before TLS begins.
    server.prependListener('connection', (socket: Socket) => this.#admit(socket));
    const { sendTimeoutMs } = this.#limits;
    const closeStuck = (): void => {
      const now = performance.now();
      for (const connection of this.#open.values()) if (connection.isStuck(now, sendTimeoutMs)) connection.destroy();
    };
    const checks = setInterval(closeStuck, Math.min(checkEveryMs, sendTimeoutMs / 2)).unref();
    server.on('close', () => clearInterval(checks));
  }

  /** Every connection's next response is its last, so that no client sends on one that is being closed. */
  retire(): void {
    this.#isRetiring = true;
    for (const connection of this.#open.values()) connection.retire();
  }

  /** Whether a client may still send on a connection. */
  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Runs a request when those before it on its connection have ended. `begin` is called only if there is room. */
  #receive(request: IncomingMessage, response: ServerResponse, begin: Begin): void {
    if (this.#isRetiring) response.shouldKeepAlive = false;
    this.#connectionOf(request.socket)?.receive(request, response, () => begin(request, response));
  }

  /** What follows on a connection cannot be parsed: refuses it after the responses to what came before. */
  fail(socket: Socket, refuse: Refuse): void {
    const connection = this.#connectionOf(socket);
    if (connection) connection.fail(refuse);
    else refuse();
  }

  /** Over TLS a request's socket wraps the accepted one; only this property, which Node does not document, leads to it. */
  #connectionOf(socket: Socket & { readonly _parent?: Socket | null }): Connection | undefined {
    return this.#open.get(socket._parent ?? socket);
  }

  /**
   * Where too many are open, closes the one idle longest, or the new one if all have a request at work. A trusted proxy's do not count and
   * stay: it sends the requests of many clients on them.
   */
  #admit(socket: Socket): void {
    const isClient = !this.#trusts(socket.remoteAddress ?? '');
    if (this.#open.size >= this.#openMax || (isClient && this.#clients >= this.#limits.connectionsMax)) {
      this.refused += 1;
      const [longestIdle] = this.#idle;
      (longestIdle ?? socket).destroy();
      if (!longestIdle) return;
    }
    const connection = new Connection(socket, isClient ? this.#idle : new Set());
    this.#open.set(socket, connection);
    if (isClient) this.#clients += 1;
    socket.on('close', () => {
      this.#open.delete(socket);
      if (isClient) this.#clients -= 1;
      connection.end();
    });
  }
}

class Connection {
  #socket: Socket;
  readonly #idle: Set<Connection>;
  #running: Turn | undefined;
  #waiting: Turn[] = [];
  #refuse: Refuse | undefined;
  /** Bytes that the client has taken, and since when. */
  #taken = -1;
  #takenAt = 0;
  /** Bytes read when the rest of a body began to be drained. */
  #drainedFrom = Number.POSITIVE_INFINITY;

  /** Is in `idle` while no request is at work. */
  constructor(socket: Socket, idle: Set<Connection>) {
    this.#socket = socket;
    this.#idle = idle.add(this);
  }

  receive(request: IncomingMessage, response: ServerResponse, begin: () => Turn): void {
    const { socket, headers } = request;
    this.#idle.delete(this);
    this.#socket = socket;
    // Node destroys the socket after the last response; a client that is still sending would lose it.
    socket.destroySoon = () => (request.complete ? Socket.prototype.destroySoon.call(socket) : endAndDrain(socket));
    if (Number(headers['content-length']) > drainedBytesMax) response.shouldKeepAlive = false;
    if (this.#waiting.length >= waitingMax) socket.destroy();
    // Node's parser goes on to the end of the packet.
    if (socket.destroyed) return;
    const turn = begin();
    this.#drainedFrom = Number.POSITIVE_INFINITY;
    this.#waiting.push(turn);
    response.on('finish', () => this.#answered(turn));
    if (!this.#running) this.#next();
  }

  /** A response that has begun cannot say it. */
  retire(): void {
    const last = this.#waiting.at(-1) ?? this.#running;
    if (last && !last.response.headersSent) last.response.shouldKeepAlive = false;
  }

  fail(refuse: Refuse): void {
    this.#refuse ??= refuse;
    const turn = this.#running;
    if (!turn?.request.complete) this.#refuse(turn);
  }

  destroy(): void {
    this.#idle.delete(this);
    this.#socket.destroy();
  }

  end(): void {
    this.#idle.delete(this);
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
      // After the last response, time is the bound.
      if (!this.#socket.writableEnded) this.#drainedFrom = this.#socket.bytesRead;
      request.resume().on('end', () => (this.#drainedFrom = Number.POSITIVE_INFINITY));
    }
    this.#next();
  }

  #next(): void {
    const { destroyed, writableEnded } = this.#socket;
    // After the connection's last response nothing runs.
    this.#running = writableEnded ? undefined : this.#waiting.shift();
    if (!this.#running && !destroyed) this.#idle.add(this);
    if (this.#refuse && !writableEnded && !this.#running?.request.complete) this.#refuse(this.#running);
    else this.#running?.run();
  }
}

/** Sends the last bytes of a connection. Drains what the client still sends, or it would lose them. */
export function endAndDrain(socket: Duplex, text = ''): void {
  setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
  socket.end(text);
  socket.resume();
}

/** The limit of the operating system for this process. */
function openFilesMax(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
