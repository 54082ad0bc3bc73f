import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { portOf } from './address.ts';

interface Target {
  readonly host: string;
  readonly port: number;
}

/** A TCP proxy that can cut or hold its connections, or take new ones elsewhere. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: Target;
  #mode: 'open' | 'cut' | 'held' = 'open';
  #bytesOfLostAnswer: number | undefined;

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

  get port(): number {
    return portOf(this.#server);
  }

  /** Takes new connections to another target; those that are open stay where they are. */
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

  /** Closes one connection after so many bytes of the next answer: the request has been executed by then. */
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
