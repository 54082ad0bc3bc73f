import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and can cut or hold what passes. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #mode: 'open' | 'cut' | 'held' = 'open';
  #bytesOfLostAnswer: number | undefined;

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((client) => {
      if (this.#mode === 'cut') {
        client.destroy();
        return;
      }
      const upstream = connect(target);
      this.#join(client, upstream, (chunk) => upstream.write(chunk));
      this.#join(upstream, client, (chunk) => this.#answer(client, chunk));
    });
  }

  static async to(target: { host: string; port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection and lets no new one live. */
  cut(): void {
    this.#mode = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections and lets nothing through. */
  hold(): void {
    this.#mode = 'held';
    for (const socket of this.#sockets) socket.pause();
  }

  open(): void {
    this.#mode = 'open';
    for (const socket of this.#sockets) socket.resume();
  }

  /** Breaks one connection once so much of the next answer has passed: what was asked for has been done by then. */
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
    this.#sockets.add(from);
    from.on('data', pass);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#mode === 'held') from.pause();
  }
}
