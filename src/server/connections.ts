import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import type { Trusts } from './client-info.ts';
import type { Lifetime } from './request-context.ts';

/** How many requests of a connection may wait for an earlier one. Clients that pipeline send only a few. */
const waitingMax = 8;
/** How many further requests are left out before the connection is closed at once: Node keeps the head of each until then. */
const leftOutMax = 8;
/** How much of a refused body is read, so that the client gets the response and can keep using the connection. */
const drainedBytesMax = 1024 * 1024;
/** How long a client may take to read the last response and close the connection. */
const closeTimeoutMs = 2000;
const checkEveryMs = 1000;

const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
/** How many files the operating system lets this process open. */
const openFilesMax = Number(userLimits?.open_files?.soft) || Number.POSITIVE_INFINITY;

/** A request after its head was read. */
export interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lifetime: Lifetime;
  /** Answers the request. */
  run(): void;
}

/** Begins a request once its head was read. */
type Begin = (request: IncomingMessage, response: ServerResponse) => Turn;

export interface Receivers {
  readonly receive: Begin;
  /** Refuses a request with an Expect header other than 100-continue. */
  readonly receiveExpectation: Begin;
}

/** Refuses unparsable input. If the body of `turn`'s request is the broken part, the refusal replaces the response to that request. */
type Refuse = (turn?: Turn) => void;

/**
 * A server's connections, where every request begins and ends. A connection runs one request at a time. A request's lifetime begins when
 * its head was read and ends when its response was sent or its connection closed. Other code must use the lifetime, not the response's
 * `close`: Node does not emit it for a response queued behind another.
 */
export class Connections {
  readonly #limits: Pick<Config, 'sendTimeoutMs' | 'connectionsMax'>;
  readonly #trusts: Trusts;
  /** Half of the files that the process may open. The other half is for databases. */
  readonly #openMax = Math.floor(openFilesMax / 2);
  readonly #open = new Map<Socket, Connection>();
  /** Connections without an active request, including new ones; the longest idle one comes first. */
  readonly #idle = new Set<Connection>();
  #clients = 0;
  #isRetiring = false;
  /** How many connections were closed because too many were open. */
  refused = 0;

  constructor(limits: Pick<Config, 'sendTimeoutMs' | 'connectionsMax'>, trusts: Trusts) {
    this.#limits = limits;
    this.#trusts = trusts;
  }

  /** Limits the server's connections, closes those whose clients do not read, and runs each connection's requests one after the other. */
  watch(server: Server, { receive, receiveExpectation }: Receivers): void {
    server.on('request', (...request) => this.#receive(...request, receive));
    server.on('checkExpectation', (...request) => this.#receive(...request, receiveExpectation));
    // Counts a connection before TLS begins.
    server.prependListener('connection', (socket: Socket) => this.#admit(socket));
    const { sendTimeoutMs } = this.#limits;
    const closeStuck = (): void => {
      const now = performance.now();
      for (const connection of this.#open.values()) if (connection.isStuck(now, sendTimeoutMs)) connection.destroy();
    };
    const checks = setInterval(closeStuck, Math.min(checkEveryMs, sendTimeoutMs / 2)).unref();
    server.on('close', () => clearInterval(checks));
  }

  /** Makes the next response of every connection its last, so that no client sends on a closing connection. */
  retire(): void {
    this.#isRetiring = true;
    for (const connection of this.#open.values()) connection.retire();
  }

  /** Closes every connection, also one whose TLS handshake has not ended: Node's server does not know it yet. */
  destroyAll(): void {
    for (const connection of this.#open.values()) connection.destroy();
  }

  /** Whether any connection is open, so that its client may still send. */
  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Runs a request when the earlier ones on its connection have ended. Calls `begin` only if the connection may queue the request. */
  #receive(request: IncomingMessage, response: ServerResponse, begin: Begin): void {
    if (this.#isRetiring) response.shouldKeepAlive = false;
    this.#connectionOf(request.socket)?.receive(request, response, () => begin(request, response));
  }

  /** Refuses unparsable input on a connection, after the responses to the requests before it. */
  fail(socket: Socket, refuse: Refuse): void {
    const connection = this.#connectionOf(socket);
    if (connection) connection.fail(refuse);
    else refuse();
  }

  /** Over TLS, a request's socket wraps the accepted socket. Only `_parent`, which Node does not document, leads to the accepted one. */
  #connectionOf(socket: Socket & { readonly _parent?: Socket | null }): Connection | undefined {
    return this.#open.get(socket._parent ?? socket);
  }

  /**
   * When too many connections are open, closes the longest idle one, or the new one if all are active. Connections of a trusted proxy do
   * not count and stay open: they carry the requests of many clients.
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
  /** How many requests did not begin because too many waited. The last response before them closes the connection. */
  #leftOut = 0;
  #refuse: Refuse | undefined;
  /** How many bytes the client has taken, and the last time when it took some or none were waiting for it. */
  #taken = -1;
  #takenAt = 0;
  /** The socket's `bytesRead` when the draining of a refused body began. Infinite if none is drained. */
  #drainedFrom = Number.POSITIVE_INFINITY;

  /** The connection is in `idle` while it has no active request. */
  constructor(socket: Socket, idle: Set<Connection>) {
    this.#socket = socket;
    this.#idle = idle.add(this);
  }

  receive(request: IncomingMessage, response: ServerResponse, begin: () => Turn): void {
    const { socket, headers } = request;
    this.#idle.delete(this);
    this.#socket = socket;
    // Node would destroy the socket after the last response, and a client that is still sending would lose that response.
    socket.destroySoon = () =>
      request.complete && this.#leftOut === 0 ? Socket.prototype.destroySoon.call(socket) : endAndDrain(socket);
    if (Number(headers['content-length']) > drainedBytesMax) response.shouldKeepAlive = false;
    const isLeftOut = this.#leftOut > 0 || this.#waiting.length >= waitingMax;
    if (isLeftOut) this.#leaveOut(request);
    // Checked for every request: after the socket is destroyed, Node's parser still reads the rest of its packet.
    if (isLeftOut || socket.destroyed) return;
    const turn = begin();
    this.#drainedFrom = Number.POSITIVE_INFINITY;
    this.#waiting.push(turn);
    response.on('finish', () => this.#answered(turn));
    if (!this.#running) this.#next();
  }

  /** Lets the response to the newest request close the connection, unless it has begun and can no longer carry `Connection: close`. */
  retire(): void {
    const last = this.#waiting.at(-1) ?? this.#running;
    if (last && !last.response.headersSent) last.response.shouldKeepAlive = false;
  }

  /** A client repeats a request that was left out: no response to it came before the connection closed (RFC 9112 section 9.3.2). */
  #leaveOut(request: IncomingMessage): void {
    if (this.#leftOut === 0) this.retire();
    this.#leftOut += 1;
    if (this.#leftOut > leftOutMax) this.#socket.destroy();
    request.resume();
  }

  fail(refuse: Refuse): void {
    // What cannot be parsed comes after requests that were left out.
    if (this.#leftOut > 0) return;
    this.#refuse ??= refuse;
    const turn = this.#running;
    // While the body of an answered request is drained, that body is what cannot be parsed: the request has its response.
    if (Number.isFinite(this.#drainedFrom)) endAndDrain(this.#socket);
    else if (!turn?.request.complete) this.#refuse(turn);
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

  /** Whether the client has stopped reading its response, or sends a refused body without end. */
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
      // After the connection's last response, only endAndDrain's timeout limits the client.
      if (!this.#socket.writableEnded) this.#drainedFrom = this.#socket.bytesRead;
      request.resume().on('end', () => (this.#drainedFrom = Number.POSITIVE_INFINITY));
    }
    this.#next();
  }

  #next(): void {
    const { destroyed, writableEnded } = this.#socket;
    // Nothing runs after the connection's last response.
    this.#running = writableEnded ? undefined : this.#waiting.shift();
    if (!this.#running && !destroyed) this.#idle.add(this);
    if (this.#refuse && !writableEnded && !this.#running?.request.complete) this.#refuse(this.#running);
    else this.#running?.run();
  }
}

/** Sends a connection's last bytes. Drains what the client still sends; otherwise the client could lose those last bytes. */
export function endAndDrain(socket: Duplex, text = ''): void {
  setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
  socket.end(text);
  socket.resume();
}
