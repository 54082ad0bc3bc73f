import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { forbidden, refusal } from '../domain/errors.ts';
import { addressKey } from '../rate-limit/address.ts';
import { clientInfoOf } from '../server/client-info.ts';
import type { PageDeps } from './page-deps.ts';

const self = ["'self'"];
const none = ["'none'"];

/** No script and no style but our own files, no frame, no form that leads elsewhere. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: none,
      scriptSrc: self,
      styleSrc: self,
      // Pico draws its icons with data: addresses.
      imgSrc: ["'self'", 'data:'],
      formAction: self,
      baseUri: none,
      frameAncestors: none,
    },
  },
  // Among the headers of every answer, where it came by https.
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
});

/** The API's rule for https and its limit for addresses hold for pages too. Refuses with 400 `https` and 429 `address`. */
export const admitVisitor =
  ({ auth, listener }: PageDeps): RequestHandler =>
  async (request, _response, next) => {
    const { secure, address } = clientInfoOf(request, 'production', listener);
    if (!secure) throw refusal(400, 'https', 'HTTPS is required.');
    await auth.limits.consumeAddress(addressKey(address));
    next();
  };

/** A browser says where a form came from; what did not come from our own pages is refused before anything is read. */
export const refuseForeignForms: RequestHandler = (request, _response, next) => {
  const from = request.headers['sec-fetch-site'];
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads && from !== undefined && from !== 'same-origin' && from !== 'none')
    throw forbidden('permission', 'This form was sent from another site.');
  next();
};

/** PostgreSQL's text cannot hold NUL, and nobody types one. Refuses with 400 `malformed_request` a form that has it. */
export const refuseNul: RequestHandler = ({ body }, _response, next) => {
  const sent = Object.entries(body ?? {}).flat(2);
  if (sent.some((text) => String(text).includes('\0')))
    throw refusal(400, 'malformed_request', 'What was sent holds a character that is no text (NUL).');
  next();
};
