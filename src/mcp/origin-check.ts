import type { IncomingMessage } from 'node:http';
import { forbidden } from '../domain/errors.ts';

const loopbackName = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Prevents DNS rebinding: throws 403 for a Host, or a browser's Origin, that is not ours: the host of PUBLIC_URL, or a loopback name on
 * a loopback listener. With neither, any Host is accepted and an Origin must have the same host.
 */
export function originCheck(
  publicUrl: string,
  isLoopback: boolean,
): (request: Pick<IncomingMessage, 'headers'>) => void {
  const knowsOwnHost = publicUrl !== '' || isLoopback;
  const isOurs = (address: string): boolean => {
    if (!URL.canParse(address)) return false;
    if (!knowsOwnHost) return true;
    if (isLoopback && loopbackName.test(new URL(address).hostname)) return true;
    return publicUrl !== '' && isSameHost(address, publicUrl);
  };
  // Most requests have the same Host; it is checked once.
  let lastHost: string | undefined;
  return ({ headers }) => {
    const { host = '', origin } = headers;
    if (host !== lastHost && !isOurs(`http://${host}`)) throw foreign('Host');
    lastHost = host;
    if (origin === undefined) return;
    if (!isOurs(origin)) throw foreign('Origin');
    if (!knowsOwnHost && !isSameHost(origin, `http://${host}`)) throw foreign('Origin');
  };
}

const foreign = (header: string) =>
  forbidden('permission', `The ${header} header names another site; set PUBLIC_URL if it is ours.`);

const isSameHost = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).hostname === new URL(b).hostname;
