import type { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type Clock, install } from '@sinonjs/fake-timers';
import { Piscina } from 'piscina';
import type { Log } from '../../src/log.ts';

/** What can happen to a call that leaves the service. */
export type FaultKind = 'fails' | 'disconnects' | 'loses its answer' | 'hangs' | 'loses its client';

export interface Fault {
  /** The call's name, as in `calls`. */
  readonly call: string;
  readonly kind: FaultKind;
}

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const immediately = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** After this many turns of the event loop, nothing more follows from an event. */
const quietTurns = 20;
/** After this many turns, nothing will settle any more. */
const settlingTurns = 500;

/**
 * Records every call that leaves an app under test: requests to the database, bodies for a sanitizer worker, log lines, writes to clients.
 * One of them can be made to fail. Between `install` and `uninstall` the clock stands still; it advances only while a call hangs and
 * nothing else is in progress.
 */
export class Boundaries {
  /** The names of the calls since `begin`. */
  calls: string[] = [];
  /** Whether the fault has happened. */
  hasFired = false;
  #fault: Fault | undefined;
  #isHanging = false;
  #pending = 0;
  /** Connections in a transaction without a statement in progress: on the embedded database, all others wait for them. */
  #transactions = 0;
  #wake = (): void => undefined;
  readonly #clients = new Set<Socket>();
  #timers: Clock | undefined;
  #run: typeof Piscina.prototype.run | undefined;
  /** Called before each call; it waits until the promise resolves. */
  gate: ((call: string) => Promise<void>) | undefined;
  /** Counts the statements that wait for a lock. Absent on the embedded database, where a transaction makes all others wait. */
  countBlocked: (() => Promise<number>) | undefined;

  install(): void {
    this.#timers = install({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
      shouldClearNativeTimers: true,
    });
    syncBuiltinESMExports();
    this.#watchWorkers();
  }

  uninstall(): void {
    this.#timers?.uninstall();
    syncBuiltinESMExports();
    if (this.#run) Piscina.prototype.run = this.#run;
  }

  /** Forgets the calls so far, and arms this fault. */
  begin(fault?: Fault): void {
    this.calls = [];
    this.hasFired = false;
    this.#isHanging = false;
    this.#fault = fault;
  }

  /** Records a call and returns the fault that it gets. */
  enter(name: string): FaultKind | undefined {
    const before = this.calls.filter((call) => call === name || call.startsWith(`${name} (`)).length;
    const call = before === 0 ? name : `${name} (${before + 1})`;
    this.calls.push(call);
    if (this.#fault?.call !== call) return undefined;
    this.hasFired = true;
    return this.#fault.kind;
  }

  /** The same, after waiting at the gate. */
  async pass(name: string): Promise<FaultKind | undefined> {
    await this.gate?.(name);
    return this.enter(name);
  }

  /** A call hangs from now on. */
  hang(): void {
    this.#isHanging = true;
    this.#wake();
  }

  /** A call has begun; call the result when it has ended. */
  starts(): () => void {
    this.#pending += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#pending -= 1;
      isOver = true;
      this.#wake();
    };
  }

  /** A connection waits in a transaction. Call the result when it no longer does. */
  waitsInTransaction(): () => void {
    this.#transactions += 1;
    this.#wake();
    let isOver = false;
    return () => {
      if (!isOver) this.#transactions -= 1;
      isOver = true;
    };
  }

  /** The clients' connections are reset. */
  async loseClients(): Promise<void> {
    const closed = [...this.#clients].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.#clients) socket.destroy(reset());
    await Promise.all(closed);
  }

  /** Waits for the work, and then until nothing is in progress. */
  async finish<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
      this.#wake();
    };
    work.then(over, over);
    for (;;) {
      await this.#until(() => this.#isQuiet && (isOver || this.#isHanging));
      if (!(await this.#staysQuiet())) continue;
      if (isOver) return work;
      this.#elapse();
    }
  }

  /** Waits until everything in progress waits at the gate, or in the database for something that does. */
  async quiet(): Promise<void> {
    let pending = this.#pending;
    do {
      for (let turn = 0; turn < quietTurns; turn++) {
        await immediately();
        if (this.#pending !== pending) turn = 0;
        pending = this.#pending;
      }
    } while (!(await this.#isWaiting()) || this.#pending !== pending);
  }

  async #isWaiting(): Promise<boolean> {
    if (!this.countBlocked) return this.#isQuiet;
    return this.#pending === 0 || (await this.countBlocked()) === this.#pending;
  }

  get #isQuiet(): boolean {
    return this.#pending === 0 || this.#transactions > 0;
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  async #staysQuiet(): Promise<boolean> {
    for (let turn = 0; turn < quietTurns && this.#isQuiet; turn++) await immediately();
    return this.#isQuiet;
  }

  /** Waits until everything is settled. A hanging call may end after the request. */
  async settle(isSettled: () => boolean | Promise<boolean>): Promise<void> {
    for (let turn = 0; turn < settlingTurns && !(await isSettled()); turn++) {
      await this.finish(immediately());
      this.#elapse();
    }
  }

  /** Advances the clock by this time. */
  takeTime(ms: number): void {
    this.#timers?.tick(ms);
  }

  /** If a call hangs, advances the clock to the next timer. */
  #elapse(): void {
    if (this.#isHanging) this.#timers?.next();
  }

  /** Records a server's writes to its clients. Call it before the first connection. */
  watchClients(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#clients.add(socket);
      socket.on('close', () => this.#clients.delete(socket));
      const write = socket._write.bind(socket);
      const writev = socket._writev?.bind(socket);
      socket._write = (chunk, encoding, done) => void this.#writeTo(socket, () => write(chunk, encoding, done), done);
      socket._writev = (chunks, done) => void this.#writeTo(socket, () => writev?.(chunks, done), done);
    });
  }

  async #writeTo(socket: Socket, write: () => void, done: (error?: Error | null) => void): Promise<void> {
    const kind = await this.pass('client: write');
    if (kind === 'hangs') return this.hang();
    if (kind === 'fails') return void done(reset());
    if (kind === 'loses its answer') {
      done();
      await immediately();
      return void socket.destroy(reset());
    }
    if (kind === 'loses its client') await this.loseClients();
    write();
  }

  /** Wraps a pool's connections. For the `stream` of its configuration. */
  readonly databaseStream = (): Duplex => new DatabaseStream(this);

  /** A log that records its lines as calls. It is synchronous, and by contract never fails. */
  watchLog(log: Log): Log {
    const watched = (level: keyof Log) =>
      ((...line: Parameters<Log['info']>) => {
        if (this.enter(`log: ${level}`) === 'loses its client') void this.loseClients();
        log[level](...line);
        // The cast: pino declares overloads; this only passes them on.
      }) as Log['info'];
    return { info: watched('info'), warn: watched('warn'), error: watched('error') };
  }

  #watchWorkers(): void {
    const boundaries = this;
    const { run } = Piscina.prototype;
    this.#run = run;
    Piscina.prototype.run = async function (this: Piscina, ...given: Parameters<typeof run>) {
      const ended = boundaries.starts();
      try {
        const kind = await boundaries.pass('sanitizer: worker');
        if (kind === 'fails') throw new Error('the worker ended');
        if (kind === 'hangs') {
          ended();
          boundaries.hang();
          await new Promise((resolve) => setTimeout(resolve, 60_000));
          throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
        }
        if (kind === 'loses its client') await boundaries.loseClients();
        const answer = await run.apply(this, given);
        if (kind === 'loses its answer') throw new Error('the worker ended');
        return answer;
      } finally {
        ended();
      }
    };
  }
}

/** What a canceled statement does to its transaction and its connection. */
const canceled = frontendQuery(
  `DO $$ BEGIN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$`,
);

/** A Query message of PostgreSQL's protocol. */
function frontendQuery(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5, 'Q');
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}

/** A connection to PostgreSQL on which everything up to a Sync or Query message is one call. */
class DatabaseStream extends Duplex {
  readonly #boundaries: Boundaries;
  readonly #socket = new Socket();
  #sent: Buffer = Buffer.alloc(0);
  #received: Buffer = Buffer.alloc(0);
  #isStarted = false;
  #isAnswerLost = false;
  /** A request that has not arrived yet. */
  #held: Buffer | undefined;
  #ended = (): void => undefined;
  #goesOn = (): void => undefined;

  constructor(boundaries: Boundaries) {
    super();
    this.#boundaries = boundaries;
    this.#socket.on('connect', () => this.emit('connect'));
    this.#socket.on('data', (bytes) => this.#receive(bytes));
    this.#socket.on('error', (error) => this.destroy(error));
    this.#socket.on('close', () => {
      this.#ended();
      this.#goesOn();
      this.destroy();
    });
  }

  connect(port: number, host: string): this {
    this.#socket.connect(port, host);
    return this;
  }

  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: unknown, done: (error?: Error | null) => void): void {
    this.#send(bytes).then(() => done(), done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A result that arrives after its caller gave up.
    if (this.#held) {
      this.#ended = this.#boundaries.starts();
      this.#socket.end(this.#held);
    } else this.#socket.destroy();
    done(error);
  }

  async #send(bytes: Buffer): Promise<void> {
    this.#sent = Buffer.concat([this.#sent, bytes]);
    for (let request = this.#nextRequest(); request; request = this.#nextRequest()) await this.#request(request);
  }

  async #request(request: Buffer): Promise<void> {
    const sql = sqlOf(request);
    const kind = sql === undefined ? undefined : await this.#boundaries.pass(`database: ${nameOf(sql)}`);
    if (this.destroyed) return;
    if (kind === 'hangs') {
      this.#held = request;
      this.#boundaries.hang();
      return new Promise(() => undefined);
    }
    if (kind === 'disconnects') {
      this.destroy(reset());
      return;
    }
    this.#goesOn();
    if (sql !== undefined) this.#ended = this.#boundaries.starts();
    if (kind === 'loses its client') await this.#boundaries.loseClients();
    this.#isAnswerLost = kind === 'loses its answer';
    this.#socket.write(kind === 'fails' ? canceled : request);
  }

  #receive(bytes: Buffer): void {
    if (!this.#isAnswerLost && !this.destroyed) this.push(bytes);
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= 5) {
      const length = 1 + this.#received.readInt32BE(1);
      if (this.#received.length < length) return;
      const type = String.fromCharCode(this.#received[0] ?? 0);
      const isIdle = String.fromCharCode(this.#received[5] ?? 0) === 'I';
      this.#received = this.#received.subarray(length);
      if (type === 'Z') this.#answered(isIdle);
    }
  }

  /** The database is ready for the next request. */
  #answered(isIdle: boolean): void {
    this.#ended();
    if (!isIdle) this.#goesOn = this.#boundaries.waitsInTransaction();
    if (this.#isAnswerLost) this.destroy(reset());
  }

  #nextRequest(): Buffer | undefined {
    let end = 0;
    for (let type = ''; !['Q', 'S', 'X'].includes(type); ) {
      // The first message of a connection has no type.
      const head = this.#isStarted ? 1 : 0;
      const start = end;
      if (this.#sent.length < start + head + 4) return undefined;
      end += head + this.#sent.readInt32BE(start + head);
      if (this.#sent.length < end) return undefined;
      type = this.#isStarted ? String.fromCharCode(this.#sent[start] ?? 0) : 'S';
    }
    this.#isStarted = true;
    const request = this.#sent.subarray(0, end);
    this.#sent = this.#sent.subarray(end);
    return request;
  }
}

/** The statement of a request, which begins with a Parse or Query message; undefined for other requests. */
function sqlOf(request: Buffer): string | undefined {
  const type = String.fromCharCode(request[0] ?? 0);
  if (type !== 'P' && type !== 'Q') return undefined;
  const start = type === 'Q' ? 5 : request.indexOf(0, 5) + 1;
  return request.toString('utf8', start, request.indexOf(0, start));
}

/** The verb of a statement with the function or table that it is about. */
function nameOf(sql: string): string {
  const [verb = ''] = sql.trim().split(/\W/, 1);
  const [, routine, table] =
    /\b(try_\w+|place_refusals)\(|\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:"public"\.)?"?([a-z]\w+)/i.exec(sql) ?? [];
  return [verb.toUpperCase(), routine ?? table].filter(Boolean).join(' ');
}
