import type { AddressInfo, Server } from 'node:net';

export const portOf = (at: Server): number => (at.address() as AddressInfo).port;
export const addressOf = (at: Server): string => `http://127.0.0.1:${portOf(at)}`;
