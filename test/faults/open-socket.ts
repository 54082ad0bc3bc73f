import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to the service. */
export async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
