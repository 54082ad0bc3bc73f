import type { IncomingMessage } from 'node:http';
import { forbidden } from '../domain/errors.ts';

const loopbackName = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Prevents DNS rebinding: throws 403 for a foreign Host, or a foreign Origin of a browser. Our hosts are that of PUBLIC_URL and, on a
 * loopback listener, any loopback name. On another listener without PUBLIC_URL, any Host is accepted, and an Origin must have the same host.
 */
export function originCheck(
  publicUrl: string,
  isLoopback: boolean,
): (request: Pick<IncomingMessage, 'headers'>) => void {
  const publicName = hostnameOf(publicUrl);
  const isOurs = (name: string) => name === publicName || (isLoopback && loopbackName.test(name));
  const knowsOurs = publicName !== undefined || isLoopback;
  return ({ headers: { host = '', origin } }) => {
    const name = hostnameOf(`http://${host}`);
    if (name === undefined || (knowsOurs && !isOurs(name))) throw foreign('Host');
    if (origin === undefined) return;
    const site = hostnameOf(origin);
    if (site === undefined || (knowsOurs ? !isOurs(site) : site !== name)) throw foreign('Origin');
  };
}

const hostnameOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname : undefined;

const foreign = (header: string) =>
  forbidden('permission', `The ${header} header names another site; set PUBLIC_URL if it is ours.`);
