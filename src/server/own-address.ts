import type { Request } from 'express';
import { isForwarded } from './client-info.ts';
import type { AdapterDeps } from './deps.ts';

/**
 * Returns the address that the service publishes as its own, without a trailing slash: PUBLIC_URL, otherwise the address of a loopback
 * listener. Without PUBLIC_URL, returns undefined behind a proxy and on other listeners. Never uses the Host header.
 */
export function ownAddress({ services, listener }: Pick<AdapterDeps, 'services' | 'listener'>, request: Request) {
  const { publicUrl } = services;
  if (publicUrl !== '') return publicUrl;
  const { localAddress, localPort } = request.socket;
  if (!listener.isLoopback || isForwarded(request) || localAddress === undefined) return undefined;
  return `${request.protocol}://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
