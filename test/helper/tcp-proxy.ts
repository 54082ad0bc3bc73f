import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { portOf } from './address.ts';

interface Target {
  readonly host: string;
  readonly port: number;
}

/** A TCP proxy that can cut, hold or slow its connections, or lead new ones elsewhere. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: Target;
  #mode: 'open' | 'cut' | 'held' = 'open';
  #bytesOfLostAnswer: number | undefined;
  #delayMs = 0;

  private constructor(target: Target) {
    this.#target = target;
    this.#server = createServer((client) => {
      if (this.#mode === 'cut') {
        client.destroy();
        return;
      }
      const upstream = connect(this.#target);
      this.#join(client, upstream, (chunk) => upstream.write(chunk));
      this.#join(upstream, client, (chunk) => this.#answer(client, chunk));
    });
  }

  static async to(target: Target): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** A proxy to the server of a URL, and the URL that leads through it. */
  static async before(address: string, defaultPort: number): Promise<{ proxy: TcpProxy; through: string }> {
    const url = new URL(address);
    const proxy = await TcpProxy.to({ host: url.hostname, port: Number(url.port || defaultPort) });
    url.host = `127.0.0.1:${proxy.port}`;
    return { proxy, through: url.href };
  }

  get port(): number {
    return portOf(this.#server);
  }

  /** Leads new connections to another target. Open ones stay. */
  moveTo(target: Target): void {
    this.#target = target;
  }

  /** Closes every connection and every new one. */
  cut(): void {
    this.#mode = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections open and passes nothing on. */
  hold(): void {
    this.#mode = 'held';
    for (const socket of this.#sockets) socket.pause();
  }

  open(): void {
    this.#mode = 'open';
    for (const socket of this.#sockets) socket.resume();
  }

  /** From now on delays everything by this time, in each direction. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Closes one connection after this many bytes of the next answer: by then the request has run. */
  loseAnswer(afterBytes = 0): void {
    this.#bytesOfLostAnswer = afterBytes;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #answer(client: Socket, chunk: Buffer): void {
    if (this.#bytesOfLostAnswer === undefined) {
      client.write(chunk);
      return;
    }
    client.end(chunk.subarray(0, this.#bytesOfLostAnswer));
    this.#bytesOfLostAnswer = undefined;
  }

  #join(from: Socket, to: Socket, pass: (chunk: Buffer) => void): void {
    const late: (() => void)[] = [];
    // Each timer passes on the oldest piece, so the order stays if the delay changes.
    const passLater = (what: () => void): void => {
      late.push(what);
      if (this.#delayMs > 0 || late.length > 1) setTimeout(() => late.shift()?.(), this.#delayMs);
      else late.shift()?.();
    };
    this.#sockets.add(from);
    from.on('data', (chunk) => passLater(() => pass(chunk)));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      passLater(() => to.destroy());
    });
    if (this.#mode === 'held') from.pause();
  }
}
