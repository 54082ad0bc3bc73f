import { Agent } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export const portOf = (at: Server): number => (at.address() as AddressInfo).port;
export const addressOf = (at: Server): string => `http://127.0.0.1:${portOf(at)}`;

/**
 * Keeps the connections to the servers of this process: a new one for each request takes a tenth of the CPU of the pages' tests. An idle
 * one is closed long before its server would close it. Without that, a request after a long computation, during which the server's timers
 * wait, takes a connection that the server closes next.
 */
export const keptConnections = new Agent({ keepAlive: true, timeout: 10_000 });
