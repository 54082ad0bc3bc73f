import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and can cut or hold what passes. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #mode: 'open' | 'cut' | 'held' = 'open';

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((client) => {
      if (this.#mode === 'cut') {
        client.destroy();
        return;
      }
      const upstream = connect(target);
      this.#join(client, upstream);
      this.#join(upstream, client);
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

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#mode === 'held') from.pause();
  }
}
