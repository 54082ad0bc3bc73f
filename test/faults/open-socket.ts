import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** More than the default of MAX_CONNECTIONS_PER_ADDRESS would be refused. */
const perAddress = 100;

/** An address of this machine for the n-th client. */
const addressOf = (n: number): string => `127.0.1.${1 + Math.floor(n / perAddress)}`;

/** A connection of the n-th client. */
export async function openSocket(origin: string, n = 0): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ port: Number(port), host: hostname, localAddress: addressOf(n) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
