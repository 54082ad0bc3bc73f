import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { EarlyRefusal } from './early-refusal.ts';
import { readForwarded } from './forwarded.ts';

interface HeadChecks {
  /** Whether the peer at an address is a proxy that may speak for its clients. */
  readonly trusts: (address: string) => boolean;
  readonly refuse: (request: IncomingMessage, response: ServerResponse, refusal: EarlyRefusal) => void;
}

const withoutHost: EarlyRefusal = { status: 400, message: 'A request of HTTP/1.1 must have a Host header.' };
const unknownTarget: EarlyRefusal = { status: 400, message: 'The target of the request is no http or https address.' };

/**
 * The outermost layer: from here on a target is in origin form, X-Forwarded-For lists bare addresses and X-Forwarded-Proto has the
 * one value that counts. Refuses with 400 what has no Host or no target that can be read.
 */
export function withReadHead({ trusts, refuse }: HeadChecks, handler: RequestListener): RequestListener {
  return (request, response) => {
    const { headers } = request;
    const hasHost = headers.host !== undefined || request.httpVersion !== '1.1';
    const isReadable = request.url?.startsWith('/') || toOriginForm(request);
    if (headers['x-forwarded-for'] !== undefined || headers['x-forwarded-proto'] !== undefined)
      readForwarded(request, trusts);
    if (!isReadable) refuse(request, response, unknownTarget);
    else if (!hasHost) refuse(request, response, withoutHost);
    else handler(request, response);
  };
}

const absoluteForm = /^https?:\/\/([^/?#@\\]+)(.*)$/is;

/** RFC 9112 section 3.2.2: the authority of an absolute form replaces Host. False where the target is in no form that we know. */
function toOriginForm(request: IncomingMessage): boolean {
  if (request.url === '*') return true;
  const [, authority, rest = ''] = absoluteForm.exec(request.url ?? '') ?? [];
  if (authority === undefined || !URL.canParse(`http://${authority}`)) return false;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
  return true;
}
