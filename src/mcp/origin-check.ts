import type { IncomingMessage } from 'node:http';
import { forbidden } from '../domain/errors.ts';

/** Names under which this service may be addressed. */
export interface OwnAddress {
  /** The service's address from outside; empty where not set. */
  readonly publicUrl: string;
  /** Bound to a loopback address. */
  readonly loopback: boolean;
}

const loopbackName = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Refuses with 403 a Host or a browser's Origin that is not ours: a page could else rebind its name to a loopback address.
 * Where neither PUBLIC_URL nor a loopback address says what is ours, every Host is; an Origin still must be the Host's.
 */
export function originCheck(own: OwnAddress): (request: IncomingMessage) => void {
  // Most requests name the Host of the one before; it is judged once.
  let known: string | undefined;
  return ({ headers }) => {
    const host = headers.host ?? '';
    if (host !== known && !isOurs(`http://${host}`, own)) throw foreign('Host');
    known = host;
    const { origin } = headers;
    if (origin === undefined) return;
    if (!isOurs(origin, own)) throw foreign('Origin');
    if (!knowsItself(own) && !sameHost(origin, `http://${host}`)) throw foreign('Origin');
  };
}

const knowsItself = ({ publicUrl, loopback }: OwnAddress): boolean => publicUrl !== '' || loopback;

const foreign = (header: string) =>
  forbidden('permission', `The ${header} header names another site; set PUBLIC_URL if it is ours.`);

function isOurs(address: string, own: OwnAddress): boolean {
  if (!knowsItself(own)) return URL.canParse(address);
  if (!URL.canParse(address)) return false;
  if (own.loopback && loopbackName.test(new URL(address).hostname)) return true;
  return own.publicUrl !== '' && sameHost(address, own.publicUrl);
}

const sameHost = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).hostname === new URL(b).hostname;
