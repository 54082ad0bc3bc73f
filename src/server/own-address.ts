import type { Request } from 'express';
import { isForwarded } from './client-info.ts';
import type { AdapterDeps } from './deps.ts';

/**
 * The service's own address, without a trailing slash, for what it publishes: PUBLIC_URL, otherwise that of a loopback listener. Never taken
 * from the Host header. Undefined behind a proxy and on other listeners.
 */
export function ownAddress({ services, listener }: Pick<AdapterDeps, 'services' | 'listener'>, request: Request) {
  const { publicUrl } = services;
  if (publicUrl !== '') return addressIn(publicUrl);
  const { localAddress, localPort } = request.socket;
  if (!listener.isLoopback || isForwarded(request) || localAddress === undefined) return undefined;
  return `${request.protocol}://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** PUBLIC_URL in the form that is published. */
export const addressIn = (publicUrl: string): string => new URL(publicUrl).href.replace(/(?<!\/)\/+$/, '');
