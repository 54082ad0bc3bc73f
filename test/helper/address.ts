import { Agent } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export const portOf = (at: Server): number => (at.address() as AddressInfo).port;
export const addressOf = (at: Server): string => `http://127.0.0.1:${portOf(at)}`;

/** Keeps the connections to the servers of this process: a new one for each request takes a tenth of the CPU of the pages' tests. */
export const keptConnections = new Agent({ keepAlive: true });
